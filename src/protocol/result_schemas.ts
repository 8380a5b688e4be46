/** What requests are answered with, as schemas that are published. */
import * as v from "valibot";
import type { JobView } from "../feedback/job_report.ts";
import { OUTCOME_KINDS } from "../record/record.ts";
import type {
  AimsState,
  JobList,
  KillResult,
  OutputLine,
  OutputPage,
  Results,
  SendResult,
  ServiceStatus,
} from "./results.ts";

/** The compiler holds a schema's fields against a type. */
export type Fields<T> = Readonly<Record<keyof T, v.GenericSchema>>;

const text = v.string();
const textOrNull = v.nullable(text);
const number = v.number();
const numberOrNull = v.nullable(number);
const stream = v.picklist(["stdout", "stderr"]);

/** Stands for a block, whose own schema is put in its place when schemas are published. */
export const BlockSchema = v.looseObject({ command_id: text });

/** Schema of a `JobView`. */
export const JobViewSchema = v.looseObject(
  {
    id: text,
    command: text,
    pid: numberOrNull,
    started_at: text,
    duration_ms: number,
    state: v.picklist(["running", "ended"]),
    bytes: v.looseObject({ stdout: number, stderr: number }),
    waits: v.nullable(v.looseObject({ asks: textOrNull })),
    outcome: v.nullable(v.picklist(OUTCOME_KINDS)),
    exit_code: numberOrNull,
  } satisfies Fields<JobView>,
);

const OutputPageSchema = v.looseObject(
  {
    lines: v.array(v.looseObject(
      {
        stream,
        line: number,
        text,
        kind: v.picklist(["line", "match", "context", "gap"]),
      } satisfies Fields<OutputLine>,
    )),
    next: v.nullable(v.looseObject({ stream, line: number })),
  } satisfies Fields<OutputPage>,
);

const AimsStateSchema = v.looseObject(
  {
    goal: textOrNull,
    task: textOrNull,
    deadline: v.nullable(v.looseObject({ at: number, written: text })),
    budget: v.looseObject({ tokens: numberOrNull, seconds: numberOrNull }),
    used: v.looseObject({ tokens: number, seconds: number }),
    calls: number,
  } satisfies Fields<AimsState>,
);

/** Fields of a `ServiceStatus`. */
export const STATUS_FIELDS = {
  version: text,
  session_id: text,
  workspace: text,
  cwd: text,
  policy: text,
  enforcement: v.picklist(["required", "best-effort"]),
  backend: text,
  enforced: v.record(v.string(), text),
  timeout_ms: number,
  parallel: v.boolean(),
  aims: AimsStateSchema,
} satisfies Fields<ServiceStatus>;

const SendSchema = v.looseObject(
  { taken: v.boolean(), job: JobViewSchema } satisfies Fields<SendResult>,
);

/** Schemas of answers, by the request's type. */
export const RESULT_SCHEMAS = {
  cancel: v.looseObject({}),
  write_stdin: SendSchema,
  close_stdin: SendSchema,
  jobs: v.looseObject(
    {
      jobs: v.array(JobViewSchema),
      block: v.nullable(BlockSchema),
    } satisfies Fields<JobList>,
  ),
  kill: v.looseObject(
    { job: JobViewSchema, block: v.nullable(BlockSchema) } satisfies Fields<KillResult>,
  ),
  output: OutputPageSchema,
  aims: AimsStateSchema,
  status: v.looseObject(STATUS_FIELDS),
} satisfies Readonly<Record<keyof Results, v.GenericSchema>>;
