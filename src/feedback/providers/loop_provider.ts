/** Says when the session goes in circles. */
import type { Feedback, FeedbackCommand, FeedbackContext, FeedbackProvider } from "./provider.ts";
import { findLoop, type Loop } from "./loop.ts";

/**
 * When something of the workspace was last changed within one of the times, each from and to in ms since 1970; null when
 * nothing was, Infinity when there is too much to look at.
 */
export type LastChange = (times: readonly (readonly [number, number])[]) => number | null;

/** Failures at which the words become a warning. */
const ESCALATION = 5;
/** Characters of an error that is quoted. */
const MAX_QUOTE = 160;

const WORDS: Readonly<Record<Loop["rule"], string>> = {
  identical: "The same command has given the same result",
  failures: "The same command has failed the same way",
  alternation: "Two commands alternate with equal results",
  cycle: "The same commands repeat with equal results",
  similar: "The same program fails with nearly the same output",
};

/** One nudge for each loop, which quotes the error; a second one, louder, at five failures. A change of the workspace begins anew. */
export function loopProvider(lastChange: LastChange): FeedbackProvider {
  const look = (context: FeedbackContext): Loop | null => {
    const commands = [...context.history, context.command];
    const loop = findLoop(commands);
    if (loop === null) return null;
    const changed = lastChange(gaps(commands.slice(-loop.length)));
    // What was seen before a change is another matter: only what has happened since counts.
    const left = changed === null
      ? loop
      : findLoop(commands.filter(({ startedAt }) => startedAt >= changed));
    if (left === null) return null;
    const told = context.state.memory[left.key];
    return typeof told === "number" && told >= levelOf(left) ? null : left;
  };
  return {
    name: "Loop",
    shouldRun: (context) => look(context) !== null,
    provide: (context) => {
      const loop = look(context);
      if (loop === null) throw new Error("the workspace has just changed");
      const { memory } = context.state;
      for (const key of Object.keys(memory).slice(0, -8)) delete memory[key];
      memory[loop.key] = levelOf(loop);
      return feedbackOf(loop, context);
    },
  };
}

/** The times in which none of the loop's own commands ran: what those write is part of what they do. */
function gaps(commands: readonly FeedbackCommand[]): readonly (readonly [number, number])[] {
  return commands.slice(1).map((next, index) => {
    const before = commands[index]!;
    return [before.startedAt + before.durationMs, next.startedAt] as const;
  });
}

function levelOf({ rule, length }: Loop): number {
  return (rule === "failures" || rule === "similar") && length >= ESCALATION ? 2 : 1;
}

function feedbackOf(loop: Loop, { command }: FeedbackContext): Feedback {
  const loud = levelOf(loop) === 2;
  const error = command.exitCode === 0 ? "" : lastLine(command.tail);
  const rounds = loop.length / loop.commands.length;
  return {
    providerName: "Loop",
    summary: `${WORDS[loop.rule]} ${rounds} times.`,
    observations: [
      { category: "Command", description: loop.commands.join(" ; ") },
      ...(error === "" ? [] : [{ category: "Error", description: error }]),
    ],
    suggestions: [
      loud
        ? "Nothing in the workspace has changed in between: a further run will end the same way."
        : "The result is the same as long as its input is: a change of file, argument or approach gives another.",
    ],
    severity: loud ? "warning" : "caution",
  };
}

function lastLine(tail: string): string {
  const lines = tail.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const telling = lines.findLast((line) => /error|fail|exception|cannot|denied/i.test(line));
  return (telling ?? lines.at(-1) ?? "").slice(0, MAX_QUOTE);
}
