/** The whole screen as lines: a title, the list or a view, a line of help. Exactly as many as the terminal has. */
import type { StreamName } from "../../output/summary.ts";
import { visibleText } from "../../record/visible_text.ts";
import { chainLines } from "./chain_view.ts";
import { detailLines } from "./detail_view.ts";
import type { Entry } from "./entry.ts";
import { helpLines } from "./help_view.ts";
import { listLines, listTitle } from "./list_view.ts";
import { outputLines, type OutputPage } from "./output_view.ts";
import type { BodySize } from "./press_key.ts";
import { type ReviewState, type View, viewOf } from "./review_state.ts";
import { fitLine, type Line, line, span } from "./styled_line.ts";
import { counted } from "../../output/counted.ts";

/** Size of a terminal. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** Reads kept output for the view of it. */
export type ReadOutput = (
  entry: Entry,
  page: { readonly stream: StreamName; readonly from: number; readonly count: number },
) => OutputPage;

/** Lines of the screen that are not its body: title, names of the columns or what is seen, help. */
const AROUND = 3;

/** What the body of a screen has room for, at least one line. */
export function bodyOf({ columns, rows }: ScreenSize): BodySize {
  return { columns, lines: Math.max(1, rows - AROUND) };
}

/** The lines of the screen. */
export function screenLines(
  state: ReviewState,
  options: { readonly size: ScreenSize; readonly readOutput: ReadOutput },
): readonly Line[] {
  const { size } = options;
  const body = bodyOf(size);
  const view = viewOf(state);
  const shown = (view === null ? listLines(state, body) : viewLines(view, body, options.readOutput))
    .slice(0, body.lines);
  const blank = Array.from({ length: body.lines - shown.length }, () => line([]));
  const second = view === null ? listTitle(size.columns) : line([span(` ${titleOf(view)}`, "dim")]);
  const lines = [
    titleLine(state),
    second,
    ...shown,
    ...blank,
    footLine(state, { view, columns: size.columns }),
  ];
  // On a terminal of two lines the body is worth more than what stands around it.
  return lines.slice(size.rows < AROUND + 1 ? 2 : 0).slice(0, size.rows)
    .map((one) => fitLine(one, size.columns));
}

function viewLines(view: View, body: BodySize, readOutput: ReadOutput): readonly Line[] {
  switch (view.kind) {
    case "help":
      return helpLines(body.columns).slice(view.top);
    case "detail":
      return detailLines(view.entry, body.columns).slice(view.top);
    case "chain":
      return chainLines(view, body);
    case "output": {
      const { entry, stream, top } = view;
      const page = readOutput(entry, { stream, from: top, count: body.lines });
      return outputLines(page, body.columns);
    }
  }
}

function titleOf(view: View): string {
  if (view.kind === "help") return "keys";
  const id = visibleText(view.entry.command_id);
  if (view.kind === "chain") return `attempts at the same thing as ${id}`;
  if (view.kind === "detail") return `record ${id}`;
  const count = view.entry.record.lines[view.stream];
  return `${view.stream} of ${id}, ${counted(count, "line")}, redacted`;
}

/** What is listed, and how. */
function titleLine(state: ReviewState): Line {
  const { entries, rows, filter, order, follow, loading, prompt } = state;
  const isChosen = rows.length !== entries.length;
  const counts = `${isChosen ? `${rows.length} of ` : ""}${entries.length}${loading ? "+" : ""}`;
  const facts = [
    filter.status === "all" ? "" : filter.status,
    filter.text === "" || prompt !== null ? "" : `"${visibleText(filter.text)}"`,
    order === "duration" ? "by duration" : "",
    follow ? "follow" : "",
  ].filter((fact) => fact !== "");
  return line([
    span(" debrief review ", "title"),
    span(` ${counts}`, "strong"),
    ...facts.map((fact) => span(` \u00b7 ${fact}`, "warn")),
  ]);
}

const LIST_HINT = "Enter open  o output  c chain  / text  s status  d sort  ? help  q quit";
const VIEW_HINT = "Esc back  o output  c chain  y copy id  ? help  q quit";
const SHORT_HINT = "Enter open  Esc back  ? help  q quit";

interface FootOptions {
  readonly view: View | null;
  readonly columns: number;
}

/** What just happened, what is typed, or the keys; where not all of them fit, those that lead further. */
function footLine(state: ReviewState, { view, columns }: FootOptions): Line {
  const { prompt, message } = state;
  if (prompt !== null) return line([span(" /", "strong"), span(visibleText(prompt)), span("_")]);
  if (message !== null) return line([span(` ${visibleText(message)}`, "strong")]);
  const hint = view === null ? LIST_HINT : VIEW_HINT;
  return line([span(` ${hint.length < columns ? hint : SHORT_HINT}`, "dim")]);
}
