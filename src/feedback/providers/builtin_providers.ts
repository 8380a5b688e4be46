/** From a policy's list to built-in providers and rules. */
import type { FeedbackProviderName, ProviderSetting, TriggerSetting } from "../../policy/policy.ts";
import { OUTCOME_KINDS, type OutcomeKind } from "../../record/record.ts";
import { UsageError } from "../../errors.ts";
import { type LastChange, loopProvider } from "./loop_provider.ts";
import type { FeedbackProvider, FeedbackTrigger } from "./provider.ts";
import { staticProvider } from "./static_provider.ts";
import { budgetProvider, deadlineProvider } from "./time_providers.ts";
import { isTriggered } from "./trigger.ts";
import {
  commandCountProvider,
  failureStreakProvider,
  secretsSeenProvider,
  slowCommandProvider,
  staleTestsProvider,
  unverifiedProvider,
} from "./work_providers.ts";

type Make = (trigger: FeedbackTrigger | undefined, changed: LastChange) => FeedbackProvider;

const BUILTINS: Readonly<Record<FeedbackProviderName, Make>> = {
  Deadline: (trigger) => deadlineProvider(trigger),
  Budget: () => budgetProvider(),
  Loop: (_, changed) => loopProvider(changed),
  FailureStreak: () => failureStreakProvider(),
  Unverified: () => unverifiedProvider(),
  StaleTests: (_, changed) => staleTestsProvider(changed),
  SecretsSeen: () => secretsSeenProvider(),
  SlowCommand: () => slowCommandProvider(),
  CommandCount: (trigger) => commandCountProvider(trigger),
};

/** Built-in providers whose trigger is their own cadence; for the others one narrows when they look. */
const WITH_CADENCE: ReadonlySet<FeedbackProviderName> = new Set(["Deadline", "CommandCount"]);

/** Makes a built-in provider or a rule. */
export function builtinProvider(
  setting: Extract<ProviderSetting, { kind: "builtin" | "say" }>,
  changed: LastChange,
): FeedbackProvider {
  const { name } = setting;
  const trigger = triggerOf(setting);
  if (setting.kind === "say") {
    return staticProvider(name, { trigger: trigger ?? {}, say: setting.say });
  }
  const provider = { ...BUILTINS[setting.use](trigger ?? undefined, changed), name };
  return trigger === null || WITH_CADENCE.has(setting.use)
    ? provider
    : withTrigger(provider, trigger);
}

/** A provider that is asked only when a trigger holds. */
export function withTrigger(
  provider: FeedbackProvider,
  trigger: FeedbackTrigger,
): FeedbackProvider {
  return {
    ...provider,
    watches: [...provider.watches ?? [], ...trigger.onFileCreated ?? []],
    shouldRun: (context) => isTriggered(trigger, context) && provider.shouldRun(context),
  };
}

/** The trigger of a setting, null when it has none. @throws {UsageError} for a word that is no outcome. */
export function triggerOf(
  { name, trigger }: { readonly name: string; readonly trigger: TriggerSetting | null },
): FeedbackTrigger | null {
  if (trigger === null) return null;
  const { onOutcome, ...rest } = trigger;
  const unknown = onOutcome?.find((word) => !isOutcome(word));
  if (unknown !== undefined) {
    throw new UsageError(
      `Cannot use the outcome "${unknown}" in the trigger of "${name}": accepted are ${
        OUTCOME_KINDS.join(", ")
      }`,
    );
  }
  return { ...rest, ...(onOutcome ? { onOutcome: onOutcome.filter(isOutcome) } : {}) };
}

function isOutcome(word: string): word is OutcomeKind {
  return (OUTCOME_KINDS as readonly string[]).includes(word);
}
