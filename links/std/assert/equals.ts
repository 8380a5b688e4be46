import { difference } from "./_difference.ts";
import { AssertionError } from "./assertion_error.ts";
import { equal } from "./equal.ts";

/** Throws, with the difference, unless both values are deeply equal in the sense of `equal()`. */
export function assertEquals<T>(actual: T, expected: T, msg?: string) {
  if (equal(actual, expected)) return;
  const suffix = msg ? `: ${msg}` : ".";
  throw new AssertionError(`Values are not equal${suffix}\n${difference(actual, expected)}`);
}
