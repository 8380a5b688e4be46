/**
 * What a terminal would show of one line: escape sequences act or vanish, a carriage return goes back to the first
 * column, and what is written there replaces what stood there. A progress display of a thousand states becomes one line.
 */

/** Characters that need more than copying. */
// deno-lint-ignore no-control-regex -- control characters are what this module is about
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;
/** Sequences of ECMA-48, single controls and runs of plain text; every alternative is linear. */
const PART = new RegExp(
  [
    "\\x1b\\[([0-?]{0,64})[ -/]{0,8}([@-~])",
    "\\x1b[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?",
    "\\x1b[ -/]{0,8}[0-~]?",
    "[\\x00-\\x08\\x0b-\\x1f\\x7f]",
    "[^\\x00-\\x08\\x0b-\\x1f\\x7f]+",
  ].join("|"),
  "g",
);
const REPLACEMENT = "\ufffd";
/** Furthest column that a cursor movement can reach; wider text is kept, but not padded. */
const MAX_COLUMN = 2000;

class Row {
  readonly #cells: string[] = [];
  #column = 0;

  write(text: string): void {
    for (const char of text) this.#cells[this.#column++] = char;
  }

  move(column: number): void {
    this.#column = Math.max(0, Math.min(column, Math.max(MAX_COLUMN, this.#cells.length)));
    while (this.#cells.length < this.#column) this.#cells.push(" ");
  }

  control(parameters: string, final: string): void {
    const amount = Number.parseInt(parameters, 10) || (final === "K" ? 0 : 1);
    if (final === "C") this.move(this.#column + amount);
    if (final === "D") this.move(this.#column - amount);
    if (final === "G") this.move(amount - 1);
    if (final !== "K") return;
    if (amount === 0) this.#cells.length = Math.min(this.#cells.length, this.#column);
    const blank = amount === 2
      ? this.#cells.length
      : Math.min(this.#column + 1, this.#cells.length);
    if (amount > 0) this.#cells.fill(" ", 0, blank);
  }

  single(char: string): void {
    if (char === "\r") this.move(0);
    else if (char === "\b") this.move(this.#column - 1);
    else if (char === "\0") this.write(REPLACEMENT);
  }

  toString(): string {
    return this.#cells.join("").trimEnd();
  }
}

/** Keeps escape sequences for a terminal, but only the last state of the line. */
function lastState(line: string): string {
  const body = line.replace(/\r+$/, "");
  return body.slice(body.lastIndexOf("\r") + 1).replaceAll("\0", REPLACEMENT);
}

/**
 * Renders one line without its newline. Bells and other controls vanish, NUL becomes U+FFFD.
 *
 * @param options `ansi` keeps escape sequences, for output to a terminal.
 */
export function renderLine(line: string, options: { ansi?: boolean } = {}): string {
  if (!CONTROL.test(line)) return line;
  if (options.ansi) return lastState(line);
  const row = new Row();
  for (const match of line.matchAll(PART)) {
    const text = match[0];
    if (match[2] !== undefined) row.control(match[1] ?? "", match[2]);
    else if (text.charCodeAt(0) === 0x1b) continue;
    else if (text.length === 1) CONTROL.test(text) ? row.single(text) : row.write(text);
    else row.write(text);
  }
  return row.toString();
}
