/**
 * Chooses for every keyword the place by which `tools/scan_module.wat` looks for it: a window of three bytes that other
 * text rarely has. The windows are sorted into sixteen buckets that let nibbles pass ("Teddy", from Hyperscan: Wang et
 * al., NSDI 2019), so both choices are made together: each keyword in turn moves to the window and bucket that let the
 * least other text pass, until every one has had a few turns.
 */
import { OPEN, probeOf, WINDOW } from "../src/output/keyword_windows.ts";

const BUCKETS = 16;
/** A window stands near the beginning of its keyword, so that little is read again before it. */
const MAX_OFFSET = 5;
const ROUNDS = 8;

/** How many of 10,000 bytes of logs and source text, folded, are 0x20 to 0x3f and 0x60 to 0x7f; never 0. */
// deno-fmt-ignore
const FREQUENCIES = [
  1461, 8, 60, 9, 8, 8, 8, 8, 62, 62, 224, 8, 65, 128, 84, 38, 234, 277, 218, 100, 86, 86,
  122, 62, 63, 56, 169, 53, 8, 111, 10, 11,
  16, 360, 104, 202, 264, 656, 217, 48, 176, 335, 8, 113, 202, 171, 350, 521, 115, 60, 447,
  374, 590, 212, 25, 104, 30, 109, 60, 109, 17, 109, 8, 14,
];

/** Words that logs and sources are full of. */
const WORDS =
  "took look looking book ok id ms request response handled worker with status after before retry from cache queue pool started stopped server client " +
  "connection connected connecting timeout waiting process running completed finished success info debug warning trace " +
  "message event object string number value index text context content control const continue function return import " +
  "export default public static class interface extends implements undefined null true false this that these those then " +
  "when where which while there their what have has been being does done will would should could other another first " +
  "second last next previous current state station stack start stat test tests result results report version package " +
  "module node code mode under standard hundred read reading write written line lines list file files path directory " +
  "name names namespace type types time times date update updated create created delete deleted insert select table " +
  "column order count counter amount account user users group level option options config configuration settings set get " +
  "put post patch apply pass passed check checked expected actual compile compiled compiling build building install " +
  "installed download downloading resolve resolved dependency dependencies target release unknown known kind key keys " +
  "data information operation operations action actions section session transaction application description position " +
  "condition exception execution extension expression and the for are not but all any can out about into over only some " +
  "such than them they your more most must never always every each because between through during without within " +
  "against input output network address local remote host port socket stream buffer memory bytes size length limit " +
  "maximum minimum total average rate percent seconds minutes process thread task job batch load loaded loading parse " +
  "parser parameter parameters argument arguments field fields property properties element component render rendered " +
  "source sources script scripts shell command commands program library method methods call called calls caller handler";
/** What one more of these words costs that holds a probe: many places have it, and each costs a run of the automaton. */
const WORD_COST = 0.0005;
/** The same for one that holds a window only. */
const PROBE_COST = 0.0001;

const TEXT = ` ${WORDS} `;

/** What was chosen, as `KeywordWindows` takes it. */
export interface ChosenWindows {
  /** For each half of the buckets and each byte of the window: buckets by low nibble, then by high nibble. */
  readonly masks: Uint8Array<ArrayBuffer>;
  /** PROBE bytes for each window and the byte behind it; OPEN stands for any byte. */
  readonly windows: Uint8Array<ArrayBuffer>;
  readonly reach: number;
}

function frequency(byte: number): number {
  return (FREQUENCIES[(byte & 0x1f) | ((byte & 0x40) >> 1)] as number) / 10_000;
}

/** The windows of a keyword by their offset. */
function windowsOf(text: string): number[][] {
  const last = Math.min(MAX_OFFSET, Math.max(0, text.length - WINDOW));
  return Array.from({ length: last + 1 }, (_, offset) => probeOf(text, offset));
}

/** Windows that share a test, counted by byte for each place in the window. */
class Bucket {
  readonly #counts = Array.from({ length: WINDOW }, () => new Int32Array(256));

  add(window: readonly number[], change: 1 | -1): void {
    for (const [place, counts] of this.#counts.entries()) {
      counts[window[place] as number] = (counts[window[place] as number] as number) + change;
    }
  }

  /** Low and high nibbles that pass at a place, as bits; with a byte that is not a member. */
  nibbles(place: number, extra?: number): { low: number; high: number } {
    const counts = this.#counts[place] as Int32Array;
    let [low, high] = [0, 0];
    for (let byte = 0; byte < 256; byte++) {
      if (counts[byte] === 0 && byte !== extra) continue;
      if (byte === OPEN) return { low: 0xffff, high: 0xffff };
      low |= 1 << (byte & 15);
      high |= 1 << (byte >> 4);
    }
    return { low, high };
  }

  /** About how much text passes, with a window that is not a member. */
  share(extra?: readonly number[]): number {
    let share = 1;
    for (let place = 0; place < WINDOW; place++) {
      const { low, high } = this.nibbles(place, extra?.[place]);
      let passing = 0;
      for (const row of [2, 3, 6, 7]) {
        if ((high & (1 << row)) === 0) continue;
        for (let i = 0; i < 16; i++) if (low & (1 << i)) passing += frequency((row << 4) | i);
      }
      share *= passing;
    }
    return share;
  }
}

interface Place {
  readonly bucket: Bucket;
  readonly window: readonly number[];
  readonly offset: number;
}

/** How many common words, or borders of two, hold these bytes, as far as they are known. */
function wordsWith(bytes: readonly number[]): number {
  const known = bytes.slice(0, bytes.includes(OPEN) ? bytes.indexOf(OPEN) : bytes.length);
  return known.length < WINDOW ? 0 : TEXT.split(String.fromCharCode(...known)).length - 1;
}

function costOf(probe: readonly number[]): number {
  return WORD_COST * wordsWith(probe) + PROBE_COST * wordsWith(probe.slice(0, WINDOW));
}

function bestPlace(
  buckets: readonly Bucket[],
  windows: readonly number[][],
  costs: ReadonlyMap<string, number>,
): Place {
  let best: Place | null = null;
  let least = Infinity;
  for (const bucket of buckets) {
    const before = bucket.share();
    for (const [offset, window] of windows.entries()) {
      const growth = bucket.share(window) - before + (costs.get(window.join()) ?? 0);
      // Sums of fractions differ in their last digits: without a margin the choice would wander.
      if (growth >= least - 1e-12) continue;
      least = growth;
      best = { bucket, window, offset };
    }
  }
  if (best === null) throw new Error("Cannot choose a window: there is none");
  return best;
}

/** Chooses windows for keywords of ASCII in lower case, none shorter than two bytes. The same keywords give the same. */
export function chooseWindows(keywords: readonly string[]): ChosenWindows {
  const candidates = [...new Set(keywords)].toSorted().map(windowsOf)
    .sort((a, b) => a.length - b.length);
  const buckets = Array.from({ length: BUCKETS }, () => new Bucket());
  const costs = new Map(
    candidates.flat().map((window) => [window.join(), costOf(window)]),
  );
  const places: Place[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, windows] of candidates.entries()) {
      const old = places[index];
      old?.bucket.add(old.window, -1);
      const place = bestPlace(buckets, windows, costs);
      place.bucket.add(place.window, 1);
      places[index] = place;
    }
  }
  const distinct = new Map(places.map(({ window }) => [window.join(), window]));
  return {
    masks: masksOf(buckets),
    windows: Uint8Array.from([...distinct.values()].flat()),
    reach: Math.max(...places.map(({ offset }) => offset)),
  };
}

function masksOf(buckets: readonly Bucket[]): Uint8Array<ArrayBuffer> {
  const masks = new Uint8Array((BUCKETS / 8) * WINDOW * 32);
  for (const [index, bucket] of buckets.entries()) {
    for (let place = 0; place < WINDOW; place++) {
      const { low, high } = bucket.nibbles(place);
      const at = ((index >> 3) * WINDOW + place) * 32;
      for (let nibble = 0; nibble < 32; nibble++) {
        const passes = ((nibble < 16 ? low : high) >> (nibble & 15)) & 1;
        masks[at + nibble] = (masks[at + nibble] as number) | (passes << (index & 7));
      }
    }
  }
  return masks;
}
