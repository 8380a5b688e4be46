import { show } from "./_difference.ts";
import { AssertionError } from "./assertion_error.ts";

/** Throws when `Object.is()` holds. */
export function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string) {
  if (!Object.is(actual, expected)) return;
  const suffix = msg ? `: ${msg}` : ".";
  throw new AssertionError(
    `Expected "actual" to not be strictly equal to: ${show(actual)}${suffix}\n`,
  );
}
