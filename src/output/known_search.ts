/** Looks for known values in a text that arrives in parts, from left to right. */
import type { KnownMatch, KnownText, KnownValues } from "./known_values.ts";
import type { ViewText } from "./view_text.ts";

/** The search in one stream; positions are absolute. */
export class KnownSearch {
  readonly #text: ViewText;
  readonly #known: KnownValues;
  /** Values that begin before this are decided. */
  #from = 0;
  #next: KnownMatch | null = null;
  #searched = { from: -1, end: -1, size: -1, final: false };
  /** The first position at which a value may begin that has not arrived as a whole. */
  #hold = 0;

  constructor(text: ViewText, known: KnownValues) {
    this.#text = text;
    this.#known = known;
  }

  /** The first position at which a value begins, or may begin, that was not reported yet. */
  get undecided(): number {
    return this.#next !== null && this.#next.start >= this.#from
      ? Math.min(this.#next.start, this.#hold)
      : this.#hold;
  }

  /** Reports the values that begin before `bound`; false while one may begin there that is not complete. */
  decide(bound: number, report: (match: KnownMatch) => void): boolean {
    for (;;) {
      this.#search();
      const match = this.#next;
      if (match === null || match.start >= bound || match.start >= this.#hold) break;
      report(match);
      this.#from = match.start + 1;
    }
    this.#from = Math.max(this.#from, Math.min(bound, this.#hold));
    return this.#hold >= bound;
  }

  /** Finds the next value from where the search stands, unless that is known already. */
  #search(): void {
    const { base, end, final, view } = this.#text;
    const { size } = this.#known;
    const last = this.#searched;
    const isSameText = last.end === end && last.size === size && last.final === final;
    const isCurrent = this.#next === null
      ? last.from <= this.#from
      : this.#next.start >= this.#from;
    if (isSameText && isCurrent) return;
    const text: KnownText = {
      bytes: view.bytes,
      length: view.length,
      before: this.#text.at(base - 1),
      final,
    };
    const from = Math.max(0, this.#from - base);
    const found = this.#known.find(text, from);
    this.#next = found && { ...found, start: found.start + base, end: found.end + base };
    if (!isSameText) this.#hold = base + this.#known.holdFrom(text, from);
    this.#searched = { from: this.#from, end, size, final };
  }
}
