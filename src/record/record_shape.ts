/** The shape of a record as it is read back: a line of a journal is input like any other. */
import { type CommandRecord, RECORD_VERSION } from "./record.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const count: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
const status: Check = (value) => Number.isInteger(value);
const flag: Check = (value) => value === "running" || value === "ended";
const orNull = (check: Check): Check => (value) => value === null || check(value);
const listOf = (check: Check): Check => (value) => Array.isArray(value) && value.every(check);
const mapOf = (check: Check): Check => (value) =>
  isObject(value) && Object.values(value).every(check);
const shape = (fields: Readonly<Record<string, Check>>): Check => (value) =>
  isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

const perStream = (check: Check): Check => shape({ stdout: check, stderr: check });

const FIELDS: Readonly<Record<keyof CommandRecord, Check>> = {
  version: count,
  command_id: text,
  parent_command_id: orNull(text),
  parent_by: orNull(text),
  session_id: text,
  task_id: orNull(text),
  command: listOf(text),
  argv: listOf(text),
  cwd: text,
  started_at: text,
  duration_ms: count,
  exit_code: orNull(status),
  signal: orNull(text),
  error: orNull(text),
  stdout_tail: text,
  stderr_tail: text,
  truncations: perStream(orNull(shape({ lines: count, bytes: count }))),
  redactions: mapOf(count),
  bytes: perStream(count),
  lines: perStream(count),
  agent_note: orNull(text),
  outcome: shape({ kind: text, reason: text }),
  suggestions: listOf(shape({ rule: text, text })),
  feedback: listOf(text),
  sandbox: shape({
    backend: text,
    landlockAbi: count,
    policy: text,
    enforced: mapOf(text),
    proof: orNull(shape({ noNewPrivs: count, seccomp: count, capEff: text })),
  }),
  denials: listOf(
    shape({ permission: text, resource: text, by: text, rule: text, at: text, accepted: text }),
  ),
  changed: listOf(text),
  jobs: listOf(shape({ pid: count, command: text, state: flag })),
  output_id: orNull(text),
  prev: orNull(text),
};

const isRecord = shape(FIELDS);

/** A line that was read: a record, or the reason why it is none. */
export type ParsedLine =
  | { readonly kind: "record"; readonly record: CommandRecord }
  | { readonly kind: "corrupt" }
  | { readonly kind: "newer"; readonly version: number };

/**
 * Reads one line. A line of a newer major version is not guessed at; unknown extra fields of this version are kept.
 */
export function parseRecord(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: "corrupt" };
  }
  if (!isObject(value)) return { kind: "corrupt" };
  const { version } = value;
  if (typeof version === "number" && Math.floor(version) > RECORD_VERSION) {
    return { kind: "newer", version };
  }
  return isRecord(value)
    ? { kind: "record", record: value as unknown as CommandRecord }
    : { kind: "corrupt" };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
