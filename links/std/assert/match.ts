import { AssertionError } from "./assertion_error.ts";

/** Throws unless the string matches. */
export function assertMatch(actual: string, expected: RegExp, msg?: string) {
  if (expected.test(actual)) return;
  const suffix = msg ? `: ${msg}` : ".";
  throw new AssertionError(`Expected actual: "${actual}" to match: "${expected}"${suffix}`);
}
