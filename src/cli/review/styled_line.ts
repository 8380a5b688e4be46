/** Lines of a screen as data: text with a meaning, cut and filled to a number of columns. */
import stringWidth from "string-width";

/** What a piece of text means; the screen chooses colours for it, or none. */
export type Style = "plain" | "dim" | "strong" | "ok" | "warn" | "bad" | "title";

/** Text of one style. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** One line of the screen. */
export interface Line {
  readonly spans: readonly Span[];
  /** Shown inverted. */
  readonly selected: boolean;
}

/** Makes a piece of text. The text must hold no control characters: see `visibleText`. */
export function span(text: string, style: Style = "plain"): Span {
  return { text, style };
}

/** Makes a line. */
export function line(spans: readonly Span[], selected = false): Line {
  return { spans, selected };
}

/** Printable ASCII is one column each, and nearly all text is that. */
const PLAIN = /^[ -~]*$/;

/** U+FE0F makes an emoji, two columns wide, of the character before it; programs do not agree on it. */
const EMOJI_SELECTOR = "\ufe0f";

/**
 * Columns that a text takes at most. Counted by code point: a terminal that does not join what forms one sign needs
 * the sum, and a line that is too wide would break the screen, one that is too narrow does not.
 */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const char of text) columns += charColumns(char);
  return columns;
}

function charColumns(char: string): number {
  if (char.length === 1 && char >= " " && char <= "~") return 1;
  return char === EMOJI_SELECTOR ? 1 : stringWidth(char);
}

/** Marks what does not fit. */
const MORE = "\u2026";

/** Marks that stack on one column cost nothing: so many of them for each column are kept. */
const UNITS_PER_COLUMN = 8;

/** The beginning of a text, and how many UTF-16 units it has, in at most so many columns. */
function prefix(text: string, columns: number): string {
  if (PLAIN.test(text)) return text.slice(0, columns);
  let room = columns;
  let end = 0;
  for (const char of text) {
    room -= charColumns(char);
    if (room < 0 || end > columns * UNITS_PER_COLUMN) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** Cuts a text to at most so many columns; the last one says that something is missing. */
export function cutTo(text: string, columns: number): string {
  if (columns <= 0) return "";
  const kept = prefix(text, columns);
  return kept.length === text.length ? text : prefix(text, columns - 1) + MORE;
}

/** Cuts or fills a text to exactly so many columns. */
export function fitTo(text: string, columns: number): string {
  const cut = cutTo(text, columns);
  return cut + " ".repeat(Math.max(0, columns - columnsOf(cut)));
}

/** A line of exactly so many columns. */
export function fitLine({ spans, selected }: Line, columns: number): Line {
  const fitted: Span[] = [];
  let room = columns;
  for (const { text, style } of spans) {
    if (room <= 0) break;
    const cut = cutTo(text, room);
    fitted.push({ text: cut, style });
    room -= columnsOf(cut);
  }
  if (room > 0) fitted.push(span(" ".repeat(room)));
  return { spans: fitted, selected };
}

/** A text as pieces of at most so many columns, but at least 2; one empty piece for an empty text. */
export function wrapTo(text: string, columns: number): readonly string[] {
  const width = Math.max(2, columns);
  const pieces: string[] = [];
  let rest = text;
  do {
    // Never empty while there is a rest, whatever width a sign claims to have.
    const piece = prefix(rest, width) || rest.slice(0, 2);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  } while (rest !== "");
  return pieces;
}
