import { AssertionError } from "./assertion_error.ts";

/** Throws unless the string contains the other. */
export function assertStringIncludes(actual: string, expected: string, msg?: string) {
  if (actual.includes(expected)) return;
  const suffix = msg ? `: ${msg}` : ".";
  throw new AssertionError(`Expected actual: "${actual}" to contain: "${expected}"${suffix}`);
}
