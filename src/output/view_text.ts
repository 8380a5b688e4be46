/**
 * Visible text by absolute position: what has arrived and is not yet emitted, with a short memory of what stood
 * before it. Rules read the stream only through this class, so that none of them can depend on where a chunk ended.
 */
import { isAlphanumeric, isHex } from "./ascii.ts";
import { VisibleView } from "./visible_view.ts";

/** Answer of `at` for a position before the stream or beyond its memory. */
export const BEFORE = -1;
/** Answer of `at` for a position that has not arrived yet. */
export const PENDING = -2;
/** Answer of `at` for a position behind the end of a finished stream. */
export const END = -3;

/** Visible bytes that are remembered after they were emitted; more than any rule looks back. */
const CONTEXT = 512;

const LATIN1_BLOCK = 8192;

// The label "latin1" means windows-1252 to the Encoding Standard: still one code unit for each byte, and equal to
// ASCII where rules look. Only lengths and ASCII characters of the text are ever used.
const latin1 = new TextDecoder("latin1");

/** Random access to the visible stream around the place where redaction works. */
export class ViewText {
  readonly view: VisibleView = new VisibleView();
  /** Absolute position of the first byte of the view. */
  base = 0;
  /** True when no more bytes will come. */
  final = false;
  #context: Uint8Array = new Uint8Array(0);
  #text = "";
  #textStart = 0;
  /** No newline stands in `[#lineFrom, #lineEnd)`. */
  #lineFrom = 0;
  #lineEnd = 0;

  /** Absolute position behind the last byte that has arrived. */
  get end(): number {
    return this.base + this.view.length;
  }

  /** The byte at an absolute position, or BEFORE, PENDING or END. */
  at(position: number): number {
    const index = position - this.base;
    if (index >= this.view.length) return this.final ? END : PENDING;
    if (index >= 0) return this.view.bytes[index] as number;
    const remembered = this.#context.length + index;
    return remembered >= 0 ? this.#context[remembered] as number : BEFORE;
  }

  /** Bytes of `[from, to)`, which must have arrived; a copy when a part of them is remembered only. */
  slice(from: number, to: number): Uint8Array {
    if (from >= this.base) return this.view.bytes.slice(from - this.base, to - this.base);
    const out = new Uint8Array(to - from);
    for (let i = 0; i < out.length; i++) out[i] = Math.max(0, this.at(from + i));
    return out;
  }

  /** How many bytes before `position` can still be read. */
  remembered(position: number): number {
    return position - this.base + this.#context.length;
  }

  /** One character for each byte of `[from, to)`, which must have arrived. */
  latin1(from: number, to: number): string {
    const offset = from - this.#textStart;
    if (offset >= 0 && to - this.#textStart <= this.#text.length) {
      return this.#text.slice(offset, to - this.#textStart);
    }
    const stop = Math.max(to, Math.min(this.end, from + LATIN1_BLOCK));
    this.#text = latin1.decode(
      from >= this.base
        ? this.view.bytes.subarray(from - this.base, stop - this.base)
        : this.slice(from, stop),
    );
    this.#textStart = from;
    return this.#text.slice(0, to - from);
  }

  /** Position of the first newline in `[from, limit)`, or -1; what was searched once is not searched again. */
  newline(from: number, limit: number): number {
    if (from < this.#lineFrom || from > this.#lineEnd) {
      this.#lineFrom = from;
      this.#lineEnd = from;
    }
    const stop = Math.min(limit, this.end);
    let position = this.#lineEnd;
    while (position < stop && this.at(position) !== 0x0a) position++;
    this.#lineEnd = Math.max(position, this.#lineEnd);
    return position < stop ? position : -1;
  }

  /**
   * End of the window that begins at `from`: the next newline, or `from + reach` in a longer line, or the end of
   * the stream. -1 while that cannot be known yet.
   */
  windowEnd(from: number, reach: number): number {
    const newline = this.newline(from, from + reach);
    if (newline >= 0) return newline;
    if (this.end >= from + reach) return from + reach;
    return this.final ? this.end : -1;
  }

  /** True when no letter or digit touches `position` on its left; a gap or an escape (`\n`, `%3D`) separates too. */
  boundaryBefore(position: number): boolean {
    if (position >= this.base && this.view.gapBefore(position - this.base)) return true;
    const left = this.at(position - 1);
    if (!isAlphanumeric(left)) return true;
    const second = this.at(position - 2);
    if (second === 0x5c) return "nrtbfv".includes(String.fromCharCode(left));
    return isHex(left) && isHex(second) && this.at(position - 3) === 0x25;
  }

  /** Forgets the view before `position`, except for the context. */
  advance(position: number): void {
    const from = Math.max(position - CONTEXT, this.base - this.#context.length);
    this.#context = this.slice(from, position);
    this.base = position;
  }
}
