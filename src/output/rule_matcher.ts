/** Tries the pattern of a rule at a keyword: cheap tests first, the pattern in a window last. */
import { isHarmlessValue, withoutLabels } from "./harmless_values.ts";
import type { Rule } from "./rules.ts";
import type { Guard } from "./token_rule.ts";
import { PENDING, type ViewText } from "./view_text.ts";

/** Visible bytes that a pattern may look at from its start on; a longer token is hidden to its end without being read. */
const REACH = 4096;
/** Characters of a value that say whether it is a secret. */
const MAX_HEAD = 256;
/** What is left of a value beside labels must be longer to be hidden, so that redacted text stays as it is. */
const MIN_BESIDE_LABELS = 4;

/** A keyword: its first byte and the byte behind it. */
export interface KeywordPlace {
  readonly start: number;
  readonly behind: number;
}

/** What a rule says; `passTo` is a position before which it need not be tried again, 0 for none. */
export type RuleMatch =
  | { readonly kind: "wait"; readonly from: number }
  | { readonly kind: "none"; readonly passTo: number }
  | {
    readonly kind: "secret";
    readonly passTo: number;
    readonly start: number;
    readonly end: number;
    /** The token may go on behind the window. */
    readonly open: boolean;
  };

const NONE: RuleMatch = { kind: "none", passTo: 0 };

/** Tries rules in the text of one stream. */
export class RuleMatcher {
  readonly #text: ViewText;
  /** Ends of hidden spans: what follows one does not touch it in the output. */
  readonly #ends: ReadonlySet<number>;
  /** The run of bytes that a guard has read. */
  #run = { from: 0, to: 0 };

  constructor(text: ViewText, ends: ReadonlySet<number>) {
    this.#text = text;
    this.#ends = ends;
  }

  /** Tries one rule at one keyword. */
  match(rule: Rule, at: KeywordPlace): RuleMatch {
    const { lookback, first, guard } = rule;
    if (first !== undefined && !this.#follows(at.behind, first)) return NONE;
    let { start } = at;
    if (lookback !== undefined) {
      const least = start - lookback.max;
      while (start > least && lookback.bytes[this.#text.at(start - 1)] === 1) start--;
    }
    if (
      rule.boundary !== false && !this.#text.boundaryBefore(start) &&
      !this.#ends.has(start) && !this.#straddles(at)
    ) return NONE;
    const end = this.#text.windowEnd(at.start, REACH);
    if (end < 0) return { kind: "wait", from: start };
    let passTo = 0;
    if (guard !== undefined) {
      const passes = this.#passesGuard(guard, at.start, end);
      passTo = this.#run.to;
      if (!passes) return { kind: "none", passTo };
    }
    return this.#apply(rule, { start, end, passTo, limit: at.start + REACH });
  }

  /** True when a hidden span ends inside the keyword: the token before this one took its first letters for its own. */
  #straddles({ start, behind }: KeywordPlace): boolean {
    if (this.#ends.size === 0) return false;
    for (let at = start + 1; at < behind; at++) if (this.#ends.has(at)) return true;
    return false;
  }

  #apply(
    rule: Rule,
    window: { start: number; end: number; passTo: number; limit: number },
  ): RuleMatch {
    const { start, end, passTo } = window;
    const { pattern } = rule;
    const behind = Math.min(rule.behind ?? 0, this.#text.remembered(start));
    pattern.lastIndex = behind;
    const match = pattern.exec(this.#text.latin1(start - behind, end));
    if (match === null) return { kind: "none", passTo };
    const value = match[rule.group ?? 0] as string;
    if (isNoSecret(value.slice(0, MAX_HEAD), rule)) return { kind: "none", passTo };
    const to = start + match[0].length;
    const open = to === end && end === window.limit;
    return { kind: "secret", passTo, start: to - value.length, end: to, open };
  }

  /** False when what follows a keyword cannot be a token of the rule; true when it can or has not arrived. */
  #follows(from: number, first: NonNullable<Rule["first"]>): boolean {
    for (let at = from; at < from + first.count; at++) {
      const byte = this.#text.at(at);
      if (byte === PENDING) return true;
      if (byte < 0 || first.bytes[byte] === 0) return false;
    }
    return true;
  }

  #passesGuard(guard: Guard, start: number, end: number): boolean {
    let { from, to } = this.#run;
    if (start < from || start > to) from = to = start;
    while (to < end && guard.run.test(String.fromCharCode(this.#text.at(to)))) to++;
    this.#run = { from, to };
    const stop = to + guard.then.length;
    return stop <= end && this.#text.latin1(to, stop) === guard.then;
  }
}

function isNoSecret(value: string, { checked }: Rule): boolean {
  if (value.includes("[REDACTED:") && withoutLabels(value).length < MIN_BESIDE_LABELS) return true;
  return checked !== undefined &&
    isHarmlessValue(value, { name: "", quoted: false, tight: true, kind: checked });
}
