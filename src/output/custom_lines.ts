/** Applies the rules of a policy, which have no keywords, to every line. Sessions without such rules never come here. */
import { LINE_FEED } from "./ascii.ts";
import { END, PENDING, type ViewText } from "./view_text.ts";

/** A rule of a policy: a name and a compiled expression with the flags `dg`. */
export interface CustomRule {
  readonly name: string;
  readonly pattern: RegExp;
}

/** A match; positions are absolute. */
export interface CustomMatch {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/** Bytes of a line that are looked at at once. */
const REACH = 4096;
/** How far one window overlaps the last in a line longer than that. */
const OVERLAP = 512;

/** The lines of one stream, from first to last. */
export class CustomLines {
  readonly #text: ViewText;
  readonly #rules: readonly CustomRule[];
  /** Where the line, or window of a line, begins that has to be looked at next. */
  undecided = 0;

  constructor(text: ViewText, rules: readonly CustomRule[]) {
    this.#text = text;
    this.#rules = rules;
  }

  /** Reports the matches in all lines that begin before `bound`; false when one of them is not complete. */
  decide(bound: number, report: (match: CustomMatch) => void): boolean {
    while (this.undecided < bound) {
      const end = this.#text.windowEnd(this.undecided, REACH);
      const behind = end < 0 ? PENDING : this.#text.at(end);
      if (behind === PENDING) return false;
      const line = this.#text.latin1(this.undecided, end);
      for (const { name, pattern } of this.#rules) {
        for (const match of line.matchAll(pattern)) this.#report(name, match, report);
      }
      this.undecided = behind === LINE_FEED || behind === END ? end + 1 : end - OVERLAP;
    }
    return true;
  }

  #report(rule: string, match: RegExpExecArray, report: (match: CustomMatch) => void): void {
    const [from, to] = match.indices?.groups?.["secret"] ?? match.indices?.[0] ?? [0, 0];
    if (to > from) report({ start: this.undecided + from, end: this.undecided + to, rule });
  }
}
