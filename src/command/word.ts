import { forEachChild, type SyntaxNode } from "unbash";
import type { Span } from "./script.ts";

/** One word of a command, as far as it is known before the script runs. */
export interface Arg {
  /** What bash makes of the word, or null when that depends on anything but its text. */
  readonly value: string | null;
  /** Whether the word can become none or several. */
  readonly multi: boolean;
  /** The word as written. */
  readonly text: string;
  /** The known pieces, with `$_` for each unknown one; null when nothing is known. For text that a shell runs. */
  readonly template: string | null;
  readonly span: Span | null;
}

/** Stands for any number of unknown arguments. */
export const OPEN_ENDED: Arg = {
  value: null,
  multi: true,
  text: "...",
  template: null,
  span: null,
};

/** Makes an argument of known text that stands nowhere in the script. */
export function literalArg(value: string): Arg {
  return { value, multi: false, text: value, template: value, span: null };
}

/** A word's literal reading. */
export interface Literal {
  readonly value: string;
  /** Whether a session with other options or from a terminal could read the word otherwise, as `!` or control characters. */
  readonly unusual: boolean;
}

// Characters that end the literal reading when they stand unquoted: expansions, globs and operators.
const UNQUOTED_ACTIVE = new Set("`*?()<>|&; \t\n");
const EXPANSION_START = /[A-Za-z0-9_{(@*#?$!\[\-'"\\]/;
// deno-lint-ignore no-control-regex
const UNUSUAL = /[!\0-\x08\x0b-\x1f\x7f]/;

/**
 * Reads a word as bash does after quote removal, or gives null when it holds an expansion, a glob, a brace or a tilde.
 * Written apart from the parser, so that what is spawned or matched against a policy rests on one short function
 * that is replayed against bash.
 */
export function literalWord(text: string): Literal | null {
  let value = "";
  let unusual = UNUSUAL.test(text);
  // A brace expands only around a comma or two dots; a lone pair stays, as in `find -exec x {} +`.
  const lastSeparator = Math.max(text.lastIndexOf(","), text.lastIndexOf(".."));
  for (let at = 0; at < text.length;) {
    const char = text[at]!;
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return null;
      value += text.slice(at + 1, end);
      at = end + 1;
      continue;
    }
    if (char === '"') {
      const quoted = doubleQuoted(text, at + 1);
      if (quoted === null) return null;
      value += quoted.value;
      at = quoted.end;
      continue;
    }
    if (char === "\\") {
      if (at + 1 === text.length) {
        unusual = true;
        value += "\\";
      } else if (text[at + 1] !== "\n") value += text[at + 1];
      at += 2;
      continue;
    }
    if (char === "$" && text[at + 1] === "'") {
      const quoted = ansiQuoted(text, at + 2);
      if (quoted === null) return null;
      value += quoted.value;
      at = quoted.end;
      continue;
    }
    if (char === "$" && at + 1 < text.length && EXPANSION_START.test(text[at + 1]!)) return null;
    if (isActive(text, at) || (char === "{" && lastSeparator > at)) return null;
    value += char;
    at++;
  }
  return { value, unusual };
}

function isActive(text: string, at: number): boolean {
  const char = text[at]!;
  if (UNQUOTED_ACTIVE.has(char)) return true;
  if (char === "[") return text !== "[";
  return char === "~" && (at === 0 || "=:\n".includes(text[at - 1]!));
}

function doubleQuoted(text: string, start: number): { value: string; end: number } | null {
  let value = "";
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') return { value, end: at + 1 };
    if (char === "`") return null;
    const next = text[at + 1] ?? "";
    if (char === "$" && /[A-Za-z0-9_{(@*#?$!\[\-\\]/.test(next)) return null;
    if (char === "\\" && next !== "" && '$`"\\\n'.includes(next)) {
      if (next !== "\n") value += next;
      at++;
    } else value += char;
  }
  return null;
}

const ANSI_ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

// Bytes beyond ASCII and `\c` depend on the locale and on rules not worth repeating: they count as unknown.
function ansiQuoted(text: string, start: number): { value: string; end: number } | null {
  let value = "";
  for (let at = start; at < text.length; at++) {
    const char = text[at]!;
    if (char === "'") return { value, end: at + 1 };
    if (char !== "\\") {
      value += char;
      continue;
    }
    const simple = ANSI_ESCAPES[text[at + 1] ?? ""];
    if (simple !== undefined) {
      value += simple;
      at++;
      continue;
    }
    const code = /^(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3}))/.exec(text.slice(at + 1, at + 5));
    if (code === null) return null;
    const number = code[1] === undefined ? parseInt(code[2]!, 8) : parseInt(code[1], 16);
    if (number === 0 || number > 0x7f) return null;
    value += String.fromCharCode(number);
    at += code[0].length;
  }
  return null;
}

/** Reads a word or assignment node of the tree as an argument. `source` is the text that the node's positions index. */
export function argOf(node: SyntaxNode, source: string, span: Span): Arg {
  const text = source.slice(node.pos, node.end);
  const literal = literalWord(text);
  if (literal !== null) {
    return { value: literal.value, multi: false, text, template: literal.value, span };
  }
  return {
    value: null,
    multi: canSplit(node, source),
    text,
    get template() {
      return templateOf(node);
    },
    span,
  };
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  forEachChild(node, (child) => void children.push(child));
  return children;
}

// Only an expansion inside double quotes that is no list (`"$@"`, `"${a[@]}"`) is sure to stay one word.
function canSplit(word: SyntaxNode, source: string): boolean {
  const parts = childrenOf(word);
  return parts.length === 0 || parts.some((part) => {
    if (part.type === "Literal") return literalWord(source.slice(part.pos, part.end)) === null;
    if (part.type === "SingleQuoted" || part.type === "AnsiCQuoted") return false;
    if (part.type !== "DoubleQuoted" && part.type !== "LocaleString") return true;
    return part.parts.some((inner) =>
      (inner.type === "SimpleExpansion" || inner.type === "ParameterExpansion") &&
      inner.text.includes("@")
    );
  });
}

/** Gives the known pieces of a word or here-document body with `$_` for the rest, or null when nothing is known. */
export function templateOf(word: SyntaxNode): string | null {
  let known = "";
  let template = "";
  for (const part of childrenOf(word)) {
    const pieces = part.type === "DoubleQuoted" || part.type === "LocaleString"
      ? childrenOf(part)
      : [part];
    for (const piece of pieces) {
      const literal = piece.type === "Literal" || piece.type === "SingleQuoted" ||
        piece.type === "AnsiCQuoted";
      if (literal) known += piece.value;
      template += literal ? piece.value : "$_";
    }
  }
  return known.trim() === "" ? null : template;
}
