import { difference, show } from "./_difference.ts";
import { AssertionError } from "./assertion_error.ts";

/** Throws unless `Object.is()` holds. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  const suffix = msg ? `: ${msg}` : ".";
  if (show(actual) === show(expected)) {
    throw new AssertionError(
      `Values have the same structure but are not reference-equal${suffix}\n\n    ${
        show(actual)
      }\n`,
    );
  }
  throw new AssertionError(
    `Values are not strictly equal${suffix}\n${difference(actual, expected)}`,
  );
}
