/** The journal as text for `debrief log`. */
import type { CommandRecord, OutcomeKind } from "./record.ts";
import { durationText } from "./duration_text.ts";
import { shortText } from "./visible_text.ts";

/** Characters of a command that one line shows. */
const COMMAND_CHARS = 120;

/** What stands in the status column when no exit was observed. */
const WITHOUT_EXIT: Readonly<Partial<Record<OutcomeKind, string>>> = {
  "denied-policy": "denied",
  "denied-sandbox": "denied",
  "syntax-error": "syntax",
  "not-found": "missing",
  "not-executable": "noexec",
  timeout: "timeout",
};

/** One line per record in the given order: time (UTC), id, status, duration, command. Empty for no records. */
export function renderLogText(records: readonly CommandRecord[]): string {
  return records.map((record) => `${logLine(record)}\n`).join("");
}

/** One JSON object per line, as in the journal. */
export function renderLogJson(records: readonly CommandRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** One line of the list, without a newline. */
export function logLine(record: CommandRecord): string {
  const time = shortText(record.started_at.replace("T", " ").replace(/\.\d{1,9}Z$/, "Z"), 24);
  return [
    time,
    shortText(record.command_id, 12).padEnd(8),
    statusText(record).padEnd(7),
    durationText(record.duration_ms).padStart(6),
    shortText(record.command.join(" "), COMMAND_CHARS),
  ].join("  ");
}

/** The end of a command in one short word: its status, a signal, or why no exit was observed. */
export function statusText(record: CommandRecord): string {
  if (record.signal !== null) return shortText(record.signal, 12);
  if (record.exit_code !== null) return String(record.exit_code);
  return WITHOUT_EXIT[record.outcome.kind] ?? "no exit";
}
