/** Whether suggestions were taken, and whether they helped: counted from the records. */
import { answered } from "./succeeded.ts";
import type { CommandRecord } from "./record.ts";

/** Records after a suggestion within which it counts as taken. */
const WITHIN = 5;

/** What came of suggestions. */
export interface SuggestionCounts {
  readonly offered: number;
  /** Suggestions whose command was run, as it stands, among the next five commands of the session. */
  readonly taken: number;
  /** Of those taken: whose command did what it does. */
  readonly helped: number;
}

/** What came of one rule's suggestions. */
export interface RuleStats extends SuggestionCounts {
  readonly rule: string;
}

/** What is looked at in a record. */
export type StatsRecord = Pick<
  CommandRecord,
  "session_id" | "command" | "exit_code" | "outcome" | "suggestions"
>;

/** None of them. */
export const NO_SUGGESTIONS: SuggestionCounts = { offered: 0, taken: 0, helped: 0 };

/**
 * Counts by rule, the most offered first. A suggestion without a command is a fact: it is offered, and never taken.
 *
 * @param records oldest first.
 */
export function suggestionStats(records: Iterable<StatsRecord>): readonly RuleStats[] {
  return [...countSuggestions(records, (_, rule) => rule)].map(([rule, count]) => ({
    rule,
    ...count,
  })).sort((a, b) => b.offered - a.offered || (a.rule < b.rule ? -1 : 1));
}

/**
 * Counts suggestions.
 *
 * @param records oldest first.
 * @param keyOf what a suggestion counts for: of the record that made it, and of its rule.
 */
export function countSuggestions<T extends StatsRecord>(
  records: Iterable<T>,
  keyOf: (record: T, rule: string) => string,
): ReadonlyMap<string, SuggestionCounts> {
  const counts = new Map<string, { offered: number; taken: number; helped: number }>();
  const open = new Map<string, { key: string; text: string; left: number }[]>();
  const countOf = (key: string) => {
    const known = counts.get(key) ?? { ...NO_SUGGESTIONS };
    counts.set(key, known);
    return known;
  };
  for (const record of records) {
    const command = record.command.join(" ");
    const waiting = open.get(record.session_id) ?? [];
    for (const { key } of waiting.filter(({ text }) => text === command)) {
      const count = countOf(key);
      count.taken++;
      if (answered(record)) count.helped++;
    }
    const left = waiting.filter(({ text }) => text !== command)
      .map((one) => ({ ...one, left: one.left - 1 })).filter(({ left }) => left > 0);
    for (const { rule, text } of record.suggestions) {
      const key = keyOf(record, rule);
      countOf(key).offered++;
      const runs = /^`([^`\n]+)`/.exec(text)?.[1];
      if (runs !== undefined) left.push({ key, text: runs, left: WITHIN });
    }
    open.set(record.session_id, left);
  }
  return counts;
}
