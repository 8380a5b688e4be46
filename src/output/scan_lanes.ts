/**
 * Walks the table of a keyword automaton over bytes. One walk waits for memory at every byte, because each lookup needs
 * the state that the one before it gave; four walks over four parts of a long buffer wait at the same time.
 */

/** Set in a table entry that leads to an accepting state. */
export const ACCEPT = 0x8000;
/** The table entry for a byte at which a scan of raw bytes stops. */
export const SPECIAL = 0xffff;

/** A dense automaton: `next[(state << shift) | classes[byte]]`. */
export interface ScanTable {
  readonly next: Uint16Array;
  readonly classes: Uint8Array;
  readonly shift: number;
  /** Length of the longest keyword: a state depends on no more bytes than that. */
  readonly depth: number;
}

/** Receives accepting states during a scan, in the order of their positions. */
export interface HitSink {
  /** `index` is the position of the last byte of the keywords of `state`. */
  hit(index: number, state: number): void;
}

/** Where a scan begins and ended: `index` is the end, or the position of a byte that was marked as special. */
export interface ScanEnd {
  index: number;
  state: number;
}

/** What to scan, and who hears of hits. */
export interface ScanRange {
  readonly from: number;
  readonly to: number;
  readonly end: ScanEnd;
  readonly sink: HitSink;
}

/** Shorter ranges are not worth the preparation, in bytes. */
const MIN_LANES = 4096;

/** Scans `bytes[from, to)` from the state in `end`, and leaves there where and how it ended. */
export function scanBytes(table: ScanTable, bytes: Uint8Array, range: ScanRange): void {
  const { from, to } = range;
  if (to - from < Math.max(MIN_LANES, 4 * table.depth)) scanSerial(table, bytes, range);
  else scanLanes(table, bytes, range);
}

function scanSerial(table: ScanTable, bytes: Uint8Array, range: ScanRange): void {
  const { next, classes, shift } = table;
  const { from, to, end, sink } = range;
  let state = end.state;
  let i = from;
  for (; i < to; i++) {
    const target = next[(state << shift) | (classes[bytes[i] as number] as number)] as number;
    if (target < ACCEPT) {
      state = target;
      continue;
    }
    if (target === SPECIAL) break;
    state = target & ~ACCEPT;
    sink.hit(i, state);
  }
  end.index = i;
  end.state = state;
}

/** The state before `at`, worked out from the bytes that it can depend on. */
function stateBefore(table: ScanTable, bytes: Uint8Array, at: number): number {
  const { next, classes, shift, depth } = table;
  let state = 0;
  for (let i = at - depth; i < at; i++) {
    const target = next[(state << shift) | (classes[bytes[i] as number] as number)] as number;
    // Behind a special byte nothing counts: the scan stops there, in the lane before this one.
    state = target === SPECIAL ? 0 : target & ~ACCEPT;
  }
  return state;
}

/** Where four lanes stand: the states before their bytes `at`. */
interface Lanes {
  readonly parts: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  readonly states: Int32Array;
  at: number;
  /** Five numbers for each place with an accepting state: the place in its lane, and the table entries of all lanes. */
  readonly found: number[];
}

/** Walks all lanes up to `length`, or to the first special byte in any of them. */
function walk(table: ScanTable, lanes: Lanes): void {
  const { next, classes, shift } = table;
  const { states, found } = lanes;
  const [a, b, c, d] = lanes.parts;
  let p = states[0] as number;
  let q = states[1] as number;
  let r = states[2] as number;
  let s = states[3] as number;
  const length = a.length;
  let i = 0;
  for (; i < length; i++) {
    const toP = next[(p << shift) | (classes[a[i] as number] as number)] as number;
    const toQ = next[(q << shift) | (classes[b[i] as number] as number)] as number;
    const toR = next[(r << shift) | (classes[c[i] as number] as number)] as number;
    const toS = next[(s << shift) | (classes[d[i] as number] as number)] as number;
    if ((toP | toQ | toR | toS) < ACCEPT) {
      p = toP;
      q = toQ;
      r = toR;
      s = toS;
      continue;
    }
    if (toP === SPECIAL || toQ === SPECIAL || toR === SPECIAL || toS === SPECIAL) break;
    found.push(i, toP, toQ, toR, toS);
    p = toP & ~ACCEPT;
    q = toQ & ~ACCEPT;
    r = toR & ~ACCEPT;
    s = toS & ~ACCEPT;
  }
  states[0] = p;
  states[1] = q;
  states[2] = r;
  states[3] = s;
  lanes.at = i;
}

function scanLanes(table: ScanTable, bytes: Uint8Array, range: ScanRange): void {
  const { from, to, end, sink } = range;
  const length = (to - from) >> 2;
  const starts = [from, from + length, from + 2 * length, from + 3 * length] as const;
  const states = Int32Array.from(
    starts,
    (start) => start === from ? end.state : stateBefore(table, bytes, start),
  );
  const part = (start: number) => bytes.subarray(start, start + length);
  const [a, b, c, d] = starts;
  const lanes: Lanes = {
    parts: [part(a), part(b), part(c), part(d)],
    states,
    at: 0,
    found: [],
  };
  walk(table, lanes);
  // Each lane to its own end, in order: what a special byte stopped counts only up to there.
  for (const [lane, start] of starts.entries()) {
    for (let i = 0; i < lanes.found.length; i += 5) {
      const target = lanes.found[i + 1 + lane] as number;
      if (target >= ACCEPT) sink.hit(start + (lanes.found[i] as number), target & ~ACCEPT);
    }
    end.state = states[lane] as number;
    const stop = starts[lane + 1] ?? to;
    scanSerial(table, bytes, { from: start + lanes.at, to: stop, end, sink });
    if (end.index < stop) return;
  }
}
