/** The redactor that a policy asks for. */
import { Redactor } from "../output/redact.ts";
import type { RedactSettings } from "../policy/policy.ts";
import { knownSecrets, type NamedValue } from "./known_secrets.ts";
import { secretsInFiles } from "./secret_files.ts";

/**
 * Make a redactor for the shell's own variables, what the policy adds, and `values` besides.
 *
 * @throws {PolicyError} for a file of values that cannot be used.
 */
export function policyRedactor(
  settings: RedactSettings,
  known: {
    readonly environment: Readonly<Record<string, string>>;
    readonly values?: readonly NamedValue[];
  },
): Redactor {
  return new Redactor({
    values: [
      ...knownSecrets(known.environment, settings.env),
      ...secretsInFiles(settings.values),
      ...known.values ?? [],
    ],
    rules: settings.rules,
    allow: settings.allow,
  });
}
