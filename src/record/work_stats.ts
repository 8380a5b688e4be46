/** How work went, counted from the records: ends, retries, loops, and what all of it took. */
import type { CommandRecord } from "./record.ts";
import { retryChains } from "./retry_chain.ts";
import { answered } from "./succeeded.ts";
import { countSuggestions, NO_SUGGESTIONS, type SuggestionCounts } from "./suggestion_stats.ts";

/** What a block begins with that speaks of a loop (`loop_provider.ts`). */
const LOOP = "[Feedback - Loop]";
/** Commands after a nudge within which the same command with the same end continues the loop. */
const WITHIN = 5;
/** Bytes of a token, as good as one can tell without the model's own tokenizer. */
const TOKEN = 4;

/** What is looked at in a record. */
export type WorkRecord = Pick<
  CommandRecord,
  | "command_id"
  | "parent_command_id"
  | "session_id"
  | "command"
  | "exit_code"
  | "outcome"
  | "suggestions"
  | "feedback"
  | "duration_ms"
  | "bytes"
  | "truncations"
>;

/** Wall time, and shown output in estimated tokens. */
interface Spent {
  readonly commands: number;
  readonly ms: number;
  readonly tokens: number;
}

/** Commands that ended in one way, and what came of the suggestions that they were given. */
export interface OutcomeStats extends Spent, SuggestionCounts {
  readonly outcome: string;
}

/** Attempts at the same thing. */
export interface RetryStats {
  /** Things that failed at first. */
  readonly chains: number;
  /** Of these: those that did what they do in the end. */
  readonly succeeded: number;
  /** Mean number of retries until then, null without any. */
  readonly mean: number | null;
  /** The most. */
  readonly most: number;
}

/** Loops that were told of. */
export interface LoopStats {
  readonly seen: number;
  /** Within the next five commands of the session the same did not end the same way again. */
  readonly broken: number;
  /** It did. */
  readonly continued: number;
}

/** All of it. */
export interface WorkStats {
  /** The most frequent first. */
  readonly outcomes: readonly OutcomeStats[];
  readonly retries: RetryStats;
  readonly loops: LoopStats;
  readonly spent: Spent & {
    /** Of that: by commands that did not do what they do. */
    readonly failed: Spent;
  };
}

/** Counts. @param records in the order of the journal, oldest first. */
export function workStats(records: readonly WorkRecord[]): WorkStats {
  const suggestions = countSuggestions(records, ({ outcome }) => outcome.kind);
  const kinds = Map.groupBy(records, ({ outcome }) => outcome.kind);
  const outcomes = [...kinds].map(([outcome, group]) => ({
    outcome,
    ...spentBy(group),
    ...suggestions.get(outcome) ?? NO_SUGGESTIONS,
  })).sort((a, b) => b.commands - a.commands || (a.outcome < b.outcome ? -1 : 1));
  return {
    outcomes,
    retries: retryStats(records),
    loops: loopStats(records),
    spent: {
      ...spentBy(records),
      failed: spentBy(records.filter((record) => !answered(record))),
    },
  };
}

function spentBy(records: readonly WorkRecord[]): Spent {
  const sum = (of: (record: WorkRecord) => number) =>
    records.reduce((total, record) => total + of(record), 0);
  return {
    commands: records.length,
    ms: sum(({ duration_ms }) => duration_ms),
    tokens: sum(tokensOf),
  };
}

function tokensOf({ bytes, truncations }: WorkRecord): number {
  const shown = (stream: "stdout" | "stderr") =>
    Math.max(0, bytes[stream] - (truncations[stream]?.bytes ?? 0));
  return Math.ceil((shown("stdout") + shown("stderr")) / TOKEN);
}

function retryStats(records: readonly WorkRecord[]): RetryStats {
  const failed = retryChains(records).filter(({ records: [first] }) => !answered(first));
  const retries = failed.flatMap(({ records }) => {
    const at = records.findIndex(answered);
    return at < 0 ? [] : [at];
  });
  return {
    chains: failed.length,
    succeeded: retries.length,
    mean: retries.length === 0
      ? null
      : retries.reduce((sum, count) => sum + count, 0) / retries.length,
    most: Math.max(0, ...retries),
  };
}

/** A loop of which nobody knows yet how it goes on. */
interface OpenLoop {
  readonly command: string;
  readonly exitCode: number | null;
  left: number;
  continued: boolean;
}

function loopStats(records: readonly WorkRecord[]): LoopStats {
  const counts = { seen: 0, broken: 0, continued: 0 };
  const open = new Map<string, OpenLoop[]>();
  for (const record of records) {
    const command = record.command.join(" ");
    const loops = open.get(record.session_id) ?? [];
    for (const loop of loops) {
      loop.left--;
      if (loop.command === command && loop.exitCode === record.exit_code) {
        // It goes on until it has been left for as many commands.
        if (!loop.continued) counts.continued++;
        loop.continued = true;
        loop.left = WITHIN;
      } else if (loop.left === 0 && !loop.continued) counts.broken++;
    }
    const left = loops.filter((loop) => loop.left > 0);
    const known = left.some((loop) => loop.command === command);
    if (!known && record.feedback.some((text) => text.startsWith(LOOP))) {
      counts.seen++;
      left.push({ command, exitCode: record.exit_code, left: WITHIN, continued: false });
    }
    open.set(record.session_id, left);
  }
  return counts;
}
