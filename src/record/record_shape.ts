/** Reading one line of a journal. */
import * as v from "valibot";
import { type CommandRecord, RECORD_VERSION } from "./record.ts";
import { RecordSchema } from "./record_schema.ts";

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
  if (typeof value !== "object" || value === null) return { kind: "corrupt" };
  const { version } = value as { version?: unknown };
  if (typeof version === "number" && Math.floor(version) > RECORD_VERSION) {
    return { kind: "newer", version };
  }
  return v.is(RecordSchema, value)
    ? { kind: "record", record: value as unknown as CommandRecord }
    : { kind: "corrupt" };
}
