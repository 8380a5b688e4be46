/** What is a secret because of where it stands: values of the shell's own variables. */
import { secretNameKind } from "../output/secret_names.ts";

/** Values of variables whose names announce a secret or stand in `named`, as those of `redact.env` do. */
export function knownSecrets(
  environment: Readonly<Record<string, string>>,
  named: readonly string[],
): { readonly name: string; readonly value: string }[] {
  return Object.entries(environment)
    .filter(([name]) => secretNameKind(name) !== null || named.includes(name))
    .map(([name, value]) => ({ name, value }));
}
