import { AssertionError } from "./assertion_error.ts";
import { assertIsError } from "./is_error.ts";

/** Rejects unless the function's promise rejects. Resolves to what it rejected with. */
export function assertRejects(fn: () => PromiseLike<unknown>, msg?: string): Promise<unknown>;
/** Rejects unless the function's promise rejects with such an error and message. */
export function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  // deno-lint-ignore no-explicit-any
  ErrorClass: new (...args: any[]) => E,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
/** Rejects unless the function's promise rejects. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  // deno-lint-ignore no-explicit-any
  errorClassOrMsg?: (new (...args: any[]) => E) | string,
  msgIncludes?: string,
  msg?: string,
): Promise<unknown> {
  const ErrorClass = typeof errorClassOrMsg === "string" ? undefined : errorClassOrMsg;
  const note = typeof errorClassOrMsg === "string" ? errorClassOrMsg : msg;
  const suffix = note ? `: ${note}` : ".";
  const promise = call(fn, suffix);
  try {
    await promise;
  } catch (error) {
    if (ErrorClass === undefined) return error;
    if (!(error instanceof Error)) {
      throw new AssertionError(`A non-Error object was rejected${suffix}`);
    }
    assertIsError(error, ErrorClass, msgIncludes, note);
    return error;
  }
  throw new AssertionError(`Expected function to reject${suffix}`);
}

// A function that throws at once, or returns no promise, has not rejected.
function call(fn: () => PromiseLike<unknown>, suffix: string): PromiseLike<unknown> {
  let promise: unknown;
  try {
    promise = fn();
  } catch {
    promise = undefined;
  }
  if (typeof promise === "object" && promise !== null && "then" in promise) {
    if (typeof promise.then === "function") return promise as PromiseLike<unknown>;
  }
  throw new AssertionError(`Function throws when expected to reject${suffix}`);
}
