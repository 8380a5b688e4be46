/** Providers about what is left: time, and what the caller set aside. */
import { isTriggered } from "./trigger.ts";
import type { Feedback, FeedbackContext, FeedbackProvider, FeedbackTrigger } from "./provider.ts";
import { spokenDuration } from "./spoken_duration.ts";

/** At and below this the time is nearly over, in ms. */
const URGENT_MS = 120_000;
/** Of a budget, from which on it is nearly used up. */
const WARN_SHARE = 0.8;

type Phase = "open" | "urgent" | "past";

function phaseOf({ deadline, now }: FeedbackContext): Phase {
  const left = (deadline ?? Infinity) - now;
  return left <= 0 ? "past" : left <= URGENT_MS ? "urgent" : "open";
}

/** Says how much time remains: at its trigger, and when the time becomes urgent or is over. */
export function deadlineProvider(
  trigger: FeedbackTrigger = { everyNCalls: 5, everyNSeconds: 120 },
): FeedbackProvider {
  return {
    name: "Deadline",
    watches: trigger.onFileCreated ?? [],
    shouldRun: (context) => {
      if (context.deadline === null) return false;
      const phase = phaseOf(context);
      const isNew = phase !== "open" && context.state.memory.phase !== phase;
      return isNew || isTriggered(trigger, context);
    },
    provide: (context) => {
      const phase = phaseOf(context);
      context.state.memory.phase = phase;
      return deadlineFeedback(phase, (context.deadline ?? 0) - context.now);
    },
  };
}

function deadlineFeedback(phase: Phase, leftMs: number): Feedback {
  const common = { providerName: "Deadline", observations: [] };
  switch (phase) {
    case "past":
      return {
        ...common,
        summary: "You have reached the time deadline.",
        suggestions: ["Wrap up immediately."],
        severity: "warning",
      };
    case "urgent":
      return {
        ...common,
        summary: `You have ${spokenDuration(leftMs)} remaining.`,
        suggestions: [
          "Prioritize completing critical remaining work.",
          "Leave what is unfinished in a state that the next one can pick up.",
        ],
        severity: "warning",
      };
    case "open":
      return {
        ...common,
        summary: `You have ${spokenDuration(leftMs)} remaining.`,
        suggestions: ["Prioritize completing critical remaining work."],
        severity: "info",
      };
  }
}

/** One warning for each bound, at 80 %. */
export function budgetProvider(): FeedbackProvider {
  const reached = ({ budget, used, state }: FeedbackContext) =>
    (["tokens", "seconds"] as const).filter((unit) => {
      const bound = budget[unit];
      return bound !== null && state.memory[unit] !== true && used[unit] >= bound * WARN_SHARE;
    });
  return {
    name: "Budget",
    shouldRun: (context) => reached(context).length > 0,
    provide: (context) => {
      const units = reached(context);
      for (const unit of units) context.state.memory[unit] = true;
      return {
        providerName: "Budget",
        summary: units.map((unit) => {
          const bound = context.budget[unit] ?? 0;
          const used = Math.floor(context.used[unit]);
          const what = unit === "tokens" ? "output tokens" : "seconds of command time";
          return `${used} of ${bound} ${what} are used (${percent(used, bound)} %).`;
        }).join(" "),
        observations: [],
        suggestions: ["Shorter output: a filter, a range of lines, a quiet option."],
        severity: "warning",
      };
    },
  };
}

function percent(used: number, bound: number): number {
  return bound === 0 ? 100 : Math.floor(used / bound * 100);
}
