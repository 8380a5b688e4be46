/**
 * Says where in a text blocks of four or eight bytes may stand, looking at every `step`-th place: Bloom filters whose two
 * bits for a block lie in one word (Putze, Sanders and Singler, 2007). The WebAssembly module of `tools/scan_module.wat`
 * looks where it can be made.
 */
import { scanExports, scanMemory } from "./scan_memory.ts";

/** Words of a filter, as powers of two. It grows, because a small one stays in the first-level cache. */
const BITS = { first: 12, step: 2, most: 17 } as const;
/** Filters for one text. */
const FILTERS = 3;
/** The longest text, in bytes. */
export const MAX_TEXT = 17 * 1024;
/** Texts after which the module is made: that costs as much as looking at a few without it. */
const MODULE_AFTER = 16;

const FILTER_BYTES = 4 << BITS.most;
const TEXT_AT = FILTERS * FILTER_BYTES;
const PLACES_AT = TEXT_AT + MAX_TEXT;
const BYTES = PLACES_AT + 4 * MAX_TEXT;

/** Bytes of a block. */
export type BlockLength = 4 | 8;

/** Addresses, a step in bytes, and how far a hash is shifted for the number of its word; returns where the places end. */
type Sample = (
  at: number,
  end: number,
  step: number,
  filter: number,
  shift: number,
  places: number,
) => number;

/** Multiplicative hashing (Knuth): the upper bits depend on all bytes. */
export function blockHash(view: DataView, at: number, length: BlockLength): number {
  const hash = Math.imul(view.getInt32(at, true), 0x9e3779b1);
  return length === 4 ? hash : (hash + Math.imul(view.getInt32(at + 4, true), 0x85ebca6b)) | 0;
}

/** The bits of a block in its word. */
function bitsOf(hash: number): number {
  return (1 << (hash >>> 5)) | (1 << (hash >>> 10));
}

/** A text, and filters that are put over it. */
export class FilteredText {
  readonly #memory = scanMemory(BYTES);
  readonly #view = new DataView(this.#memory?.buffer ?? new ArrayBuffer(BYTES));
  readonly #text = new Uint8Array(this.#view.buffer, TEXT_AT, MAX_TEXT);
  readonly #places = new Int32Array(this.#view.buffer, PLACES_AT, MAX_TEXT);
  /** What looks without the module. */
  readonly #samples: Readonly<Record<BlockLength, Sample>> = {
    4: (...range) => this.#sample(4, range),
    8: (...range) => this.#sample(8, range),
  };
  #module: WebAssembly.Exports | null = null;
  #loads = 0;
  #filters = 0;

  /** Makes a filter for blocks of this length, of which every `step`-th is looked at; three at most. */
  filter(length: BlockLength, step: number): BlockFilter {
    const at = FILTER_BYTES * this.#filters++;
    const words = new Int32Array(this.#view.buffer, at, 1 << BITS.most);
    return new BlockFilter(words, (last, shift) => {
      const name = `sample${length}`;
      const sample = this.#module?.[name] as Sample | undefined ?? this.#samples[length];
      const end = sample(TEXT_AT, TEXT_AT + last + 1, step, at, shift, PLACES_AT);
      return this.#places.subarray(0, (end - PLACES_AT) >> 2);
    });
  }

  /** True when the module looks. */
  get isCompiled(): boolean {
    return this.#module !== null;
  }

  /** Copies at most MAX_TEXT bytes here. */
  load(bytes: Uint8Array): void {
    this.#text.set(bytes);
    if (++this.#loads === MODULE_AFTER && this.#memory !== null) {
      this.#module = scanExports(this.#memory);
    }
  }

  #sample(length: BlockLength, [at, end, step, filter, shift, places]: Parameters<Sample>): number {
    const view = this.#view;
    for (; at < end; at += step) {
      const hash = blockHash(view, at, length);
      const bits = bitsOf(hash);
      if ((view.getInt32(filter + ((hash >>> shift) << 2), true) & bits) !== bits) continue;
      view.setInt32(places, at - TEXT_AT, true);
      places += 4;
    }
    return places;
  }
}

/** Blocks of one length. */
export class BlockFilter {
  readonly #words: Int32Array;
  readonly #sample: (last: number, shift: number) => Int32Array;
  #bits: number = BITS.first;
  #entered = 0;

  /** Made by `FilteredText.filter`. */
  constructor(words: Int32Array, sample: (last: number, shift: number) => Int32Array) {
    this.#words = words;
    this.#sample = sample;
  }

  /** True when it lets more pass than a larger one would. */
  get isFull(): boolean {
    return this.#entered >= (1 << this.#bits) / 2 && this.#bits < BITS.most;
  }

  /** Becomes larger. @param hashes those of all blocks that were entered. */
  grow(hashes: Int32Array): void {
    this.#words.fill(0, 0, 1 << this.#bits);
    this.#bits = Math.min(this.#bits + BITS.step, BITS.most);
    this.#entered = 0;
    for (const hash of hashes) this.enter(hash);
  }

  /** Enters a block by its hash. */
  enter(hash: number): void {
    const word = hash >>> (32 - this.#bits);
    this.#words[word] = (this.#words[word] as number) | bitsOf(hash);
    this.#entered++;
  }

  /** Places up to `last` at which a block may stand, in order; valid until the next call. */
  sample(last: number): Int32Array {
    return this.#sample(last, 32 - this.#bits);
  }
}
