/** Where keywords are looked for: `tools/choose_windows.ts` chooses, this file makes the tables and checks them. */
import { SCAN_MASKS, SCAN_REACH, SCAN_WINDOWS } from "./scan_module.ts";

/** Bytes of a window, a part of a keyword by which it is found; a shorter keyword leaves the rest open. */
export const WINDOW = 3;
/** Set in every byte of text and windows: letters lose their case, nothing else becomes a letter. */
export const FOLD = 0x20;
/** Stands in a window for any byte. */
export const OPEN = 0xff;
/** Bits of a hash: the bitmap stays in the first-level cache. */
const HASH_BITS = 16;

/** Tables that find at least every place at which a keyword stands. */
export interface KeywordWindows {
  /** Longest way from the beginning of a keyword to its window. */
  readonly reach: number;
  /** For each half of the buckets and each byte of the window: buckets by low nibble, then by high nibble. */
  readonly masks: Uint8Array;
  /** A bit for every hash that a window has. */
  readonly bitmap: Uint8Array;
}

/** Multiplicative hashing (Knuth), as `tools/scan_module.wat` has it. */
function hashOf(a: number, b: number, c: number): number {
  return Math.imul(a | (b << 8) | (c << 16), 0x9e3779b1) >>> (32 - HASH_BITS);
}

/** The folded bytes that a byte of a window stands for. */
function meanings(byte: number): number[] {
  if (byte !== OPEN) return [byte];
  return Array.from({ length: 256 }, (_, any) => any).filter((any) => (any & FOLD) !== 0);
}

function* meaningsOf(window: Uint8Array): Generator<[number, number, number]> {
  const [first = [], second = [], third = []] = Array.from(window, meanings);
  for (const a of first) for (const b of second) for (const c of third) yield [a, b, c];
}

function passes({ masks, bitmap }: KeywordWindows, window: Uint8Array): boolean {
  for (const bytes of meaningsOf(window)) {
    let [low, high] = [0xff, 0xff];
    for (const [place, byte] of bytes.entries()) {
      for (const [half, at] of [place * 32, (WINDOW + place) * 32].entries()) {
        const buckets = (masks[at + (byte & 15)] as number) &
          (masks[at + 16 + (byte >> 4)] as number);
        if (half === 0) low &= buckets;
        else high &= buckets;
      }
    }
    const hash = hashOf(...bytes);
    const isKnown = ((bitmap[hash >> 3] as number) & (1 << (hash & 7))) !== 0;
    if ((low | high) === 0 || !isKnown) return false;
  }
  return true;
}

/** True when a keyword is found by one of its windows. */
function isCovered(tables: KeywordWindows, text: string): boolean {
  if (text.length < 2) return false;
  const bytes = Uint8Array.from(
    { length: text.length + WINDOW },
    (_, i) => i < text.length ? text.charCodeAt(i) | FOLD : OPEN,
  );
  const last = Math.min(tables.reach, Math.max(0, text.length - WINDOW));
  for (let at = 0; at <= last; at++) {
    if (passes(tables, bytes.subarray(at, at + WINDOW))) return true;
  }
  return false;
}

/** The tables for keywords in lower case; null when they do not find every one of them. */
export function keywordWindows(keywords: readonly string[]): KeywordWindows | null {
  const windows = Uint8Array.fromBase64(SCAN_WINDOWS);
  const bitmap = new Uint8Array(1 << (HASH_BITS - 3));
  for (let at = 0; at < windows.length; at += WINDOW) {
    for (const bytes of meaningsOf(windows.subarray(at, at + WINDOW))) {
      const hash = hashOf(...bytes);
      bitmap[hash >> 3] = (bitmap[hash >> 3] as number) | (1 << (hash & 7));
    }
  }
  const tables = { reach: SCAN_REACH, masks: Uint8Array.fromBase64(SCAN_MASKS), bitmap };
  // What is not found is not redacted: the tables are trusted only as far as they are tested.
  return keywords.every((text) => isCovered(tables, text)) ? tables : null;
}
