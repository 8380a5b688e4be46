/** Providers about how the work goes. */
import { shortText } from "../../record/visible_text.ts";
import type { LastChange } from "./loop_provider.ts";
import {
  type FeedbackCommand,
  type FeedbackContext,
  type FeedbackProvider,
  type FeedbackTrigger,
  isFailure,
} from "./provider.ts";
import { spokenDuration } from "./spoken_duration.ts";
import { isTriggered } from "./trigger.ts";
import { counted } from "../../output/counted.ts";

/** Failures in a row after which it is said, and after how many more again. */
const STREAK = { first: 4, again: 5 } as const;
/** What a command may take before it counts as slow, in ms. */
const SLOW_MS = 60_000;
/** Commands between two looks for changes after a passing test. */
const STALE_EVERY = 5;

const NO_LISTS = { observations: [], suggestions: [] } as const;

/** Commands whose pass says that code works. Decides only whether a hint is given. */
const TEST =
  /(?:^|[\s;&|/])(?:pytest|vitest|jest|mocha|ctest|phpunit|rspec|(?:npm|pnpm|yarn|bun|deno|cargo|go|make|mvn|gradle|dotnet|mix|swift)(?: run| task)? (?:test|check)\b)/;

/** Counts commands: what has been used so far, and how it ended. */
export function commandCountProvider(
  trigger: FeedbackTrigger = { everyNCalls: 10 },
): FeedbackProvider {
  return {
    name: "CommandCount",
    watches: trigger.onFileCreated ?? [],
    shouldRun: (context) => isTriggered(trigger, context),
    provide: ({ call, history, command }) => {
      const recent = [...history, command];
      const failed = recent.filter(isFailure).length;
      return {
        ...NO_LISTS,
        providerName: "CommandCount",
        summary: `You have run ${counted(call, "command")}.`,
        observations: [{
          category: "Recent",
          description: `${failed} of the last ${recent.length} failed`,
        }],
        severity: "info",
      };
    },
  };
}

/** Different commands that fail one after the other; for the same one there is `Loop`. */
export function failureStreakProvider(): FeedbackProvider {
  const streak = ({ history, command }: FeedbackContext) => {
    const all = [...history, command];
    return all.length - 1 - all.findLastIndex((one) => !isFailure(one));
  };
  return {
    name: "FailureStreak",
    shouldRun: (context) => {
      const length = streak(context);
      const recent = [...context.history, context.command].slice(-Math.max(1, length));
      const varied = new Set(recent.map(({ command }) => command)).size > 1;
      return varied && length >= STREAK.first && (length - STREAK.first) % STREAK.again === 0;
    },
    provide: (context) => ({
      ...NO_LISTS,
      providerName: "FailureStreak",
      summary: `The last ${streak(context)} commands have failed.`,
      observations: [{
        category: "Began with",
        description: [...context.history, context.command].at(-streak(context))!.command,
      }],
      suggestions: ["`debrief log --status nonzero,null --limit 10` lists them."],
      severity: "caution",
    }),
  };
}

/** Files that were changed after the last passing test, said once for each pass. */
export function staleTestsProvider(lastChange: LastChange): FeedbackProvider {
  const stale = ({ call, now, history, command, state }: FeedbackContext) => {
    const all = [...history, command];
    const index = all.findLastIndex((one) => one.exitCode === 0 && TEST.test(one.command));
    const pass = all[index];
    if (pass === undefined || state.memory.told === pass.commandId) return null;
    const since = all.length - 1 - index;
    if (since === 0 || (since % STALE_EVERY !== 0 && call > 1)) return null;
    return lastChange([[pass.startedAt + pass.durationMs, now]]) === null ? null : pass;
  };
  return {
    name: "StaleTests",
    shouldRun: (context) => stale(context) !== null,
    provide: (context) => {
      const pass = stale(context)!;
      context.state.memory.told = pass.commandId;
      return {
        ...NO_LISTS,
        providerName: "StaleTests",
        summary: "Files have changed since the tests last passed.",
        observations: [{ category: "Passed", description: pass.command, evidence: pass.commandId }],
        severity: "info",
      };
    },
  };
}

/** Commands that may have done something, and whose end nobody saw. */
function isOpen({ outcome }: FeedbackCommand): boolean {
  return outcome === "no-exit" || outcome === "timeout";
}

/** Commands without an exit status that no later run of the same has settled; each is named once, by a later command. */
export function unverifiedProvider(): FeedbackProvider {
  const open = ({ history, command, state }: FeedbackContext) => {
    const told = Array.isArray(state.memory.told) ? state.memory.told : [];
    return history.filter((one, index) =>
      isOpen(one) && !told.includes(one.commandId) && one.command !== command.command &&
      !history.slice(index + 1).some((later) => later.command === one.command)
    );
  };
  return {
    name: "Unverified",
    shouldRun: (context) => open(context).length > 0,
    provide: (context) => {
      const left = open(context);
      const { memory } = context.state;
      const told = Array.isArray(memory.told) ? memory.told : [];
      memory.told = [...told, ...left.map(({ commandId }) => commandId)].slice(-32);
      return {
        ...NO_LISTS,
        providerName: "Unverified",
        summary: left.length === 1
          ? "One command has no exit status: whether it did its work is open."
          : `${left.length} commands have no exit status: whether they did their work is open.`,
        observations: left.slice(-3).map(({ command, commandId }) => ({
          category: "Open",
          description: shortText(command, 120),
          evidence: commandId,
        })),
        severity: "caution",
      };
    },
  };
}

/** A command that took long, once for each. */
export function slowCommandProvider(limitMs: number = SLOW_MS): FeedbackProvider {
  const keyOf = ({ command }: FeedbackCommand) => shortText(command, 60);
  const told = ({ memory }: FeedbackContext["state"]) =>
    Array.isArray(memory.told) ? memory.told : [];
  return {
    name: "SlowCommand",
    shouldRun: ({ command, state }) =>
      command.durationMs >= limitMs && !told(state).includes(keyOf(command)),
    provide: ({ command, state }) => {
      state.memory.told = [...told(state), keyOf(command)].slice(-16);
      return {
        ...NO_LISTS,
        providerName: "SlowCommand",
        summary: `This took ${spokenDuration(command.durationMs)}.`,
        suggestions: [
          `\`debrief output ${command.commandId}\` has its output without another run.`,
        ],
        severity: "info",
      };
    },
  };
}

/** Secrets that were hidden, once for each kind. */
export function secretsSeenProvider(): FeedbackProvider {
  const told = ({ memory }: FeedbackContext["state"]) =>
    Array.isArray(memory.told) ? memory.told : [];
  const fresh = ({ command, state }: FeedbackContext) =>
    Object.keys(command.redactions).filter((rule) => !told(state).includes(rule));
  return {
    name: "SecretsSeen",
    shouldRun: (context) => fresh(context).length > 0,
    provide: (context) => {
      const rules = fresh(context);
      context.state.memory.told = [...told(context.state), ...rules].slice(-32);
      return {
        ...NO_LISTS,
        providerName: "SecretsSeen",
        summary: `Secrets in the output were hidden: ${rules.slice(0, 5).join(", ")}.`,
        suggestions: [
          "What stands in their place is not the value: it cannot be copied from here.",
        ],
        severity: "caution",
      };
    },
  };
}
