import { AssertionError } from "./assertion_error.ts";

/** Throws when the string matches. */
export function assertNotMatch(actual: string, expected: RegExp, msg?: string) {
  if (!expected.test(actual)) return;
  const suffix = msg ? `: ${msg}` : ".";
  throw new AssertionError(`Expected actual: "${actual}" to not match: "${expected}"${suffix}`);
}
