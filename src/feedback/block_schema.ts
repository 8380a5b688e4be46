/** The published JSON Schema (draft 2020-12) of a block in JSON. */
import { PERMISSIONS } from "../policy/policy.ts";
import { OUTCOME_KINDS } from "../record/record.ts";
import type { Block } from "./block.ts";

const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const count = { type: "integer", minimum: 0 } as const;

function object(properties: Readonly<Record<string, unknown>>, optional: readonly string[] = []) {
  return {
    type: "object",
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  } as const;
}

const listOf = (items: unknown) => ({ type: "array", items }) as const;
const orNull = (schema: unknown) => ({ anyOf: [schema, { type: "null" }] }) as const;
const perStream = (schema: unknown) => object({ stdout: schema, stderr: schema });

const properties: Readonly<Record<keyof Block, unknown>> = {
  version: { const: 1 },
  command_id: text,
  level: { enum: ["success", "warning", "error"] },
  outcome: { enum: OUTCOME_KINDS },
  reason: text,
  exit_code: { type: ["integer", "null"] },
  signal: textOrNull,
  error: textOrNull,
  duration_ms: { type: "number", minimum: 0 },
  lines: perStream(count),
  bytes: perStream(count),
  observations: listOf(text),
  expected: textOrNull,
  denials: listOf(object({
    permission: { enum: PERMISSIONS },
    resource: text,
    by: { enum: ["policy", "sandbox"] },
    rule: text,
    at: text,
    accepted: text,
  })),
  denials_total: count,
  truncated: orNull(perStream(orNull(object({ lines: count, bytes: count })))),
  output_id: textOrNull,
  redactions: { type: "object", additionalProperties: count },
  restored: listOf(text),
  restored_total: count,
  jobs: listOf(object({ pid: count, command: text, state: { enum: ["running", "ended"] } })),
  jobs_total: count,
  sandbox: textOrNull,
  notices: listOf(text),
  feedback: listOf(text),
  next: orNull(object({
    heading: { enum: ["NEXT STEPS", "ALTERNATIVES"] },
    suggestions: listOf(object({ rule: text, text })),
  })),
};

/** The schema. Fields are only ever added within a version; `debrief_block` is the nonce, where the line shares a stream with output. */
export const BLOCK_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Debrief block, version 1",
  ...object({ debrief_block: text, ...properties }, ["debrief_block"]),
} as const;
