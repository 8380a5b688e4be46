/** Where keywords are looked for: `tools/choose_windows.ts` chooses, this file makes the tables and checks them. */
import { hasBit, hashOf, setBit } from "./hashed_bits.ts";
import { SCAN_MASKS, SCAN_REACH, SCAN_WINDOWS } from "./scan_module.ts";

/** Bytes of a window, a part of a keyword by which it is found; a shorter keyword leaves the rest open. */
export const WINDOW = 3;
/** Bytes by which a window is looked at again: itself and the one behind it. */
export const PROBE = 4;
/** Set in every byte of text and windows: letters lose their case, nothing else becomes a letter. */
const FOLD = 0x20;
/** Stands in a window for any byte. */
export const OPEN = 0xff;
/** Bits of a window's hash: the bitmap stays in the first-level cache. */
export const WINDOW_BITS = 16;
/** Bits of a probe's hash: hardly any text is looked up there. */
export const PROBE_BITS = 18;

/** Tables that find at least every place at which a keyword stands. */
export interface KeywordWindows {
  /** Longest way from the beginning of a keyword to its window. */
  readonly reach: number;
  /** For each half of the buckets and each byte of the window: buckets by low nibble, then by high nibble. */
  readonly masks: Uint8Array;
  /** A bit for every hash that a window has. */
  readonly bitmap: Uint8Array;
  /** The same for probes. */
  readonly probes: Uint8Array;
}

const FOLDED = Uint8Array.from({ length: 128 }, (_, i) => ((i & 0x60) << 1) | FOLD | (i & 0x1f));

/** True when all words pass whose first bytes, from the lowest on, are what these stand for. Without garbage: 16,384 do for one. */
function every(
  bytes: ArrayLike<number>,
  test: (word: number) => boolean,
  at: { readonly end: number; readonly place?: number; readonly word?: number },
): boolean {
  let { place = 0, word = 0 } = at;
  for (; place < at.end; place++) {
    const byte = bytes[place] as number;
    if (byte !== OPEN) word |= byte << (8 * place);
    else {
      const shift = 8 * place++;
      if (place === at.end) return FOLDED.every((any) => test(word | (any << shift)));
      return FOLDED.every((any) =>
        every(bytes, test, { end: at.end, place, word: word | (any << shift) })
      );
    }
  }
  return test(word);
}

function passesMasks(masks: Uint8Array, word: number): boolean {
  let [first, second] = [0xff, 0xff];
  for (let place = 0; place < WINDOW; place++) {
    const byte = (word >> (8 * place)) & 0xff;
    const at = place * 32;
    const other = (WINDOW + place) * 32;
    first &= (masks[at + (byte & 15)] as number) & (masks[at + 16 + (byte >> 4)] as number);
    second &= (masks[other + (byte & 15)] as number) & (masks[other + 16 + (byte >> 4)] as number);
  }
  return (first | second) !== 0;
}

function passes({ masks, bitmap, probes }: KeywordWindows, probe: readonly number[]): boolean {
  return every(
    probe,
    (word) => passesMasks(masks, word) && hasBit(bitmap, hashOf(word, WINDOW_BITS)),
    { end: WINDOW },
  ) && every(probe, (word) => hasBit(probes, hashOf(word, PROBE_BITS)), { end: PROBE });
}

/** The bytes by which a keyword is found at one of its places. */
export function probeOf(text: string, place: number): number[] {
  const probe: number[] = [];
  for (let at = place; at < place + PROBE; at++) {
    probe.push(at < text.length ? text.charCodeAt(at) | FOLD : OPEN);
  }
  return probe;
}

/** True when a keyword is found by one of its windows. */
function isCovered(tables: KeywordWindows, text: string): boolean {
  if (text.length < 2) return false;
  const last = Math.min(tables.reach, Math.max(0, text.length - WINDOW));
  for (let at = 0; at <= last; at++) if (passes(tables, probeOf(text, at))) return true;
  return false;
}

/** The tables for keywords in lower case; null when they do not find every one of them. */
export function keywordWindows(keywords: readonly string[]): KeywordWindows | null {
  const known = Uint8Array.fromBase64(SCAN_WINDOWS);
  const bitmap = new Uint8Array(1 << (WINDOW_BITS - 3));
  const probes = new Uint8Array(1 << (PROBE_BITS - 3));
  for (let at = 0; at < known.length; at += PROBE) {
    const probe = known.subarray(at, at + PROBE);
    every(probe, (word) => setBit(bitmap, hashOf(word, WINDOW_BITS)), { end: WINDOW });
    every(probe, (word) => setBit(probes, hashOf(word, PROBE_BITS)), { end: PROBE });
  }
  const masks = Uint8Array.fromBase64(SCAN_MASKS);
  const tables = { reach: SCAN_REACH, masks, bitmap, probes };
  // What is not found is not redacted: the tables are trusted only as far as they are tested.
  return keywords.every((text) => isCovered(tables, text)) ? tables : null;
}
