/**
 * Loops: the same commands with the same results, again. What changes is none: other output is polling, and another
 * state of the workspace makes the next attempt a new one.
 */
import { type FeedbackCommand, isFailure } from "./provider.ts";

/** A loop that has been found. */
export interface Loop {
  readonly rule: "identical" | "failures" | "alternation" | "cycle" | "similar";
  /** The same as long as the same loop goes on. */
  readonly key: string;
  /** Results that belong to it. */
  readonly length: number;
  /** Commands of one round, as typed. */
  readonly commands: readonly string[];
}

/** How often what must have been seen. */
const TIMES = { identical: 4, failures: 3, alternation: 3, cycle: 3, similar: 3 } as const;
/** Longest cycle in commands. */
const MAX_CYCLE = 5;
/** Share of lines that similar outputs have in common (Dice's coefficient over lines). */
const SIMILAR = 0.9;

/** Looks for a loop that ends with the last command, the most telling rule first; null when there is none. */
export function findLoop(commands: readonly FeedbackCommand[]): Loop | null {
  const last = commands.at(-1);
  if (last === undefined) return null;
  const keys = commands.map(keyOf);
  const same = repeats(keys, 1);
  if (isFailure(last) && same >= TIMES.failures) return loop("failures", same);
  if (same >= TIMES.identical) return loop("identical", same);
  for (let period = 2; period <= MAX_CYCLE; period++) {
    const times = repeats(keys, period);
    if (times < TIMES.cycle) continue;
    const rule = period === 2 ? "alternation" : "cycle";
    const round = commands.slice(-period).map(({ command }) => command);
    // From the same command on, wherever in the round it is looked at.
    const key = [rule, ...keys.slice(-period).sort()].join("\n");
    return { rule, key, length: times * period, commands: round };
  }
  const similar = similarFailures(commands);
  return similar >= TIMES.similar ? loop("similar", similar) : null;

  function loop(rule: Loop["rule"], length: number): Loop {
    const name = rule === "similar"
      ? `similar\n${nameOf(last!)}\n${last!.cwd}`
      : `same\n${keys.at(-1)}`;
    return { rule, key: name, length, commands: [last!.command] };
  }
}

/** What makes two results the same: the command without its spacing, where it ran, how it ended, what it said. */
function keyOf(command: FeedbackCommand): string {
  const words = command.command.trim().replace(/\s+/g, " ");
  return [words, command.cwd, command.exitCode ?? "none", command.digest].join("\0");
}

/** How often the last `period` keys stand at the end, one after the other; 0 for a round that is itself a repetition. */
function repeats(keys: readonly string[], period: number): number {
  const round = keys.slice(-period);
  if (round.length < period || (period > 1 && new Set(round).size === 1)) return 0;
  let times = 1;
  for (let end = keys.length - period; end >= period; end -= period) {
    if (!round.every((key, index) => keys[end - period + index] === key)) break;
    times++;
  }
  return times;
}

/** Failures of one program in a row whose outputs are nearly the same, each against the last. A change on success is polling. */
function similarFailures(commands: readonly FeedbackCommand[]): number {
  const last = commands.at(-1)!;
  if (!isFailure(last) || last.tail === "") return 0;
  const lines = lineCounts(last.tail);
  let count = 0;
  for (const one of commands.toReversed()) {
    const alike = isFailure(one) && nameOf(one) === nameOf(last) && one.cwd === last.cwd &&
      one.exitCode === last.exitCode &&
      similarity(lineCounts(one.tail), lines) >= SIMILAR;
    if (!alike) break;
    count++;
  }
  return count;
}

function nameOf({ command }: FeedbackCommand): string {
  return command.trim().split(/\s/, 1)[0] ?? "";
}

/** Lines with how often they occur; numbers are all the same, since times and addresses differ from run to run. */
function lineCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) {
    const plain = line.replace(/0x[0-9a-f]+|\d+/gi, "0").trim();
    if (plain !== "") counts.set(plain, (counts.get(plain) ?? 0) + 1);
  }
  return counts;
}

/** Dice's coefficient of two multisets: 1 for equal ones (Dice, "Measures of the amount of ecologic association", 1945). */
function similarity(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  const total = (counts: ReadonlyMap<string, number>) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  const shared = [...one].reduce(
    (sum, [line, count]) => sum + Math.min(count, other.get(line) ?? 0),
    0,
  );
  const all = total(one) + total(other);
  return all === 0 ? 0 : 2 * shared / all;
}
