/** One byte sequence that gives a secret away, and how it is compared with a text. */
import { isAlphanumeric } from "./ascii.ts";

/** Needles that share a block; more would make one block of a text a long list of comparisons. */
export const MAX_CHAIN = 48;
/** Blanks that may follow one line break inside a folded form. */
export const MAX_FOLD = 16;

/** A sequence to look for. */
export interface Needle {
  readonly bytes: Uint8Array;
  /** Line breaks may be strewn in. */
  readonly folds: boolean;
  /** No letter or digit may touch it. */
  readonly bounded: boolean;
  /** Identity of the secret. */
  readonly key: string;
}

/** The bytes to search. `before` is the byte left of them, negative when there is none. */
export interface KnownText {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly before: number;
  readonly final: boolean;
}

/** Receives a needle and where it may begin. */
export type Candidate = (needle: Needle, start: number) => void;

/** Four bytes as one number. */
export function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}

/** Answers of `matchAt` that are no end. */
const MISMATCH = -1;
/** The text ends too early to tell. */
export const RUNS_OUT = -2;

/** True for a byte that a fold is made of: line breaks and the blanks of an indented next line. */
export function isFoldByte(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09;
}

/** The first byte behind the fold at `at`; `at` itself where none begins. */
export function skipFold(text: KnownText, at: number): number {
  const first = text.bytes[at];
  if (first !== 0x0a && first !== 0x0d) return at;
  let i = at + 1;
  while (i < text.length && i - at < MAX_FOLD && isFoldByte(text.bytes[i])) i++;
  return i;
}

/** Text that a needle may cover: one blank for each character is more than any encoder writes. */
export function longestSpan(needle: Pick<Needle, "bytes" | "folds">): number {
  return needle.folds ? 2 * needle.bytes.length + MAX_FOLD : needle.bytes.length;
}

/** End of the needle that begins at `start`, MISMATCH, or RUNS_OUT when the text ends too early to tell. */
export function matchAt(needle: Needle, text: KnownText, start: number): number {
  const { bytes } = needle;
  let at = start;
  for (let i = 0; i < bytes.length; i++) {
    if (needle.folds && i > 0 && at < text.length && text.bytes[at] !== bytes[i]) {
      const behind = skipFold(text, at);
      // Where a line is broken at a blank, the blank may have gone.
      while (behind > at && i < bytes.length && bytes[i] === 0x20) i++;
      at = behind;
      if (i === bytes.length || at - start > longestSpan(needle)) return MISMATCH;
    }
    if (at >= text.length) return RUNS_OUT;
    if (text.bytes[at] !== bytes[i]) return MISMATCH;
    at++;
  }
  if (!needle.bounded) return at;
  if (isAlphanumeric(start > 0 ? text.bytes[start - 1] as number : text.before)) return MISMATCH;
  if (at >= text.length) return text.final ? at : RUNS_OUT;
  return isAlphanumeric(text.bytes[at] as number) ? MISMATCH : at;
}
