/** Amounts of shown text, in the three measures that a policy bounds. */
import { estimateTokens } from "./token_estimate.ts";

/** An amount of shown text. */
export interface ShownBudget {
  readonly chars: number;
  readonly lines: number;
  /** Estimated, see `estimateTokens`. */
  readonly tokens: number;
}

/** Nothing. */
export const NO_TEXT: ShownBudget = { chars: 0, lines: 0, tokens: 0 };

/** What one line takes, with its newline. */
export function costOf(text: string): ShownBudget {
  return { chars: text.length + 1, lines: 1, tokens: estimateTokens(text) + 1 };
}

/** Both together. */
export function plus(a: ShownBudget, b: ShownBudget): ShownBudget {
  return { chars: a.chars + b.chars, lines: a.lines + b.lines, tokens: a.tokens + b.tokens };
}

/** What is left of an amount. */
export function minus(a: ShownBudget, b: ShownBudget): ShownBudget {
  return { chars: a.chars - b.chars, lines: a.lines - b.lines, tokens: a.tokens - b.tokens };
}

/** The smaller one by each measure. */
export function least(a: ShownBudget, b: ShownBudget): ShownBudget {
  return {
    chars: Math.min(a.chars, b.chars),
    lines: Math.min(a.lines, b.lines),
    tokens: Math.min(a.tokens, b.tokens),
  };
}

/** A share of an amount. */
export function shareOf(whole: ShownBudget, share: number): ShownBudget {
  return {
    chars: whole.chars * share,
    lines: whole.lines * share,
    tokens: whole.tokens * share,
  };
}

/** Whether an amount is within another by every measure. */
export function fits(amount: ShownBudget, limit: ShownBudget): boolean {
  return amount.chars <= limit.chars && amount.lines <= limit.lines &&
    amount.tokens <= limit.tokens;
}
