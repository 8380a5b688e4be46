/** The kept output of one command, a screen at a time, with line numbers. */
import { shortText } from "../../record/visible_text.ts";
import { outputPieces } from "./detail_view.ts";
import { type Line, line, span } from "./styled_line.ts";

/** Lines of the kept output from one on. */
export interface OutputPage {
  readonly lines: readonly OutputLine[];
  /** Why there are none, null when they were read. */
  readonly problem: string | null;
}

/** One line of it. */
export interface OutputLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  /** Stands in the place of what was not kept. */
  readonly isGap: boolean;
}

/** The lines of the view. A long line takes as many as it needs. */
export function outputLines(page: OutputPage, columns: number): readonly Line[] {
  if (page.problem !== null) return [line([span(` ${shortText(page.problem, 400)}`, "bad")])];
  if (page.lines.length === 0) return [line([span(" nothing more", "dim")])];
  const digits = Math.max(4, String(page.lines.at(-1)?.number ?? 0).length);
  return page.lines.flatMap(({ number, text, isGap }) =>
    outputPieces(text, columns - digits - 1).map((piece, index) =>
      line([
        span(`${(index === 0 && !isGap ? String(number) : "").padStart(digits)} `, "dim"),
        span(piece, isGap ? "warn" : "plain"),
      ])
    )
  );
}
