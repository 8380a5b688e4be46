/** Looks for known values in a text that arrives in parts, from left to right. */
import type { KnownMatch, KnownText, KnownValues } from "./known_values.ts";
import type { ViewText } from "./view_text.ts";

/** Bytes that are searched at once; a value that is learned makes what was searched in advance void. */
const STRIDE = 16 * 1024;

/** The search in one stream; positions are absolute. */
export class KnownSearch {
  readonly #text: ViewText;
  readonly #known: KnownValues;
  /** Values that begin before this are decided. */
  #from = 0;
  /** What `#hold` was found for. */
  #seen = { end: -1, size: 0, final: false };
  /** The first position at which a value may begin that has not arrived as a whole. */
  #hold = 0;
  /** Values that begin in `[#from, to)`, found when so many needles were known; those before `next` are reported. */
  #found: { matches: KnownMatch[]; next: number; to: number; size: number } = {
    matches: [],
    next: 0,
    to: 0,
    size: 0,
  };

  constructor(text: ViewText, known: KnownValues) {
    this.#text = text;
    this.#known = known;
  }

  /** The first position at which a value begins, or may begin, that was not reported yet. */
  get undecided(): number {
    this.#search(this.#hold);
    return this.#found.matches[this.#found.next]?.start ?? this.#hold;
  }

  /** Reports the values that begin before `bound`; false while one may begin there that is not complete. */
  decide(bound: number, report: (match: KnownMatch) => void): boolean {
    this.#updateHold();
    const to = Math.min(bound, this.#hold);
    this.#search(to);
    const { matches } = this.#found;
    for (let match; (match = matches[this.#found.next]) && match.start < to; this.#found.next++) {
      report(match);
    }
    this.#from = Math.max(this.#from, to);
    return this.#hold >= bound;
  }

  /** Finds the values that begin before `to`, and some more, so that many small steps cost one search. */
  #search(to: number): void {
    const { size } = this.#known;
    if (this.#found.size !== size) {
      this.#found = { matches: [], next: 0, to: this.#from, size };
    }
    if (this.#found.to >= to) return;
    const from = Math.max(this.#found.to, this.#from);
    const end = Math.min(this.#hold, Math.max(to, from + STRIDE));
    const left = this.#found.matches.slice(this.#found.next);
    this.#found = { matches: left.concat(this.#find(from, end)), next: 0, to: end, size };
  }

  #view(): KnownText {
    const { base, final, view } = this.#text;
    return { bytes: view.bytes, length: view.length, before: this.#text.at(base - 1), final };
  }

  #find(from: number, to: number): KnownMatch[] {
    const { base } = this.#text;
    return this.#known.find(this.#view(), { from: Math.max(0, from - base), to: to - base })
      .map(({ start, end, key }) => ({ start: start + base, end: end + base, key }));
  }

  #updateHold(): void {
    const { base, end, final } = this.#text;
    const { size } = this.#known;
    const last = this.#seen;
    const isSameText = last.end === end && last.final === final;
    if (isSameText && last.size === size) return;
    const from = Math.max(0, this.#from - base);
    const hold = base + this.#known.holdFrom(this.#view(), from, isSameText ? last.size : 0);
    this.#hold = isSameText ? Math.min(this.#hold, hold) : hold;
    this.#seen = { end, size, final };
  }
}
