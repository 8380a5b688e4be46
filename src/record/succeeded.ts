/** What an end without an exit status may never be taken for. */
import type { CommandRecord, Outcome, OutcomeKind } from "./record.ts";

type End = Pick<CommandRecord, "exit_code" | "outcome">;

/** Outcomes that only an observed exit status can have: they say that the command did what it does. */
const NEEDS_EXIT: ReadonlySet<OutcomeKind> = new Set([
  "success",
  "success-empty",
  "partial",
  "no-results",
  "false",
]);

/** Outcomes of commands that were asked a question and answered no, with a status other than 0. */
const ANSWERS: ReadonlySet<OutcomeKind> = new Set(["no-results", "false"]);

/** True for status 0, and for nothing else: not for a missing status, whatever outcome or error say. */
export function succeeded({ exit_code }: Pick<CommandRecord, "exit_code">): boolean {
  return exit_code === 0;
}

/** True when a command did what it does: status 0, or the plain no of a search or test. */
export function answered({ exit_code, outcome }: End): boolean {
  return exit_code === 0 || (exit_code !== null && ANSWERS.has(outcome.kind));
}

/**
 * The outcome as it may be stored and shown: without an exit status none that needs one. The table of outcomes
 * never gives such a pair; a changed journal or a later mistake may.
 */
export function honestOutcome({ exit_code, outcome }: End): Outcome {
  if (exit_code !== null || !NEEDS_EXIT.has(outcome.kind)) return outcome;
  return { kind: "no-exit", reason: "no exit was observed" };
}
