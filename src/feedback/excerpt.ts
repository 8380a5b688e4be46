/** The place of a syntax error, with a caret below it. */
import { visibleText } from "../record/visible_text.ts";
import type { SyntaxMistake } from "./observed.ts";

/** Characters shown before and after the place. */
const AROUND = 36;

/**
 * Two lines for a mistake: the part of the source line around it and a caret. One proposal, or none without a
 * mistake. The caret counts characters, so it is off under wide ones.
 */
export function syntaxExcerpt(mistake: SyntaxMistake | null): readonly { text: string }[] {
  if (mistake === null) return [];
  const line = lineAt(mistake.text, mistake.line);
  const column = Math.min(Math.max(1, mistake.column), line.length + 1) - 1;
  const start = Math.max(0, column - AROUND);
  const before = visibleText(line.slice(start, column).toWellFormed());
  const after = visibleText(line.slice(column, column + AROUND).toWellFormed());
  return [{
    text:
      `line ${mistake.line}, column ${mistake.column}; nothing was executed\n${before}${after}\n${
        " ".repeat(before.length)
      }^`,
  }];
}

/** The source line by number, without splitting the whole text. */
function lineAt(text: string, number: number): string {
  let start = 0;
  for (let line = 1; line < number; line++) {
    const end = text.indexOf("\n", start);
    if (end === -1) break;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? undefined : end);
}
