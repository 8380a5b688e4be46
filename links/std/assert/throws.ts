import { AssertionError } from "./assertion_error.ts";
import { assertIsError } from "./is_error.ts";

/** Throws unless the function throws. Returns what it threw. */
export function assertThrows(fn: () => unknown, msg?: string): unknown;
/** Throws unless the function throws such an error with such a message. Returns the error. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  // deno-lint-ignore no-explicit-any
  ErrorClass: new (...args: any[]) => E,
  msgIncludes?: string,
  msg?: string,
): E;
/** Throws unless the function throws. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  // deno-lint-ignore no-explicit-any
  errorClassOrMsg?: (new (...args: any[]) => E) | string,
  msgIncludes?: string,
  msg?: string,
): unknown {
  const ErrorClass = typeof errorClassOrMsg === "string" ? undefined : errorClassOrMsg;
  const note = typeof errorClassOrMsg === "string" ? errorClassOrMsg : msg;
  const suffix = note ? `: ${note}` : ".";
  try {
    fn();
  } catch (error) {
    if (ErrorClass === undefined) return error;
    if (!(error instanceof Error)) {
      throw new AssertionError(`A non-Error object was thrown${suffix}`);
    }
    assertIsError(error, ErrorClass, msgIncludes, note);
    return error;
  }
  throw new AssertionError(`Expected function to throw${suffix}`);
}
