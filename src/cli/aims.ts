/** Goal, deadline and budget on the command line. */
import { UsageError } from "../errors.ts";
import { durationMs } from "../policy/duration.ts";
import type { SessionAims } from "../session/session_feedback.ts";
import type { CommandLine } from "./command_line.ts";

/** A date and time with its zone (RFC 3339). */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
/** Characters of a goal. */
const MAX_GOAL = 1_000;

/** Aims as they are written; absent ones say nothing. */
export interface WrittenAims {
  readonly goal?: string | null | undefined;
  readonly deadline?: string | null | undefined;
  readonly budget?: string | null | undefined;
}

/** How written aims are read. */
export interface AimsReading {
  /** What a duration counts from, in ms since 1970. */
  readonly now?: number;
  /** What stands before their names in messages: dashes where they are flags. */
  readonly prefix?: string;
}

/** What the flags say of the session. @throws {UsageError} for a flag that cannot be used. */
export function aimsOf(line: CommandLine, now: number = Date.now()): SessionAims {
  const given = (flag: string) => line.values.get(flag);
  return readAims(
    { goal: given("goal"), deadline: given("deadline"), budget: given("budget") },
    { now, prefix: "--" },
  );
}

/** What written aims mean. @throws {UsageError} for one that cannot be used. */
export function readAims(
  written: WrittenAims,
  { now = Date.now(), prefix = "" }: AimsReading = {},
): SessionAims {
  const goal = written.goal ?? null;
  if (goal !== null && goal.length > MAX_GOAL) {
    throw new UsageError(
      `Cannot use a goal of ${goal.length} characters: at most ${MAX_GOAL} are accepted`,
    );
  }
  return {
    goal,
    deadline: deadlineOf(written.deadline ?? null, { now, prefix }),
    budget: budgetOf(written.budget ?? null, prefix),
  };
}

function deadlineOf(
  written: string | null,
  { now, prefix }: Required<AimsReading>,
): SessionAims["deadline"] {
  if (written === null) return null;
  const ms = written === "none" ? null : durationMs(written);
  const at = ms !== null
    ? now + ms
    : TIME.test(written)
    ? Date.parse(written.replace(" ", "T"))
    : NaN;
  if (!Number.isNaN(at)) return { written, at };
  throw new UsageError(
    `Cannot use ${prefix}deadline "${written}": a duration such as 30m or 2h, or a time such as 2026-11-21T23:50:19Z is accepted`,
  );
}

function budgetOf(written: string | null, prefix: string): SessionAims["budget"] {
  if (written === null) return null;
  const budget: { tokens: number | null; seconds: number | null } = { tokens: null, seconds: null };
  for (const part of written.split(",")) {
    const tokens = /^([1-9]\d{0,9})(k?)$/.exec(part);
    const ms = /^\d{1,9}(?:ms|s|m|h)$/.test(part) ? durationMs(part) : null;
    if (tokens !== null && budget.tokens === null) {
      budget.tokens = Number(tokens[1]) * (tokens[2] === "k" ? 1_000 : 1);
    } else if (ms !== null && ms > 0 && budget.seconds === null) budget.seconds = ms / 1_000;
    else {
      throw new UsageError(
        `Cannot use ${prefix}budget "${written}": output tokens such as 50000 or 50k, a time such as 10m, or both with a comma between are accepted`,
      );
    }
  }
  return budget;
}

/** `--session`, null when it is absent. @throws {UsageError} when it is no session's id. */
export function sessionOf(line: CommandLine): string | null {
  const id = line.values.get("session") ?? null;
  if (id === null || /^s[0-9a-z]{7}$/.test(id)) return id;
  throw new UsageError(`Cannot use --session "${id}": s and 7 letters or digits are accepted`);
}
