/** Tokens made from the shapes of the tables, from seeded random characters; and near misses of each. */
import { TOKEN_RULES, TOKEN_SHAPES } from "../../src/output/token_rules.ts";
import { parseShape, type ShapePart } from "../../src/output/token_shape.ts";

/** A token of a rule. */
export interface TokenSample {
  readonly rule: string;
  readonly shape: string;
  readonly secret: string;
}

/** Numbers in [0, 1) that depend on the text alone: a linear congruential generator (Knuth's MMIX is too wide here). */
export function seeded(text: string): () => number {
  let state = 7;
  for (let i = 0; i < text.length; i++) state = (state * 31 + text.charCodeAt(i)) % 4294967296;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

function members(characters: string): string {
  const test = new RegExp(`[${characters}]`);
  const all = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i));
  // What may only end a run is no part of its middle.
  return all.filter((char) => test.test(char) && !"=.-".includes(char)).join("");
}

function run(part: ShapePart & { kind: "run" }, length: number, next: () => number): string {
  const alphabet = members(part.characters);
  const out = Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]);
  // Two fixed characters, so that no sample is a plain word or a plain number.
  const fixed = ["a", "A", "7"].filter((char) => alphabet.includes(char));
  fixed.forEach((char, i) => length > 6 && (out[i + 1] = char));
  return out.join("");
}

function expand(shape: string, options: { choice: number; next: () => number }): string {
  return parseShape(shape).map((part) =>
    part.kind === "text"
      ? part.choices[options.choice % part.choices.length]
      : run(part, part.usual, options.next)
  ).join("");
}

/** The token, cut off before its last run is long enough; null where the shape ends with other text. */
export function tooShort(sample: TokenSample): string | null {
  const last = parseShape(sample.shape).at(-1);
  if (last?.kind !== "run") return null;
  return sample.secret.slice(0, sample.secret.length - last.usual + Math.min(4, last.min - 1));
}

const ROWS: readonly (readonly [string, string])[] = [
  ...TOKEN_SHAPES.map(([name, shape]) => [name, shape] as const),
  ...TOKEN_RULES.flatMap(({ name, shapes }) => shapes.map((shape) => [name, shape] as const)),
];

/** One token for each alternative of each shape. */
export const TOKEN_SAMPLES: readonly TokenSample[] = ROWS.flatMap(([rule, shape]) => {
  const counts = parseShape(shape).map((part) => part.kind === "text" ? part.choices.length : 1);
  return Array.from({ length: Math.max(...counts) }, (_, choice) => {
    const next = seeded(`${shape}${choice}`);
    return { rule, shape, secret: expand(shape, { choice, next }) };
  });
});
