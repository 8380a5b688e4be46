/** A command as its record holds it. */
import { parseScript } from "../command/parse.ts";
import { quoteArgv } from "../command/quote.ts";

/**
 * The `command` of a record from shell text: the words where the text is nothing but words with blanks between, else
 * one element with the text. Either way, joined by single blanks it is what was typed, so that it can be compared with an
 * acceptance command.
 *
 * @param words what the shell makes of the text, null when it is more than a plain command.
 */
export function typedText(source: string, words: readonly string[] | null): readonly string[] {
  const text = source.replace(/^\n+/, "").replace(/\n+$/, "");
  if (words === null || words.length === 0) return [text];
  const pieces = text.split(/[ \t]+/).filter((piece) => piece !== "");
  return isSame(pieces, words) ? words : [text];
}

/**
 * The `command` of a record from exact words: the words, or, where one of them needs quotes, one element with the text
 * that a user would type. So `debrief -- 'deno test'`, which starts a program of that name, cannot be mistaken for
 * `deno test`.
 */
export function typedWords(argv: readonly string[]): readonly string[] {
  if (argv.some((word) => word.includes("\0") || !word.isWellFormed())) return argv;
  const [text, joined] = [quoteArgv(argv), argv.join(" ")];
  if (text === joined) return argv;
  // Quotes that are safe are not always needed: `make CC=gcc`.
  const result = parseScript(joined);
  const plain = result.kind === "script" ? result.script.plain : null;
  return plain !== null && isSame(plain, argv) ? argv : [text];
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
