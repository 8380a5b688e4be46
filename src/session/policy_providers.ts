/** The feedback providers that a policy lists. */
import { builtinProvider } from "../feedback/providers/builtin_providers.ts";
import type { FeedbackProvider } from "../feedback/providers/provider.ts";
import { providersOf } from "../policy/merge_feedback.ts";
import type { Policy } from "../policy/policy.ts";
import { lastWorkspaceChange } from "./workspace_changes.ts";

/** Makes the providers. @throws {UsageError} for one that cannot be used. */
export function policyProviders(policy: Policy, workspace: string): readonly FeedbackProvider[] {
  const changed = (times: readonly (readonly [number, number])[]) =>
    lastWorkspaceChange(workspace, times);
  return providersOf(policy.feedback).map((setting) => builtinProvider(setting, changed));
}
