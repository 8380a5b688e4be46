/**
 * The notation of the token tables: a token's format on one line, as its issuer documents it. The pattern, the keywords
 * of the automaton and the samples of the tests are made from it.
 *
 *   gh(p|o|u|s|r)_{a20:36}       literal text, alternatives, then 20 or more letters and digits, 36 by the documentation
 *   SG.{w16-64:22}.{w16:43}      an inner run has two bounds, or one length: {h32}
 */

import { type ByteTable, byteTable } from "./ascii.ts";

/** Name of the rule, the token's shape in the notation of this file, and whose documentation it is from. */
export type TokenShape = readonly [name: string, shape: string, documentation: string];

/** Classes of characters by their letter. */
const CLASSES: Readonly<Record<string, string>> = {
  a: "A-Za-z0-9",
  b: "A-Za-z0-9+/=",
  d: "0-9",
  g: "A-Za-z0-9.-",
  h: "0-9a-f",
  i: "0-9a-f-",
  j: "A-Za-z0-9_.-",
  k: "A-Za-z0-9+/_=.-",
  l: "a-z0-9",
  t: "A-Z2-7",
  u: "A-Z0-9",
  w: "A-Za-z0-9_-",
  x: "0-9A-Fa-f",
};

const TABLES: ReadonlyMap<string, ByteTable> = new Map(
  Object.entries(CLASSES).map(([name, characters]) => [name, byteTable(characters)]),
);

/** A part of a shape. */
export type ShapePart =
  | { readonly kind: "text"; readonly choices: readonly string[] }
  | {
    readonly kind: "run";
    /** Characters of the class as they stand between the brackets of an expression. */
    readonly characters: string;
    /** The same class for bytes. */
    readonly bytes: ByteTable;
    readonly min: number;
    readonly max: number;
    /** Length by the documentation. */
    readonly usual: number;
  };

const PART = /\{([a-z])(\d+)(?:-(\d+))?(?::(\d+))?\}|\(([^)]*)\)|[^{(]+/g;

/** Most characters of a keyword: what is longer adds states to the automaton and tells no more. */
const MAX_KEYWORD = 16;

/** The parts of a shape; the last run has no upper bound. @throws {SyntaxError} for a class that does not exist. */
export function parseShape(shape: string): readonly ShapePart[] {
  const parts = Array.from(shape.matchAll(PART), ([text, name, low, high, usual, choices]) => {
    if (name === undefined) {
      return { kind: "text" as const, choices: choices?.split("|") ?? [text] };
    }
    const characters = CLASSES[name];
    const bytes = TABLES.get(name);
    if (characters === undefined || bytes === undefined) {
      throw new SyntaxError(`Cannot use the shape "${shape}": there is no class "${name}"`);
    }
    const min = Number(low);
    const max = Number(high ?? low);
    return { kind: "run" as const, characters, bytes, min, max, usual: Number(usual ?? max) };
  });
  return parts.map((part, i) =>
    part.kind === "run" && i === parts.length - 1 ? { ...part, max: Infinity } : part
  );
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

function partSource(part: ShapePart): string {
  if (part.kind === "text") {
    const texts = part.choices.map(escapeText);
    return texts.length === 1 ? texts[0] as string : `(?:${texts.join("|")})`;
  }
  const bound = part.max === part.min ? "" : part.max === Infinity ? "," : `,${part.max}`;
  return `[${part.characters}]{${part.min}${bound}}`;
}

/** What the rule of a shape is made of. */
export interface CompiledShape {
  /** The text before the first run, which the automaton looks for. */
  readonly keywords: readonly string[];
  readonly source: string;
  /** The run that stands right behind every keyword; null when a keyword had to be shortened. */
  readonly run: Extract<ShapePart, { kind: "run" }> | null;
}

/** Keywords and pattern of a shape. @throws {SyntaxError} as `parseShape`. */
export function compileShape(shape: string): CompiledShape {
  const parts = parseShape(shape);
  let texts = [""];
  let run: CompiledShape["run"] = null;
  for (const part of parts) {
    if (part.kind === "run") {
      run = part;
      break;
    }
    const { choices } = part;
    texts = texts.flatMap((begun) => choices.map((text) => begun + text));
  }
  const keywords = [...new Set(texts.map((text) => text.toLowerCase().slice(0, MAX_KEYWORD)))];
  const isWhole = texts.every((text) => text.length <= MAX_KEYWORD);
  return { keywords, source: parts.map(partSource).join(""), run: isWhole ? run : null };
}
