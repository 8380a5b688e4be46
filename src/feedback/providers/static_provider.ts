/** Feedback that is always the same: a rule of the policy, or a fixed text. */
import type { Feedback, FeedbackProvider, FeedbackTrigger } from "./provider.ts";
import { isTriggered } from "./trigger.ts";

/** Says the given at its trigger. */
export function staticProvider(
  name: string,
  options: { readonly trigger: FeedbackTrigger; readonly say: Omit<Feedback, "providerName"> },
): FeedbackProvider {
  const { trigger, say } = options;
  return {
    name,
    watches: trigger.onFileCreated ?? [],
    shouldRun: (context) => isTriggered(trigger, context),
    provide: () => ({ ...say, providerName: name }),
  };
}
