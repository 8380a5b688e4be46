/**
 * Finds many needles by sampling: of every needle a window of `width` bytes is chosen, and all blocks of `block` bytes
 * in it are entered into a table. Whatever stands in the text, one of every `width - block + 1` positions then begins
 * such a block, so only those are looked at (sampled q-grams, as in Karp and Rabin, 1987, and Salmela et al., 2006). A
 * filter answers for nearly all of them. Adding a needle costs a few insertions, however many there are.
 *
 *   needle   T h i s I s [ a W i n d o w ] O f B y t e s
 *   blocks                 aWin iWind Windo ...             each with its place in the needle
 *   text     . . . . ^ . . . . ^ . . . . ^ . . . . ^ . .    one look for each `step`
 */
import {
  type BlockFilter,
  blockHash,
  type BlockLength,
  type FilteredText,
} from "./block_filter.ts";
import {
  type Candidate,
  isFoldByte,
  type KnownText,
  MAX_CHAIN,
  MAX_FOLD,
  type Needle,
} from "./needle.ts";

/** Places of the first window in a needle: what issuers put before a token stands before the last of them. */
const PLACES = [0, 8, 16, 24] as const;

/** Buckets of the table, as a power of two: at most four entries to each when a session knows all that it may. */
const BUCKET_BITS = 16;

/** Blocks of needles by their hash: a table with chains in typed arrays, which are cheap to enter into. */
class BlockTable {
  readonly filter: BlockFilter;
  /** Number of the first entry of a bucket, 0 for none. */
  readonly heads = new Int32Array(1 << BUCKET_BITS);
  hashes = new Int32Array(1024);
  nexts = new Int32Array(1024);
  /** Places of the blocks in their needles. */
  offsets = new Uint16Array(1024);
  readonly needles: Needle[] = [];
  #size = 1;

  constructor(filter: BlockFilter) {
    this.filter = filter;
  }

  /** How many entries have this hash. */
  chain(hash: number): number {
    let count = 0;
    let entry = this.heads[hash >>> (32 - BUCKET_BITS)] as number;
    for (; entry !== 0; entry = this.nexts[entry] as number) {
      if (this.hashes[entry] === hash) count++;
    }
    return count;
  }

  add(hash: number, needle: Needle, offset: number): void {
    const at = this.#size++;
    if (at >= this.hashes.length) this.#grow();
    const bucket = hash >>> (32 - BUCKET_BITS);
    this.hashes[at] = hash;
    this.offsets[at] = offset;
    this.nexts[at] = this.heads[bucket] as number;
    this.heads[bucket] = at;
    this.needles[at] = needle;
    if (this.filter.isFull) this.filter.grow(this.hashes.subarray(1, at));
    this.filter.enter(hash);
  }

  #grow(): void {
    const length = 2 * this.hashes.length;
    const grown = <T extends { set(from: T): void }>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.hashes = grown(new Int32Array(length), this.hashes);
    this.nexts = grown(new Int32Array(length), this.nexts);
    this.offsets = grown(new Uint16Array(length), this.offsets);
  }
}

/** Needles of at least `width` bytes. */
export class NeedleIndex {
  readonly #width: number;
  readonly #block: BlockLength;
  readonly #step: number;
  #table: BlockTable | null = null;
  /** Bytes from the beginning of a needle to the end of its last window, folds included. */
  #reach = 0;

  /** Makes no table before there is a needle. */
  constructor(width: number, block: BlockLength) {
    this.#width = width;
    this.#block = block;
    this.#step = width - block + 1;
  }

  /** Enters a needle that is to be found in a text; false when too many share its blocks. */
  insert(needle: Needle, searched: FilteredText): boolean {
    const table = this.#table ??= new BlockTable(searched.filter(this.#block, this.#step));
    // A line break inside a window would hide a folded needle: a second one lies beside the first.
    let windows = needle.folds && needle.bytes.length >= 2 * this.#width ? 2 : 1;
    let best = this.#best(table, needle, windows);
    if (best.chain >= MAX_CHAIN && windows === 2) best = this.#best(table, needle, windows = 1);
    if (best.chain >= MAX_CHAIN) return false;
    for (let count = 0; count < windows; count++) {
      this.#insertAt(table, needle, best.place + count * this.#width);
    }
    return true;
  }

  /** Where so many windows side by side share their blocks with the fewest other needles. */
  #best(table: BlockTable, needle: Needle, windows: number): { place: number; chain: number } {
    const view = viewOf(needle.bytes);
    const last = needle.bytes.length - windows * this.#width;
    let best = { place: 0, chain: Infinity };
    for (const place of PLACES) {
      if (place > last || best.chain === 0) break;
      let chain = 0;
      for (let count = 0; count < windows; count++) {
        chain = Math.max(chain, this.#chainAt(table, view, place + count * this.#width));
      }
      if (chain < best.chain) best = { place, chain };
    }
    return best;
  }

  #chainAt(table: BlockTable, view: DataView, place: number): number {
    let chain = 0;
    for (let at = place; at < place + this.#step; at++) {
      chain = Math.max(chain, table.chain(blockHash(view, at, this.#block)));
    }
    return chain;
  }

  #insertAt(table: BlockTable, needle: Needle, place: number): void {
    const view = viewOf(needle.bytes);
    for (let offset = place; offset < place + this.#step; offset++) {
      table.add(blockHash(view, offset, this.#block), needle, offset);
    }
    const reach = place + this.#width;
    this.#reach = Math.max(this.#reach, needle.folds ? 2 * reach + MAX_FOLD : reach);
  }

  /** Bytes behind the place where a needle begins that are needed to find it. */
  get reach(): number {
    return this.#reach;
  }

  /**
   * Reports every place in `[from, to)` at which a needle may begin, in no order and some of them twice. What stands
   * there, and `reach` bytes more as far as there are, must be loaded.
   */
  scan(text: KnownText, range: { from: number; to: number }, report: Candidate): void {
    if (this.#table === null) return;
    const { filter, heads, nexts, hashes, offsets, needles } = this.#table;
    const view = viewOf(text.bytes);
    const last = Math.min(text.length, range.to + this.#reach) - this.#block - range.from;
    for (const place of filter.sample(last)) {
      const at = range.from + place;
      const hash = blockHash(view, at, this.#block);
      let entry = heads[hash >>> (32 - BUCKET_BITS)] as number;
      for (; entry !== 0; entry = nexts[entry] as number) {
        if (hashes[entry] !== hash) continue;
        const needle = needles[entry] as Needle;
        const start = startOf(needle, text, { at, offset: offsets[entry] as number });
        if (start >= range.from && start < range.to) report(needle, start);
      }
    }
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** First byte of the fold that ends at `at`, or -1 when none does. */
function foldBefore(text: KnownText, at: number): number {
  let start = at;
  let isFold = false;
  for (; start >= 0 && at - start < MAX_FOLD && isFoldByte(text.bytes[start]); start--) {
    isFold ||= text.bytes[start] === 0x0a || text.bytes[start] === 0x0d;
  }
  return isFold ? start + 1 : -1;
}

/** Where a needle begins of which the block at `offset` stands at `at`. */
function startOf(
  needle: Needle,
  text: KnownText,
  { at, offset }: { at: number; offset: number },
): number {
  if (!needle.folds) return at - offset;
  let start = at;
  for (let i = offset - 1; i >= 0; i--) {
    start--;
    const fold = foldBefore(text, start);
    // A blank of the needle may have become a part of the fold.
    if (fold >= 0) start = isFoldByte(needle.bytes[i]) ? fold : fold - 1;
  }
  return start;
}
