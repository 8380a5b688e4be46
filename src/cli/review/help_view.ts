/** The help screen of `debrief review`, made from the table of keys. */
import { BADGES } from "./entry.ts";
import { KEYS } from "./key_table.ts";
import { type Line, line, span, wrapTo } from "./styled_line.ts";

/** Columns of the keys. */
const KEY_COLUMNS = 11;

/** All lines of the help screen. */
export function helpLines(columns: number): readonly Line[] {
  const room = columns - KEY_COLUMNS - 1;
  const row = (name: string, meaning: string): Line[] =>
    wrapTo(meaning, room).map((piece, index) =>
      line([span(` ${(index === 0 ? name : "").padEnd(KEY_COLUMNS)}`, "strong"), span(piece)])
    );
  return [
    ...KEYS.flatMap(({ shown, meaning }) => row(shown, meaning)),
    line([]),
    ...row(">", "the current line"),
    ...row("!", "the latest command whose exit status is not 0"),
    ...BADGES.flatMap(({ letter, meaning }) => row(letter, meaning)),
  ];
}
