/**
 * Scans bytes for keywords with the WebAssembly module of `tools/scan_module.wat`, many times as fast as one table lookup
 * for every byte. `scanBytes` says what the result is; where the module cannot be made, `scanBytes` does the work.
 */
import { keywordWindows, PROBE_BITS, WINDOW_BITS } from "./keyword_windows.ts";
import type { ScanRange, ScanTable } from "./scan_lanes.ts";
import { scanExports, scanMemory } from "./scan_memory.ts";

/** Bytes that are scanned at once: they and what is found in them stay in the second-level cache. */
const BLOCK = 64 * 1024;
/** Shorter ranges are not worth the copy, in bytes. */
export const MIN_VECTOR = 1024;
/** A vector may be read from the last byte on. */
const PADDING = 64;

// The layout that `tools/scan_module.wat` knows.
const SPECIAL_AT = 64;
const MASKS_AT = 96;
const CLASSES_AT = 512;
const BITMAP_AT = 1024;
const PROBES_AT = BITMAP_AT + (1 << (WINDOW_BITS - 3));
const TABLES_AT = PROBES_AT + (1 << (PROBE_BITS - 3));
/** Numbers of the header, by index. */
const HEADER = {
  next: 0,
  depths: 1,
  shift: 2,
  longest: 3,
  reach: 4,
  text: 5,
  hits: 6,
  places: 9,
} as const;
const [HIT_COUNT, END_STATE, WINDOW_COUNT] = [7, 8, 10];

/** What a module is made from. */
export interface VectorTable extends ScanTable {
  readonly keywords: readonly string[];
  /** Length of the prefix that each state stands for. */
  readonly depths: Uint8Array;
  /** Byte values below 128 at which a scan of raw bytes stops. */
  readonly special: readonly number[];
}

type Scan = (length: number, state: number, raw: number) => number;

/** One instance of the module with its tables. */
export class VectorScan {
  readonly #scan: Scan;
  readonly #header: Uint32Array;
  readonly #text: Uint8Array;
  readonly #hits: Uint32Array;

  private constructor(memory: WebAssembly.Memory, scan: Scan) {
    this.#scan = scan;
    this.#header = new Uint32Array(memory.buffer, 0, 16);
    const at = (name: keyof typeof HEADER) => this.#header[HEADER[name]] as number;
    this.#text = new Uint8Array(memory.buffer, at("text"), BLOCK);
    this.#hits = new Uint32Array(memory.buffer, at("hits"), 2 * BLOCK);
  }

  /** Makes an instance; null where the keywords or this machine allow none. */
  static make(table: VectorTable): VectorScan | null {
    const windows = keywordWindows(table.keywords);
    const nibbles = new Set(table.special.map((byte) => byte & 15));
    if (windows === null || table.depth >= MIN_VECTOR / 2) return null;
    if (nibbles.size < table.special.length) return null;
    const depthsAt = TABLES_AT;
    const nextAt = align(depthsAt + table.depths.length);
    const textAt = align(nextAt + table.next.byteLength);
    const hitsAt = align(textAt + BLOCK + PADDING);
    const placesAt = align(hitsAt + 8 * BLOCK);
    const memory = scanMemory(placesAt + 4 * (BLOCK + PADDING));
    const exports = memory && scanExports(memory);
    if (memory === null || exports === null) return null;
    const bytes = new Uint8Array(memory.buffer);
    const header = new Uint32Array(memory.buffer, 0, 16);
    header[HEADER.next] = nextAt;
    header[HEADER.depths] = depthsAt;
    header[HEADER.shift] = table.shift;
    header[HEADER.longest] = table.depth;
    header[HEADER.reach] = windows.reach;
    header[HEADER.text] = textAt;
    header[HEADER.hits] = hitsAt;
    header[HEADER.places] = placesAt;
    bytes.set(specialNibbles(table.special), SPECIAL_AT);
    bytes.set(windows.masks, MASKS_AT);
    bytes.set(table.classes, CLASSES_AT);
    bytes.set(windows.bitmap, BITMAP_AT);
    bytes.set(windows.probes, PROBES_AT);
    bytes.set(table.depths, depthsAt);
    new Uint16Array(memory.buffer, nextAt, table.next.length).set(table.next);
    return new VectorScan(memory, exports.scan as Scan);
  }

  /**
   * Does what `scanBytes` does; a hit's state may be another one for which the same keywords end. Returns the number of
   * windows, each of which cost a run of the automaton.
   */
  scan(bytes: Uint8Array, { from, to, end, sink }: ScanRange, raw: boolean): number {
    let windows = 0;
    for (let at = from; at < to;) {
      const length = Math.min(BLOCK, to - at);
      this.#text.set(bytes.subarray(at, at + length));
      const scanned = this.#scan(length, end.state, raw ? 1 : 0);
      const hits = this.#header[HIT_COUNT] as number;
      for (let i = 0; i < 2 * hits; i += 2) {
        sink.hit(at + (this.#hits[i] as number), this.#hits[i + 1] as number);
      }
      end.state = this.#header[END_STATE] as number;
      windows += this.#header[WINDOW_COUNT] as number;
      at += scanned;
      end.index = at;
      if (scanned < length) break;
    }
    return windows;
  }
}

function align(address: number): number {
  return Math.ceil(address / 64) * 64;
}

/** For each low nibble the special byte that has it; a byte that has another where there is none. */
function specialNibbles(special: readonly number[]): Uint8Array {
  const table = Uint8Array.from({ length: 16 }, (_, nibble) => nibble ^ 1);
  for (const byte of special) table[byte & 15] = byte;
  return table;
}
