/** What is a secret because of where it stands: values of the shell's own variables. */
import { telemetrySecrets } from "../telemetry/telemetry_settings.ts";
import { secretNameKind } from "../output/secret_names.ts";

/** A value under the name that its label shows. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Values of variables whose names announce a secret or stand in `named`, as those of `redact.env` do. */
export function namedSecrets(
  environment: Readonly<Record<string, string>>,
  named: readonly string[],
): NamedValue[] {
  return Object.entries(environment)
    .filter(([name]) => secretNameKind(name) !== null || named.includes(name))
    .map(([name, value]) => ({ name, value }));
}

/** The same of the shell's own environment, and a collector's keys. */
export function knownSecrets(
  environment: Readonly<Record<string, string>>,
  named: readonly string[],
): NamedValue[] {
  return [...namedSecrets(environment, named), ...telemetrySecrets(environment)];
}
