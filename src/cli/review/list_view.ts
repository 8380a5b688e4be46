/** The list: one line for each record, only those that the screen has room for. */
import { durationText } from "../../record/duration_text.ts";
import type { Entry } from "./entry.ts";
import type { ReviewState } from "./review_state.ts";
import { fitTo, type Line, line, span } from "./styled_line.ts";

/** Below so many columns the date and the command are left out. */
const NARROW = 64;

/** Columns of the program's name. */
const PROGRAM_COLUMNS = 10;

/** How rows are laid out. */
interface RowOptions {
  readonly columns: number;
  readonly selected: boolean;
  readonly latestFailure: Entry | null;
}

/** The names above the columns. */
export function listTitle(columns: number): Line {
  const cells = columns < NARROW
    ? ["  ", fitTo("time", 9), fitTo("status", 8), "  took ", fitTo("program", PROGRAM_COLUMNS)]
    : [
      "  ",
      fitTo("time (UTC)", 16),
      fitTo("status", 9),
      "  took  ",
      fitTo("program", PROGRAM_COLUMNS + 1),
      fitTo("", 5),
      "command",
    ];
  return line([span(cells.join(""), "dim")]);
}

/** The rows around the cursor, at most so many. */
export function listLines(
  state: ReviewState,
  size: { readonly columns: number; readonly lines: number },
): readonly Line[] {
  const { rows, cursor, latestFailure } = state;
  const first = windowStart(cursor, { length: rows.length, lines: size.lines });
  if (rows.length === 0) return [line([span(` ${emptyText(state)}`, "dim")])];
  return rows.slice(first, first + size.lines).map((entry, index) =>
    rowLine(entry, {
      columns: size.columns,
      selected: first + index === cursor,
      latestFailure,
    })
  );
}

function emptyText({ loading, entries }: ReviewState): string {
  if (loading) return "reading...";
  return entries.length === 0 ? "no records" : "nothing matches; Esc drops the filters";
}

/** Index of the first row of a window that holds the cursor, in its middle where there is room on both sides. */
export function windowStart(
  cursor: number,
  bounds: { readonly length: number; readonly lines: number },
): number {
  const last = Math.max(0, bounds.length - bounds.lines);
  return Math.max(0, Math.min(cursor - Math.floor(bounds.lines / 2), last));
}

/** One record. `>` and `!` tell without colour what is current and what failed last. */
export function rowLine(entry: Entry, { columns, selected, latestFailure }: RowOptions): Line {
  const isLatest = entry === latestFailure;
  const mark = `${selected ? ">" : " "}${isLatest ? "!" : " "}`;
  const { time, status, program, command, badges, record } = entry;
  const took = durationText(record.duration_ms);
  const style = isLatest ? "bad" : entry.style;
  const text = isLatest ? "strong" : "plain";
  if (columns < NARROW) {
    return line([
      span(mark, style),
      span(fitTo(time.slice(-8), 9), "dim"),
      span(fitTo(fitTo(status, 7), 8), style),
      span(`${took.padStart(6)} `, text),
      span(fitTo(program, PROGRAM_COLUMNS), text),
      span(badges === "" ? "" : ` ${badges}`, "warn"),
    ], selected);
  }
  return line([
    span(mark, style),
    span(fitTo(time, 16), "dim"),
    span(fitTo(fitTo(status, 8), 9), style),
    span(`${took.padStart(6)}  `, text),
    span(fitTo(fitTo(program, PROGRAM_COLUMNS), PROGRAM_COLUMNS + 1), text),
    span(fitTo(badges, 5), "warn"),
    span(command, text),
  ], selected);
}
