/** What is a secret because of where it stands: values of the shell's own variables. */
import { secretNameKind } from "../output/secret_names.ts";
import type { Policy } from "../policy/policy.ts";

/** Values of variables whose names announce a secret or that the policy names. */
export function knownSecrets(
  environment: Readonly<Record<string, string>>,
  policy: Policy,
): { readonly name: string; readonly value: string }[] {
  return Object.entries(environment)
    .filter(([name]) => secretNameKind(name) !== null || policy.redact.env.includes(name))
    .map(([name, value]) => ({ name, value }));
}
