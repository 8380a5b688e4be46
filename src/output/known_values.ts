/**
 * Finds known secrets. The search is that of Wu and Manber (1994) with blocks of three bytes: a table says how far
 * the window may move, so most bytes are never looked at, and a secret learned in mid-stream costs one small insertion
 * instead of a rebuilt automaton.
 */
import { encodedForms, MIN_SECRET } from "./encoded_forms.ts";
import { isAlphanumeric } from "./ascii.ts";

const BLOCK = 3;
const MAX_SHIFT = MIN_SECRET - BLOCK + 1;
const TABLE_SIZE = 1 << 16;
/** Secrets shorter than this match only where no letter or digit touches them, in bytes. */
const SHORT = 12;
/** Blanks that may follow one line break inside a folded form. */
const MAX_FOLD = 16;
/** Byte sequences over all secrets; a session that knows more keeps those that it learned first. */
const MAX_NEEDLES = 20_000;

/** Needles with the same beginning; a token issuer's prefix must not make every token a list of all others. */
const MAX_CHAIN = 32;

interface Needle {
  readonly bytes: Uint8Array;
  readonly folds: boolean;
  readonly bounded: boolean;
  /** Identity of the secret. */
  readonly key: string;
  /** Next needle with the same block, or null, and how many there are. */
  readonly next: Needle | null;
  readonly chain: number;
}

/** A known secret in a text; positions are indexes of the searched bytes. */
export interface KnownMatch {
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

/** The bytes to search. `before` is the byte left of them, negative when there is none. */
export interface KnownText {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly before: number;
  readonly final: boolean;
}

// Windows-1252, in fact; one character for each byte is all that a set of values needs.
const latin1 = new TextDecoder("latin1");

const MISMATCH = -1;
const RUNS_OUT = -2;

function blockAt(bytes: Uint8Array, at: number): number {
  return (((bytes[at] as number) << 10) ^ ((bytes[at + 1] as number) << 5) ^
    (bytes[at + 2] as number)) &
    (TABLE_SIZE - 1);
}

function skipFold(text: KnownText, at: number): number {
  const first = text.bytes[at];
  if (first !== 0x0a && first !== 0x0d) return at;
  let i = at + 1;
  while (i < text.length && i - at < MAX_FOLD) {
    const byte = text.bytes[i];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) break;
    i++;
  }
  return i;
}

/** Text that a needle may cover: one blank for each character is more than any encoder writes. */
function longestSpan(needle: Pick<Needle, "bytes" | "folds">): number {
  return needle.folds ? 2 * needle.bytes.length + MAX_FOLD : needle.bytes.length;
}

/** End of the needle that begins at `start`, MISMATCH, or RUNS_OUT when the text ends too early to tell. */
function matchAt(needle: Needle, text: KnownText, start: number): number {
  let at = start;
  for (let i = 0; i < needle.bytes.length; i++) {
    if (at < text.length && text.bytes[at] !== needle.bytes[i] && needle.folds && i > 0) {
      at = skipFold(text, at);
    }
    if (at - start > longestSpan(needle)) return MISMATCH;
    if (at >= text.length) return RUNS_OUT;
    if (text.bytes[at] !== needle.bytes[i]) return MISMATCH;
    at++;
  }
  if (!needle.bounded) return at;
  if (isAlphanumeric(start > 0 ? text.bytes[start - 1] as number : text.before)) return MISMATCH;
  if (at >= text.length) return text.final ? at : RUNS_OUT;
  return isAlphanumeric(text.bytes[at] as number) ? MISMATCH : at;
}

/** The set of known secrets in all their forms. */
export class KnownValues {
  readonly #shift = new Uint8Array(TABLE_SIZE).fill(MAX_SHIFT);
  readonly #heads = new Map<number, Needle>();
  readonly #byPair = new Map<number, Needle[]>();
  readonly #firstBytes = new Uint8Array(256);
  readonly #known = new Set<string>();
  #longest = 0;
  #count = 0;

  /** Number of byte sequences that are looked for; it grows and never shrinks. */
  get size(): number {
    return this.#count;
  }

  /**
   * Adds a secret with the identity under which it is reported; false when it is too short, known already or beyond
   * what a session can hold. With `plainOnly` encodings of it are not looked for.
   */
  add(key: string, secret: Uint8Array, options: { plainOnly?: boolean } = {}): boolean {
    const text = latin1.decode(secret);
    const isUseless = secret.length < MIN_SECRET || this.#known.has(text);
    if (isUseless || this.#count >= MAX_NEEDLES) return false;
    this.#known.add(text);
    for (const form of encodedForms(secret, options)) {
      this.#insert({
        bytes: form.bytes,
        folds: form.folds,
        bounded: form.plain && form.bytes.length < SHORT,
        key,
      });
    }
    return true;
  }

  #insert(needle: Omit<Needle, "next" | "chain">): void {
    const { bytes } = needle;
    const last = blockAt(bytes, MIN_SECRET - BLOCK);
    const next = this.#heads.get(last) ?? null;
    const chain = 1 + (next?.chain ?? 0);
    if (chain > MAX_CHAIN) return;
    this.#count++;
    for (let at = 0; at + BLOCK <= MIN_SECRET; at++) {
      const block = blockAt(bytes, at);
      this.#shift[block] = Math.min(this.#shift[block] as number, MIN_SECRET - BLOCK - at);
    }
    const linked: Needle = { ...needle, next, chain };
    this.#heads.set(last, linked);
    const pair = ((bytes[0] as number) << 8) | (bytes[1] as number);
    const list = this.#byPair.get(pair);
    if (list === undefined) this.#byPair.set(pair, [linked]);
    else list.push(linked);
    this.#firstBytes[bytes[0] as number] = 1;
    // One more for the byte on the right that decides about a bounded needle.
    this.#longest = Math.max(this.#longest, longestSpan(needle) + 1);
  }

  /** The first secret that begins at or after `from`, the longest one when several begin there. */
  find(text: KnownText, from: number): KnownMatch | null {
    if (this.#count === 0) return null;
    const { bytes, length } = text;
    const shift = this.#shift;
    let at = from + MIN_SECRET - BLOCK;
    while (at + BLOCK <= length) {
      const step = shift[blockAt(bytes, at)] as number;
      if (step > 0) {
        at += step;
        continue;
      }
      const match = this.#longestAt(text, at - (MIN_SECRET - BLOCK), blockAt(bytes, at));
      if (match !== null) return match;
      at++;
    }
    return null;
  }

  #longestAt(text: KnownText, start: number, block: number): KnownMatch | null {
    let best: KnownMatch | null = null;
    for (let needle = this.#heads.get(block) ?? null; needle !== null; needle = needle.next) {
      const end = matchAt(needle, text, start);
      if (end > (best?.end ?? start)) best = { start, end, key: needle.key };
    }
    return best;
  }

  /** The first position at or after `from` where a secret may have begun that is not complete yet; else `length`. */
  holdFrom(text: KnownText, from: number): number {
    if (this.#count === 0 || text.final) return text.length;
    for (let at = Math.max(from, text.length - this.#longest); at < text.length; at++) {
      if (this.#mayBeginAt(text, at)) return at;
    }
    return text.length;
  }

  #mayBeginAt(text: KnownText, at: number): boolean {
    const first = text.bytes[at] as number;
    if (this.#firstBytes[first] === 0) return false;
    if (at + 1 >= text.length) return true;
    const candidates = this.#byPair.get((first << 8) | (text.bytes[at + 1] as number));
    if (candidates === undefined) return false;
    return candidates.some((needle) => matchAt(needle, text, at) === RUNS_OUT);
  }
}
