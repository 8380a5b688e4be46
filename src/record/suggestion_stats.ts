/** Whether suggestions were taken, and whether they helped: counted from the records. */
import { answered } from "./succeeded.ts";
import type { CommandRecord } from "./record.ts";

/** Records after a suggestion within which it counts as taken. */
const WITHIN = 5;

/** What came of one rule's suggestions. */
export interface RuleStats {
  readonly rule: string;
  readonly offered: number;
  /** Suggestions whose command was run, as it stands, among the next five commands of the session. */
  readonly taken: number;
  /** Of those taken: whose command did what it does. */
  readonly helped: number;
}

/** What is looked at in a record. */
export type StatsRecord = Pick<
  CommandRecord,
  "session_id" | "command" | "exit_code" | "outcome" | "suggestions"
>;

/**
 * Counts by rule, the most offered first. A suggestion without a command is a fact: it is offered, and never taken.
 *
 * @param records oldest first.
 */
export function suggestionStats(records: Iterable<StatsRecord>): readonly RuleStats[] {
  const counts = new Map<string, { offered: number; taken: number; helped: number }>();
  const open = new Map<string, { rule: string; text: string; left: number }[]>();
  const countOf = (rule: string) => {
    const known = counts.get(rule) ?? { offered: 0, taken: 0, helped: 0 };
    counts.set(rule, known);
    return known;
  };
  for (const record of records) {
    const command = record.command.join(" ");
    const waiting = open.get(record.session_id) ?? [];
    for (const { rule } of waiting.filter(({ text }) => text === command)) {
      const count = countOf(rule);
      count.taken++;
      if (answered(record)) count.helped++;
    }
    const left = waiting.filter(({ text }) => text !== command)
      .map((one) => ({ ...one, left: one.left - 1 })).filter(({ left }) => left > 0);
    for (const { rule, text } of record.suggestions) {
      countOf(rule).offered++;
      const runs = /^`([^`\n]+)`/.exec(text)?.[1];
      if (runs !== undefined) left.push({ rule, text: runs, left: WITHIN });
    }
    open.set(record.session_id, left);
  }
  return [...counts].map(([rule, count]) => ({ rule, ...count }))
    .sort((a, b) => b.offered - a.offered || (a.rule < b.rule ? -1 : 1));
}
