/**
 * Finds many needles by sampling: of every needle a window of `width` bytes is chosen, and all blocks of `block` bytes
 * in it are entered into a table. Whatever stands in the text, one of every `width - block + 1` positions then begins
 * such a block, so only those are looked at (sampled q-grams, as in Karp and Rabin, 1987, and Salmela et al., 2006). A
 * bitmap answers for nearly all of them. Adding a needle costs a few insertions, however many there are.
 *
 *   needle   T h i s I s [ a W i n d o w ] O f B y t e s
 *   blocks                 aWin iWind Windo ...             each with its place in the needle
 *   text     . . . . ^ . . . . ^ . . . . ^ . . . . ^ . .    one look for each `step`
 */
import { isFoldByte, type KnownText, MAX_FOLD, type Needle } from "./needle.ts";

/** Bits of the bitmap, as a power of two: 256 KiB, a third of a core's second-level cache. */
const BITMAP_BITS = 21;
/** Needles that share a block; more would make one block of a text a long list of comparisons. */
const MAX_CHAIN = 48;
/** Places of the first window in a needle: what issuers put before a token stands before the last of them. */
const PLACES = [0, 8, 16, 24] as const;

interface Entry {
  readonly needle: Needle;
  /** Place of the block in the needle. */
  readonly offset: number;
  readonly next: Entry | null;
  readonly chain: number;
}

/** Receives a needle and where it may begin. */
export type Candidate = (needle: Needle, start: number) => void;

/** Needles of at least `width` bytes. */
export class NeedleIndex {
  readonly #width: number;
  readonly #block: number;
  readonly #step: number;
  #bitmap: Uint8Array | null = null;
  readonly #entries = new Map<number, Entry>();
  /** Bytes from the beginning of a needle to the end of its last window, folds included. */
  #reach = 0;

  /** `block` is 4 or 8. */
  constructor(width: number, block: 4 | 8) {
    this.#width = width;
    this.#block = block;
    this.#step = width - block + 1;
  }

  /** Enters a needle; false when too many share its blocks. */
  insert(needle: Needle): boolean {
    const { length } = needle.bytes;
    const last = length - this.#width;
    let best = { place: 0, chain: Infinity };
    for (const place of PLACES) {
      if (place > last || best.chain === 0) break;
      const chain = this.#chainAt(needle.bytes, place);
      if (chain < best.chain) best = { place, chain };
    }
    if (best.chain >= MAX_CHAIN) return false;
    this.#insertAt(needle, best.place);
    // A line break inside the window would hide a folded needle: a second window lies beside the first.
    const second = best.place + this.#width <= last ? best.place + this.#width : last;
    if (needle.folds && second !== best.place) this.#insertAt(needle, second);
    return true;
  }

  #chainAt(bytes: Uint8Array, place: number): number {
    let chain = 0;
    const view = viewOf(bytes);
    for (let at = place; at < place + this.#step; at++) {
      chain = Math.max(chain, this.#entries.get(this.#hash(view, at))?.chain ?? 0);
    }
    return chain;
  }

  #insertAt(needle: Needle, place: number): void {
    this.#bitmap ??= new Uint8Array(1 << (BITMAP_BITS - 3));
    const view = viewOf(needle.bytes);
    for (let offset = place; offset < place + this.#step; offset++) {
      const hash = this.#hash(view, offset);
      const next = this.#entries.get(hash) ?? null;
      this.#entries.set(hash, { needle, offset, next, chain: 1 + (next?.chain ?? 0) });
      const bit = hash >>> (32 - BITMAP_BITS);
      this.#bitmap[bit >>> 3] = (this.#bitmap[bit >>> 3] as number) | (1 << (bit & 7));
    }
    const reach = place + this.#width;
    this.#reach = Math.max(this.#reach, needle.folds ? 2 * reach + MAX_FOLD : reach);
  }

  /** Multiplicative hashing (Knuth): the upper bits depend on all bytes. */
  #hash(view: DataView, at: number): number {
    const low = Math.imul(view.getInt32(at, true), 0x9e3779b1);
    if (this.#block === 4) return low >>> 0;
    return (Math.imul(low ^ (low >>> 15), 0x85ebca6b) ^
      Math.imul(view.getInt32(at + 4, true), 0xc2b2ae35)) >>> 0;
  }

  /** Reports every place in `[from, to)` at which a needle may begin, in no order and some of them twice. */
  scan(text: KnownText, range: { from: number; to: number }, report: Candidate): void {
    const bitmap = this.#bitmap;
    if (bitmap === null) return;
    const view = viewOf(text.bytes);
    const end = Math.min(text.length - this.#block, range.to + this.#reach - this.#block);
    const step = this.#step;
    for (let at = range.from; at <= end; at += step) {
      const hash = this.#hash(view, at);
      const bit = hash >>> (32 - BITMAP_BITS);
      if (((bitmap[bit >>> 3] as number) & (1 << (bit & 7))) === 0) continue;
      let entry = this.#entries.get(hash) ?? null;
      for (; entry !== null; entry = entry.next) {
        const start = startOf(entry, text, at);
        if (start >= range.from && start < range.to) report(entry.needle, start);
      }
    }
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Where a needle begins of which a block stands at `at`. */
function startOf({ needle, offset }: Entry, text: KnownText, at: number): number {
  if (!needle.folds) return at - offset;
  let start = at;
  for (let left = offset; left > 0; left--) {
    start--;
    while (start >= 0 && isFoldByte(text.bytes[start])) start--;
  }
  return start;
}
