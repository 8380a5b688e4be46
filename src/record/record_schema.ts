/**
 * The shape of a record as it is read back, because a line of a journal is input like any other. One definition:
 * it validates, the compiler holds its fields against the type `CommandRecord`, and it becomes `docs/record.schema.json`
 * through `tools/generate_schema.ts`, which takes the descriptions from the comments of that type.
 *
 * Objects are open and words are no closed lists: within a version fields, outcomes and permissions are only ever added.
 */
import * as v from "valibot";
import type { CommandRecord } from "./record.ts";

const text = v.string();
const textOrNull = v.nullable(text);
const texts = v.array(text);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const perStream = <T extends v.GenericSchema>(schema: T) =>
  v.looseObject({ stdout: schema, stderr: schema });

const FIELDS = {
  version: v.pipe(v.number(), v.minValue(1)),
  command_id: text,
  parent_command_id: textOrNull,
  parent_by: v.nullable(v.picklist(["caller", "linked"])),
  session_id: text,
  task_id: textOrNull,
  command: texts,
  argv: texts,
  cwd: text,
  started_at: text,
  duration_ms: v.pipe(v.number(), v.minValue(0)),
  exit_code: v.nullable(v.pipe(v.number(), v.integer())),
  signal: textOrNull,
  error: textOrNull,
  stdout_tail: text,
  stderr_tail: text,
  truncations: perStream(v.nullable(v.looseObject({ lines: count, bytes: count }))),
  redactions: v.record(text, count),
  bytes: perStream(count),
  lines: perStream(count),
  agent_note: textOrNull,
  outcome: v.looseObject({ kind: text, reason: text }),
  observations: v.optional(texts),
  suggestions: v.array(v.looseObject({ rule: text, text })),
  feedback: texts,
  sandbox: v.looseObject({
    backend: text,
    landlockAbi: count,
    policy: text,
    enforced: v.record(text, text),
    proof: v.nullable(v.looseObject({ noNewPrivs: count, seccomp: count, capEff: text })),
  }),
  denials: v.array(v.looseObject({
    permission: text,
    resource: text,
    by: text,
    rule: text,
    at: text,
    accepted: text,
  })),
  changed: texts,
  jobs: v.array(
    v.looseObject({ pid: count, command: text, state: v.picklist(["running", "ended"]) }),
  ),
  output_id: textOrNull,
  prev: textOrNull,
} satisfies Readonly<Record<keyof CommandRecord, v.GenericSchema>>;

/** The definition. */
export const RecordSchema = v.looseObject(FIELDS);

/**
 * What a writer promises beyond the types, in terms of JSON Schema: without an exit status there is a reason. A reader does
 * not insist on it, because a record that it left out could not be refused by anyone.
 */
export const RECORD_PROMISES = {
  if: { properties: { exit_code: { type: "null" } } },
  then: { properties: { error: { type: "string" } } },
} as const;
