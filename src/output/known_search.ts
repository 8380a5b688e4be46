/** Looks for known values in a text that arrives in parts, from left to right; each byte is searched about once. */
import type { KnownMatch, KnownText, KnownValues } from "./known_values.ts";
import type { ViewText } from "./view_text.ts";

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
  /** No value begins in `[#from, clear)`; at `clear` one does when `found` is set. */
  #ahead = { clear: 0, found: false, size: 0 };

  constructor(text: ViewText, known: KnownValues) {
    this.#text = text;
    this.#known = known;
  }

  /** The first position at which a value begins, or may begin, that was not reported yet. */
  get undecided(): number {
    if (this.#from >= this.#hold) return this.#hold;
    const { size } = this.#known;
    const last = this.#ahead;
    if (last.size === size && last.found && last.clear >= this.#from) return last.clear;
    const isCurrent = last.size === size && !last.found;
    const from = isCurrent ? Math.max(this.#from, last.clear) : this.#from;
    const [match] = this.#find(from, this.#hold);
    this.#ahead = { clear: match?.start ?? Math.max(from, this.#hold), found: !!match, size };
    return this.#ahead.clear;
  }

  /** Reports the values that begin before `bound`; false while one may begin there that is not complete. */
  decide(bound: number, report: (match: KnownMatch) => void): boolean {
    this.#updateHold();
    const to = Math.min(bound, this.#hold);
    if (to > this.#from) {
      for (const match of this.#find(this.#from, to)) report(match);
      this.#from = to;
    }
    return this.#hold >= bound;
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
