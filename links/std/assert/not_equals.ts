import { show } from "./_difference.ts";
import { AssertionError } from "./assertion_error.ts";
import { equal } from "./equal.ts";

/** Throws when both values are deeply equal in the sense of `equal()`. */
export function assertNotEquals<T>(actual: T, expected: T, msg?: string) {
  if (!equal(actual, expected)) return;
  const suffix = msg ? `: ${msg}` : ".";
  throw new AssertionError(
    `Expected actual: ${show(actual)} not to be: ${show(expected)}${suffix}`,
  );
}
