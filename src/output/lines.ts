/**
 * The last bytes of one stream, counted in lines. Memory is bounded whatever comes: one ring, and the first bytes of
 * the few lines that are longer than a quarter of it.
 */
import { type CountedMemory, countedMemory } from "./counted_memory.ts";

/** A line of a stream. `number` counts from 1; `[start, end)` are offsets in the stream, without the newline. */
export interface LineRange {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  /** False for a last line without a newline. */
  readonly ended: boolean;
}

/** Bytes of a line as far as they are kept: `whole`, or the first and last ones of a long line. */
export type LineBytes =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  | {
    readonly kind: "long";
    readonly head: Uint8Array;
    readonly tail: Uint8Array;
    readonly length: number;
  };

/** Bytes that are kept of every stream; a power of two. */
export const RING_BYTES = 128 * 1024;
/** Most bytes that one `append` takes, so that a line that ends in them is still in the ring. */
export const MAX_APPEND = 32 * 1024;
/** A longer line is known by its first LINE_HEAD and its last LONG_LINE bytes only. */
export const LONG_LINE = 32 * 1024;
const LINE_HEAD = 4096;
const LINE_FEED = 0x0a;
/** Bytes after which the ring moves to memory in which newlines are counted faster; short outputs never need it. */
const COUNTED_AFTER = 1024 * 1024;

interface LongLine {
  readonly start: number;
  readonly end: number;
  readonly head: Uint8Array;
}

/** Ring, counters and line starts of one stream. */
export class LineBuffer {
  #ring: Uint8Array = new Uint8Array(RING_BYTES);
  /** What the ring lies in: null where there can be none, undefined before it is needed. */
  #counted: CountedMemory | null | undefined;
  #long: LongLine[] = [];
  #head: Uint8Array = new Uint8Array(0);
  #headOf = -1;
  /** Bytes so far. */
  offset = 0;
  /** Newline characters so far. */
  newlines = 0;
  /** Offset at which the line that is not complete yet begins. */
  lineStart = 0;

  /** Lines so far, a last one without newline included. */
  get lines(): number {
    return this.newlines + (this.offset > this.lineStart ? 1 : 0);
  }

  /** Offset of the oldest byte in the ring. */
  get ringStart(): number {
    return Math.max(0, this.offset - RING_BYTES);
  }

  /** Takes at most MAX_APPEND bytes. */
  append(bytes: Uint8Array): void {
    if (this.#counted === undefined && this.offset >= COUNTED_AFTER) this.#moveRing();
    const at = this.offset % RING_BYTES;
    const first = Math.min(bytes.length, RING_BYTES - at);
    this.#ring.set(first === bytes.length ? bytes : bytes.subarray(0, first), at);
    if (first < bytes.length) this.#ring.set(bytes.subarray(first), 0);
    const base = this.offset;
    this.offset += bytes.length;
    const newline = bytes.indexOf(LINE_FEED);
    if (newline >= 0) {
      // A line that begins in these bytes is not long: they are no more than a long line has.
      if (base + newline - this.lineStart >= LONG_LINE) {
        this.#noteLong(this.lineStart, base + newline);
      }
      this.lineStart = base + bytes.lastIndexOf(LINE_FEED) + 1;
      this.newlines += this.#counted
        ? this.#counted.count(at, at + first) + this.#counted.count(0, bytes.length - first)
        : countNewlines(bytes);
    }
    this.#keepHead();
  }

  #moveRing(): void {
    this.#counted = countedMemory(RING_BYTES);
    this.#counted?.bytes.set(this.#ring);
    this.#ring = this.#counted?.bytes ?? this.#ring;
  }

  #keepHead(): void {
    if (this.offset - this.lineStart < LINE_HEAD || this.#headOf === this.lineStart) return;
    this.#head = this.read(this.lineStart, this.lineStart + LINE_HEAD).slice();
    this.#headOf = this.lineStart;
  }

  #noteLong(start: number, end: number): void {
    const oldest = this.ringStart;
    this.#long = this.#long.filter((line) => line.end >= oldest);
    const head = this.#headOf === start ? this.#head : this.read(start, start + LINE_HEAD).slice();
    this.#long.push({ start, end, head });
  }

  /** Bytes of `[from, to)`, which must be in the ring; valid until the next `append`. */
  read(from: number, to: number): Uint8Array {
    const at = from % RING_BYTES;
    const length = to - from;
    if (at + length <= RING_BYTES) return this.#ring.subarray(at, at + length);
    const out = new Uint8Array(length);
    out.set(this.#ring.subarray(at));
    out.set(this.#ring.subarray(0, length - (RING_BYTES - at)), RING_BYTES - at);
    return out;
  }

  /** Offset of the first newline in `[from, offset)`, or -1. */
  newlineFrom(from: number): number {
    for (let at = from; at < this.offset;) {
      const index = at % RING_BYTES;
      const length = Math.min(RING_BYTES - index, this.offset - at);
      const found = this.#ring.subarray(index, index + length).indexOf(LINE_FEED);
      if (found >= 0) return at + found;
      at += length;
    }
    return -1;
  }

  /** Offset of the last newline in `[limit, before)`, or -1; both must be in the ring. */
  newlineBefore(before: number, limit: number): number {
    for (let at = before - 1; at >= limit; at--) {
      if (this.#ring[at % RING_BYTES] === LINE_FEED) return at;
    }
    return -1;
  }

  /** The line before `next`, or the last line when `next` is null; null when it has left the ring. */
  lineBefore(next: LineRange | null): LineRange | null {
    if (next === null && this.offset > this.lineStart) {
      return { number: this.newlines + 1, start: this.lineStart, end: this.offset, ended: false };
    }
    const end = (next === null ? this.offset : next.start) - 1;
    const number = next === null ? this.newlines : next.number - 1;
    if (number < 1 || end < this.ringStart) return null;
    const newline = this.newlineBefore(end, this.ringStart);
    if (newline >= 0) return { number, start: newline + 1, end, ended: true };
    if (number === 1) return { number, start: 0, end, ended: true };
    const long = this.#long.find((line) => line.end === end);
    return long ? { number, start: long.start, end, ended: true } : null;
  }

  /** What is kept of a line; null when a part that is needed has left the ring. */
  bytesOf(line: LineRange): LineBytes | null {
    const length = line.end - line.start;
    if (length <= LONG_LINE) {
      return line.start < this.ringStart
        ? null
        : { kind: "whole", bytes: this.read(line.start, line.end) };
    }
    if (line.end - LONG_LINE < this.ringStart) return null;
    const head = this.#headOf === line.start
      ? this.#head
      : this.#long.find((long) => long.start === line.start)?.head;
    if (head === undefined) return null;
    return { kind: "long", head, tail: this.read(line.end - LONG_LINE, line.end), length };
  }
}

/** Four newlines in one word. */
const NEWLINES = 0x0a0a0a0a;
/** All bits of every byte but the highest. */
const LOW_BITS = 0x7f7f7f7f;
/** Words after which the four counters of a block are full, each a byte. */
const BLOCK_WORDS = 255;

/** Number of newlines in bytes, four at a time (Warren, Hacker's Delight, "Find First 0-Byte"). */
export function countNewlines(bytes: Uint8Array): number {
  if (bytes.length < 8) return countSlowly(bytes);
  const skew = -bytes.byteOffset & 3;
  const count = (bytes.length - skew) >> 2;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + skew, count);
  let total = countSlowly(bytes.subarray(0, skew)) + countSlowly(bytes.subarray(skew + 4 * count));
  for (let from = 0; from < count; from += BLOCK_WORDS) {
    const to = Math.min(count, from + BLOCK_WORDS);
    let sums = 0;
    for (let i = from; i < to; i++) {
      const word = (words[i] as number) ^ NEWLINES;
      const low = ((word & LOW_BITS) + LOW_BITS) | 0;
      sums = (sums + (~(low | word | LOW_BITS) >>> 7)) | 0;
    }
    total += (sums & 0xff) + ((sums >>> 8) & 0xff) + ((sums >>> 16) & 0xff) + (sums >>> 24);
  }
  return total;
}

function countSlowly(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === LINE_FEED) count++;
  return count;
}
