import { AssertionError } from "./assertion_error.ts";

/** Throws when the value is null or undefined. */
export function assertExists<T>(actual: T, msg?: string): asserts actual is NonNullable<T> {
  if (actual !== undefined && actual !== null) return;
  const suffix = msg ? `: ${msg}` : ".";
  throw new AssertionError(`Expected actual: "${actual}" to not be null or undefined${suffix}`);
}
