/**
 * A dense Aho-Corasick automaton over case-folded keywords (Aho and Corasick, 1975): one table lookup per byte,
 * whatever the number of keywords. Bytes are first mapped to classes, so that a row of the table has 64 entries
 * or fewer and the rows in use stay in the first-level cache.
 */
import { ACCEPT, type HitSink, scanBytes, type ScanEnd, SPECIAL } from "./scan_lanes.ts";
import { MIN_VECTOR, VectorScan } from "./vector_scan.ts";

export type { HitSink, ScanEnd } from "./scan_lanes.ts";

/** Bytes after which an automaton is worth an instance of the module; short outputs never need one. */
const VECTOR_AFTER = 256 * 1024;

/** Share of bytes with a window above which the table is faster: source text has one or two in a hundred. */
const DENSE = 1 / 40;
/** Scans by the table until a module that found dense text is tried again. */
const PAUSE = 8;

/** One keyword of the automaton. */
export interface Keyword {
  /** Lower-case ASCII. */
  readonly text: string;
  /** True when a byte of the keyword itself may have to be hidden, so that a partial keyword is held back. */
  readonly hold: boolean;
}

/** The trie from which the automaton is built; edges of a state are chained through `sibling`. */
interface Trie {
  readonly firstChild: Uint16Array;
  readonly sibling: Uint16Array;
  /** Byte class of the edge that leads to a state. */
  readonly edge: Uint8Array;
  readonly depth: Uint8Array;
  /** 1 where a state is a proper prefix of a keyword with `hold`. */
  readonly holds: Uint8Array;
  readonly ends: Map<number, readonly number[]>;
  size: number;
}

function newTrie(states: number): Trie {
  return {
    firstChild: new Uint16Array(states),
    sibling: new Uint16Array(states),
    edge: new Uint8Array(states),
    depth: new Uint8Array(states),
    holds: new Uint8Array(states),
    ends: new Map(),
    size: 1,
  };
}

function childOf(trie: Trie, state: number, edge: number): number {
  let child = trie.firstChild[state] as number;
  while (child !== 0 && trie.edge[child] !== edge) child = trie.sibling[child] as number;
  if (child !== 0) return child;
  child = trie.size++;
  trie.edge[child] = edge;
  trie.depth[child] = (trie.depth[state] as number) + 1;
  trie.sibling[child] = trie.firstChild[state] as number;
  trie.firstChild[state] = child;
  return child;
}

function insert(trie: Trie, keyword: Keyword, options: { id: number; classes: Uint8Array }): void {
  let state = 0;
  for (let i = 0; i < keyword.text.length; i++) {
    if (keyword.hold && i > 0) trie.holds[state] = 1;
    state = childOf(trie, state, options.classes[keyword.text.charCodeAt(i)] as number);
  }
  trie.ends.set(state, [...(trie.ends.get(state) ?? []), options.id]);
}

/**
 * Fills the table in breadth-first order: a row is its failure state's row, which is complete by then, with the
 * state's own edges on top. Returns the table and how many bytes of each state are held back.
 */
function complete(trie: Trie, shift: number): { next: Uint16Array; hold: Uint8Array } {
  const { size, ends, depth, holds } = trie;
  const next = new Uint16Array(size << shift);
  const hold = new Uint8Array(size);
  const fail = new Uint16Array(size);
  const queue = new Uint16Array(size);
  let filled = 1;
  for (let head = 0; head < filled; head++) {
    const state = queue[head] as number;
    const back = fail[state] as number;
    const row = state << shift;
    if (state !== 0) next.copyWithin(row, back << shift, (back + 1) << shift);
    hold[state] = holds[state] === 1 ? depth[state] as number : hold[back] as number;
    for (
      let child = trie.firstChild[state] as number;
      child !== 0;
      child = trie.sibling[child] as number
    ) {
      const at = row + (trie.edge[child] as number);
      fail[child] = (next[at] as number) & ~ACCEPT;
      const inherited = ends.get(fail[child] as number);
      if (inherited !== undefined) ends.set(child, [...(ends.get(child) ?? []), ...inherited]);
      next[at] = ends.has(child) ? child | ACCEPT : child;
      queue[filled++] = child;
    }
  }
  return { next, hold };
}

/** Finds every occurrence of every keyword in one pass over bytes. */
export class KeywordAutomaton {
  readonly #classes = new Uint8Array(256);
  readonly #rawClasses: Uint8Array;
  readonly #next: Uint16Array;
  readonly #shift: number;
  readonly #depth: number;
  readonly #outputs: ReadonlyMap<number, readonly number[]>;
  readonly #hold: Uint8Array;
  readonly #special: readonly number[];
  readonly #depths: Uint8Array;
  readonly #texts: readonly string[];
  #scanned = 0;
  /** Null where there can be none; undefined before it is needed. */
  #vector: VectorScan | null | undefined;
  readonly #dense: number;
  #pause = 0;

  /**
   * @param keywords Their index is the id that `outputs` returns.
   * @param special Byte values below 128 at which a scan of raw bytes stops.
   * @param options `dense` is the share of bytes with a window above which scans pause in which the module does the work.
   * @throws {RangeError} When the keywords need more than 32,767 states or a class more than a byte can number.
   */
  constructor(
    keywords: readonly Keyword[],
    special: readonly number[] = [],
    { dense = DENSE }: { readonly dense?: number } = {},
  ) {
    this.#dense = dense;
    const classCount = this.#assignClasses(keywords);
    this.#shift = Math.ceil(Math.log2(classCount + 1));
    this.#rawClasses = this.#classes.slice();
    for (const byte of special) this.#rawClasses[byte] = classCount;

    const most = keywords.reduce((sum, { text }) => sum + text.length, 1);
    if (most >= ACCEPT) throw new RangeError(`Cannot build the automaton: ${most} states`);
    this.#depth = keywords.reduce((depth, { text }) => Math.max(depth, text.length), 0);
    const trie = newTrie(most);
    keywords.forEach((keyword, id) => insert(trie, keyword, { id, classes: this.#classes }));
    const { next, hold } = complete(trie, this.#shift);
    for (let state = 0; state < trie.size; state++) {
      next[(state << this.#shift) + classCount] = SPECIAL;
    }
    this.#next = next;
    this.#hold = hold;
    this.#outputs = trie.ends;
    this.#special = special;
    this.#depths = trie.depth.subarray(0, trie.size);
    this.#texts = keywords.map(({ text }) => text);
  }

  #assignClasses(keywords: readonly Keyword[]): number {
    const bytes = new Set<number>();
    for (const { text } of keywords) {
      for (let i = 0; i < text.length; i++) bytes.add(text.charCodeAt(i));
    }
    let count = 1;
    for (const byte of bytes) this.#classes[byte] = count++;
    for (let byte = 0x41; byte <= 0x5a; byte++) {
      this.#classes[byte] = this.#classes[byte + 32] as number;
    }
    if (count > 255) throw new RangeError(`Cannot build the automaton: ${count} byte classes`);
    return count;
  }

  /** Keyword ids that end in an accepting state; a state's list includes keywords that are suffixes of others. */
  outputs(state: number): readonly number[] {
    return this.#outputs.get(state) ?? [];
  }

  /** How many of the last bytes may be the beginning of a keyword that must be held back. */
  holdDepth(state: number): number {
    return this.#hold[state] as number;
  }

  /**
   * Scans `bytes[from, to)` and leaves the end position and state in `end` (whose state is the start state).
   * With `raw` the scan stops before a special byte; without it special bytes are ordinary ones.
   */
  scan(
    bytes: Uint8Array,
    range: { from: number; to: number; raw: boolean; end: ScanEnd; sink: HitSink },
  ): void {
    const length = range.to - range.from;
    this.#scanned += length;
    const vector = length < MIN_VECTOR ? null : this.#vectorScan();
    if (vector !== null && this.#pause === 0) {
      const windows = vector.scan(bytes, range, range.raw);
      if (windows > length * this.#dense) this.#pause = PAUSE;
      return;
    }
    if (vector !== null) this.#pause--;
    const classes = range.raw ? this.#rawClasses : this.#classes;
    const table = { next: this.#next, classes, shift: this.#shift, depth: this.#depth };
    scanBytes(table, bytes, range);
  }

  /** True when the module does the work. */
  get isVectorized(): boolean {
    return this.#vector instanceof VectorScan;
  }

  #vectorScan(): VectorScan | null {
    if (this.#vector !== undefined) return this.#vector;
    if (this.#scanned < VECTOR_AFTER) return null;
    this.#vector = VectorScan.make({
      next: this.#next,
      classes: this.#classes,
      shift: this.#shift,
      depth: this.#depth,
      depths: this.#depths,
      keywords: this.#texts,
      special: this.#special,
    });
    return this.#vector;
  }
}
