/** Entries and states to test the screen with, and its lines as text. */
import { type Entry, entryOf } from "../../../src/cli/review/entry.ts";
import { type Effect, pressKey } from "../../../src/cli/review/press_key.ts";
import { addOlder, emptyReview, type ReviewState } from "../../../src/cli/review/review_state.ts";
import { bodyOf, screenLines, type ScreenSize } from "../../../src/cli/review/screen.ts";
import type { OutputPage } from "../../../src/cli/review/output_view.ts";
import type { Line } from "../../../src/cli/review/styled_line.ts";
import type { CommandRecord } from "../../../src/record/record.ts";
import { sample } from "../../record/sample.ts";

/** A record's line. */
export function entry(fields: Partial<CommandRecord> = {}): Entry {
  return entryOf({ ...sample(fields), prev: null } as CommandRecord);
}

/** A record with this id and exit status; with null, one that timed out. */
export function ended(
  command_id: string,
  exit_code: number | null,
  fields: Partial<CommandRecord> = {},
): Entry {
  const outcome = exit_code === 0
    ? { kind: "success", reason: "" } as const
    : exit_code === null
    ? { kind: "timeout", reason: "" } as const
    : { kind: "failed", reason: "" } as const;
  return entry({ command_id, exit_code, outcome, ...fields });
}

/** A state that has read these, newest first. */
export function read(...entries: readonly Entry[]): ReviewState {
  return { ...addOlder(emptyReview(), entries), loading: false };
}

/** A common terminal. */
const SIZE: ScreenSize = { columns: 80, rows: 24 };

/** The state after these keys, and what the last one asked for. */
export function pressed(
  state: ReviewState,
  keys: readonly string[],
  size: ScreenSize = SIZE,
): { readonly state: ReviewState; readonly effect: Effect | null } {
  let result: { state: ReviewState; effect: Effect | null } = { state, effect: null };
  for (const key of keys) result = pressKey(result.state, key, bodyOf(size));
  return result;
}

/** The text of lines, without blanks at the end. */
function textOf(lines: readonly Line[]): readonly string[] {
  return lines.map(({ spans }) => spans.map(({ text }) => text).join("").trimEnd());
}

/** The text of the screen. */
export function screenOf(
  state: ReviewState,
  size: ScreenSize = SIZE,
  page: OutputPage = { lines: [], problem: null },
): readonly string[] {
  return textOf(screenLines(state, { size, readOutput: () => page }));
}

/** Ids of what is listed. */
export function listed({ rows }: ReviewState): string {
  return rows.map(({ command_id }) => command_id).join(" ");
}
