/** Finds known secrets in all their forms. A secret that is learned in mid-stream costs a few insertions. */
import { FilteredText, MAX_TEXT } from "./block_filter.ts";
import { BreakIndex } from "./break_index.ts";
import { encodedForms, MIN_SECRET } from "./encoded_forms.ts";
import { hasBit, hashOf, setBit } from "./hashed_bits.ts";
import {
  type KnownText,
  longestSpan,
  matchAt,
  type Needle,
  RUNS_OUT,
  skipFold,
  wordAt,
} from "./needle.ts";
import { NeedleIndex } from "./needle_index.ts";

export type { KnownText } from "./needle.ts";

/** Secrets shorter than this match only where no letter or digit touches them, in bytes. */
const SHORT = 12;
/** Byte sequences over all secrets; a session that knows more keeps those that it learned first. */
const MAX_NEEDLES = 20_000;
/** Windows of the two larger indexes, in bytes; a folded needle needs two of them side by side. */
const WIDE = 16;
const NARROW = 8;
/** Bits of the hash of a needle's first four bytes. */
const WORD_BITS = 18;

/** A known secret in a text; positions are indexes of the searched bytes. */
export interface KnownMatch {
  readonly start: number;
  readonly end: number;
  readonly key: string;
}

// Windows-1252, in fact; one character for each byte is all that a set of values needs.
const latin1 = new TextDecoder("latin1");

function addTo(map: Map<number, Needle[]>, at: number, needle: Needle): void {
  const list = map.get(at);
  if (list === undefined) map.set(at, [needle]);
  else list.push(needle);
}

/** True when one of the three bytes behind `at` may begin a fold. */
function hasFold(bytes: Uint8Array, at: number): boolean {
  for (let i = at + 1; i < at + 4; i++) if (bytes[i] === 0x0a || bytes[i] === 0x0d) return true;
  return false;
}

/** The set of known secrets in all their forms. */
export class KnownValues {
  #searched: FilteredText | null = null;
  readonly #wide = new NeedleIndex(WIDE, 8);
  readonly #narrow = new NeedleIndex(NARROW, 4);
  readonly #least = new NeedleIndex(MIN_SECRET, 4);
  readonly #indexes = [this.#wide, this.#narrow, this.#least];
  /** Folded needles that are too short for two windows. */
  readonly #broken = new BreakIndex();
  readonly #needles: Needle[] = [];
  /** A bit for the hash of every needle's first four bytes: a look into a map costs twenty times as much. */
  readonly #words = new Uint8Array(1 << (WORD_BITS - 3));
  /** Needles by their first four, two and one bytes. */
  readonly #byWord = new Map<number, Needle[]>();
  readonly #byPair = new Map<number, Needle[]>();
  /** Needles whose second byte may stand behind a line break. */
  readonly #byFirst = new Map<number, Needle[]>();
  readonly #firstBytes = new Uint8Array(256);
  readonly #known = new Set<string>();
  #longest = 0;

  /** Number of byte sequences that are looked for; it grows and never shrinks. */
  get size(): number {
    return this.#needles.length;
  }

  /** True when no more values are taken. */
  get isFull(): boolean {
    return this.size >= MAX_NEEDLES;
  }

  /**
   * Adds a secret with the identity under which it is reported; false when it is too short, known already or beyond
   * what a session can hold. With `plainOnly` encodings of it are not looked for.
   */
  add(key: string, secret: Uint8Array, options: { plainOnly?: boolean } = {}): boolean {
    if (secret.length < MIN_SECRET || this.isFull) return false;
    const text = latin1.decode(secret);
    if (this.#known.has(text)) return false;
    this.#known.add(text);
    for (const { bytes, folds, plain } of encodedForms(secret, options)) {
      this.#insert({ bytes, folds, bounded: plain && bytes.length < SHORT, key });
    }
    return true;
  }

  #indexOf({ bytes, folds }: Needle): NeedleIndex {
    if (bytes.length >= (folds ? 2 * WIDE : WIDE)) return this.#wide;
    return bytes.length >= NARROW ? this.#narrow : this.#least;
  }

  #insert(needle: Needle): void {
    this.#searched ??= new FilteredText();
    if (!this.#indexOf(needle).insert(needle, this.#searched)) return;
    const { bytes } = needle;
    if (needle.folds && bytes.length < 2 * NARROW) this.#broken.insert(needle);
    this.#needles.push(needle);
    const first = bytes[0] as number;
    const word = wordAt(bytes, 0);
    addTo(this.#byWord, word, needle);
    setBit(this.#words, hashOf(word, WORD_BITS));
    addTo(this.#byPair, (first << 8) | (bytes[1] as number), needle);
    if (needle.folds) addTo(this.#byFirst, first, needle);
    this.#firstBytes[first] = 1;
    // One more for the byte on the right that decides about a bounded needle.
    this.#longest = Math.max(this.#longest, longestSpan(needle) + 1);
  }

  /** The secrets that begin in `[from, to)`, by their start; the longest one when several begin together. */
  find(text: KnownText, range: { from: number; to: number }): KnownMatch[] {
    const searched = this.#searched;
    if (searched === null) return [];
    const found = new Map<number, KnownMatch>();
    const check = (needle: Needle, start: number) => {
      const end = matchAt(needle, text, start);
      if (end > (found.get(start)?.end ?? start)) found.set(start, { start, end, key: needle.key });
    };
    const reach = Math.max(...this.#indexes.map((index) => index.reach));
    for (let from = range.from; from < range.to; from += MAX_TEXT - reach) {
      const to = Math.min(range.to, from + MAX_TEXT - reach);
      searched.load(text.bytes.subarray(from, Math.min(text.length, to + reach)));
      for (const index of this.#indexes) index.scan(text, { from, to }, check);
    }
    this.#broken.scan(text, range, check);
    return [...found.values()].sort((a, b) => a.start - b.start);
  }

  /**
   * The first position at or after `from` where a secret may have begun that is not complete yet; else the length of
   * the text. With `since` only needles from that number on are considered.
   */
  holdFrom(text: KnownText, from: number, since = 0): number {
    if (since >= this.size || text.final) return text.length;
    if (since > 0) return holdFromAny(this.#needles.slice(since), text, from);
    for (let at = Math.max(from, text.length - this.#longest); at < text.length; at++) {
      if (this.#firstBytes[text.bytes[at] as number] === 1 && this.#mayBeginAt(text, at)) return at;
    }
    return text.length;
  }

  #mayBeginAt(text: KnownText, at: number): boolean {
    if (at + 1 >= text.length) return true;
    // Without a line break in these bytes a needle begins with exactly them.
    if (at + 4 <= text.length && !hasFold(text.bytes, at)) {
      const word = wordAt(text.bytes, at);
      if (!hasBit(this.#words, hashOf(word, WORD_BITS))) return false;
      return anyRunsOut(this.#byWord.get(word), text, at);
    }
    const first = text.bytes[at] as number;
    const second = skipFold(text, at + 1);
    if (second === text.length) return anyRunsOut(this.#byFirst.get(first), text, at);
    // Where a line is broken at a blank, the blank may have gone.
    return [text.bytes[second] as number, 0x20].some((byte) =>
      anyRunsOut(this.#byPair.get((first << 8) | byte), text, at)
    );
  }
}

function anyRunsOut(needles: readonly Needle[] | undefined, text: KnownText, at: number): boolean {
  return needles?.some((needle) => matchAt(needle, text, at) === RUNS_OUT) ?? false;
}

/** `holdFrom` for a few needles, one by one. */
function holdFromAny(needles: readonly Needle[], text: KnownText, from: number): number {
  let hold = text.length;
  for (const needle of needles) {
    // One more for the byte on the right that decides about a bounded needle.
    for (let at = Math.max(from, text.length - longestSpan(needle) - 1); at < hold; at++) {
      if (text.bytes[at] !== needle.bytes[0]) continue;
      if (matchAt(needle, text, at) === RUNS_OUT) hold = at;
    }
  }
  return hold;
}
