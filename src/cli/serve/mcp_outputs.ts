/** What the tools of `debrief mcp` give as data. */
import { BLOCK_SCHEMA } from "../../feedback/block_schema.ts";

type JsonObject = Record<string, unknown>;

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const number = { type: "number" };
const numberOrNull = { type: ["number", "null"] };

function object(properties: JsonObject, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required } as const;
}

const orNull = (schema: unknown) => ({ anyOf: [schema, { type: "null" }] });

const { $schema: _dialect, title: _title, ...block } = BLOCK_SCHEMA;

const aims = object({
  goal: textOrNull,
  task: textOrNull,
  deadline: orNull(object({ at: number, written: text })),
  budget: object({
    tokens: numberOrNull,
    seconds: numberOrNull,
  }),
  used: object({ tokens: number, seconds: number }),
  calls: number,
});

const job = object({
  id: text,
  command: text,
  pid: numberOrNull,
  started_at: text,
  duration_ms: number,
  state: { enum: ["running", "ended"] },
  bytes: object({ stdout: number, stderr: number }),
  waits: orNull(object({ asks: textOrNull })),
  outcome: textOrNull,
  exit_code: numberOrNull,
});

/** JSON Schemas (draft 2020-12) of `structuredContent`, by tool. Objects are open: fields are only ever added. */
export const OUTPUT_SCHEMAS = {
  run: object({
    output: { ...text, description: "What the command printed, redacted, shortened when long." },
    exit_status: {
      type: ["integer", "null"],
      description: "What a shell would report, 0 to 255; null while it runs in the background.",
    },
    block: orNull(block),
    job: orNull(job),
  }),
  jobs: object({ jobs: { type: "array", items: job }, block: orNull(block) }),
  send: object({
    taken: { type: "boolean", description: "False when it ended before it took all of it." },
    job,
  }),
  kill: object({ job, block: orNull(block) }),
  output: object({
    lines: {
      type: "array",
      items: object({
        stream: { enum: ["stdout", "stderr"] },
        line: { type: "integer" },
        text,
        kind: { enum: ["line", "match", "context", "gap"] },
      }),
    },
    next: orNull(object({ stream: { enum: ["stdout", "stderr"] }, line: { type: "integer" } })),
  }),
  status: object({
    version: text,
    session_id: text,
    workspace: text,
    cwd: text,
    policy: text,
    enforcement: { enum: ["required", "best-effort"] },
    backend: text,
    enforced: { type: "object", additionalProperties: text },
    timeout_ms: number,
    parallel: { type: "boolean" },
    aims,
  }),
  aims,
} as const;
