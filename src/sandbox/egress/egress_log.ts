/** What the proxy refused and what failed, kept until the command that it belongs to has ended. */
import type { Denial } from "../../policy/policy.ts";

/** As many as a block can show; a program that tries addresses in a loop must not fill memory. */
const MAX_ENTRIES = 16;

/** What was recorded since the last look. */
export interface EgressReport {
  readonly denials: readonly Denial[];
  /** Failures that no rule caused, in words: names that do not resolve, hosts that do not answer. */
  readonly notices: readonly string[];
}

/** Each resource once, in order of appearance. */
export class EgressLog {
  readonly #denials = new Map<string, Denial>();
  readonly #notices = new Set<string>();

  /** Record a refusal. */
  refused(denial: Denial): void {
    const key = `${denial.resource} ${denial.rule}`;
    if (this.#denials.size < MAX_ENTRIES && !this.#denials.has(key)) this.#denials.set(key, denial);
  }

  /** Record a failure, in words. */
  failed(notice: string): void {
    if (this.#notices.size < MAX_ENTRIES) this.#notices.add(notice);
  }

  /** Take what was recorded; it is forgotten here. */
  drain(): EgressReport {
    const report = { denials: [...this.#denials.values()], notices: [...this.#notices] };
    this.#denials.clear();
    this.#notices.clear();
    return report;
  }
}
