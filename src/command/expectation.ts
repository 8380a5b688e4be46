import { forEachChild, parse, type SyntaxNode } from "unbash";
import type { Expectation } from "./script.ts";

/** An error of the parser. */
export interface SyntaxError {
  readonly message: string;
  readonly pos: number;
}

/** Unclosed substitutions that are looked into for an error that no further line can mend. */
const MAX_LOOK_INSIDE = 8;

const UNTERMINATED: readonly (readonly [string, Expectation])[] = [
  ["unterminated double quote", { reason: "quote", closes: '"' }],
  ["unterminated single quote", { reason: "quote", closes: "'" }],
  ["unterminated ANSI-C quote", { reason: "quote", closes: "'" }],
  ["unterminated backtick", { reason: "substitution", closes: "`" }],
  ["unterminated command substitution", { reason: "substitution", closes: null }],
  ["unterminated process substitution", { reason: "substitution", closes: ")" }],
  ["unterminated arithmetic", { reason: "substitution", closes: ")" }],
  ["unterminated parameter expansion", { reason: "substitution", closes: "}" }],
  ["unterminated extended glob", { reason: "compound", closes: ")" }],
  ["unterminated array subscript", { reason: "compound", closes: "]" }],
];

/**
 * Tells whether more lines could make a valid script of text that did not parse, and what they must bring;
 * null when the text is wrong already. A substitution or quote that never ends is open by nature. Any other first error
 * is final exactly when text that follows does not move it.
 */
export function expectationOf(source: string, errors: readonly SyntaxError[]): Expectation | null {
  return expectation(source, errors, 0);
}

function expectation(
  source: string,
  errors: readonly SyntaxError[],
  level: number,
): Expectation | null {
  const first = errors[0];
  if (first === undefined) return null;
  const open = UNTERMINATED.find(([message]) => first.message.startsWith(message));
  if (open !== undefined) {
    // Outside of `[[ ]]` an extended glob is a syntax error at once where `extglob` is off; an array may go on.
    const wrong = first.message.endsWith("extended glob") &&
      !/=\(?$/.test(source.slice(0, first.pos + 1));
    return wrong || brokenInside(source, errors, level) ? null : open[1];
  }
  const heredocs = openHeredocs(parse(source));
  const closing = heredocs.map((delimiter) => `\n${delimiter}`).join("");
  const continued = parse(`${source}${closing}\nx\n`).errors?.[0];
  if (continued?.message === first.message && continued.pos === first.pos) return null;
  // A closing bracket that was taken for an operand.
  if (first.message.includes("']]'") && /\s\]\]\s*$/.test(source)) return null;
  if (heredocs.length > 0) return { reason: "heredoc", closes: heredocs[0]! };
  const closes = /^expected '([^']+)'/.exec(first.message)?.[1] ?? null;
  return {
    reason: /after '(?:&&|\|\||\|&?)'/.test(first.message) ? "operator" : "compound",
    closes,
  };
}

function brokenInside(source: string, errors: readonly SyntaxError[], level: number): boolean {
  const open = errors.find((error) => error.message === "unterminated command substitution");
  if (open === undefined || level === MAX_LOOK_INSIDE || !source.startsWith("$(", open.pos)) {
    return false;
  }
  const inner = source.slice(open.pos + 2);
  const nested = parse(inner).errors;
  return nested !== undefined && expectation(inner, nested, level + 1) === null;
}

/** The delimiters of the here-documents that the text does not close, in the order in which bash reads them. */
function openHeredocs(root: SyntaxNode): string[] {
  const found: { pos: number; delimiter: string }[] = [];
  const pending: SyntaxNode[] = [root];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (node.type === "HereDoc" && node.closing === undefined) {
      found.push({ pos: node.pos, delimiter: node.delimiter?.value ?? "" });
    }
    // A here-document inside a substitution ends with it, in the shell's own reading.
    if (node.type !== "Word" && node.type !== "Assignment") {
      forEachChild(node, (child) => void pending.push(child));
    }
  }
  return found.sort((a, b) => a.pos - b.pos).map(({ delimiter }) => delimiter);
}

/**
 * Tells whether a line could complete an open script. A reader of lines skips parsing for those that cannot, so
 * a long here-document or quote costs one pass. At the end of the input the script is parsed in any case.
 */
export function mayComplete(expectation: Expectation, line: string): boolean {
  return expectation.closes === null || line.includes(expectation.closes);
}

/**
 * Finds what a text without errors still waits for: a here-document's delimiter, or the line after a final backslash.
 */
export function openEnd(root: SyntaxNode, source: string): Expectation | null {
  const delimiter = source.includes("<<") ? openHeredocs(root)[0] : undefined;
  if (delimiter !== undefined) return { reason: "heredoc", closes: delimiter };
  if (!/\\\n?$/.test(source) || trailingBackslashes(source) % 2 === 0) return null;
  // In a comment the backslash means nothing: then a quote put in its place opens nothing.
  const withoutBackslash = source.endsWith("\n") ? source.slice(0, -2) : source.slice(0, -1);
  return parse(`${withoutBackslash}'`).errors === undefined
    ? null
    : { reason: "continuation", closes: null };
}

function trailingBackslashes(source: string): number {
  let at = source.length - (source.endsWith("\n") ? 1 : 0);
  const end = at;
  while (at > 0 && source[at - 1] === "\\") at--;
  return end - at;
}
