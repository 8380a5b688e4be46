import { stripVTControlCharacters } from "node:util";
import { AssertionError } from "./assertion_error.ts";

/**
 * Throws unless the value is an error, of the class and with the message that are asked for.
 * Colours in the message do not count.
 */
export function assertIsError<E extends Error = Error>(
  error: unknown,
  // deno-lint-ignore no-explicit-any
  ErrorClass?: new (...args: any[]) => E,
  msgMatches?: string | RegExp,
  msg?: string,
): asserts error is E {
  const suffix = msg ? `: ${msg}` : ".";
  if (!(error instanceof Error)) {
    throw new AssertionError(`Expected "error" to be an Error object${suffix}`);
  }
  if (ErrorClass && !(error instanceof ErrorClass)) {
    const found = (error as Error).constructor?.name;
    throw new AssertionError(
      `Expected error to be instance of "${ErrorClass.name}", but was "${found}"${suffix}`,
    );
  }
  if (!msgMatches || matches(error.message, msgMatches)) return;
  const wanted = typeof msgMatches === "string" ? JSON.stringify(msgMatches) : `${msgMatches}`;
  throw new AssertionError(
    `Expected error message to include ${wanted}, but got ${
      JSON.stringify(error.message)
    }${suffix}`,
  );
}

function matches(message: string, wanted: string | RegExp): boolean {
  const plain = stripVTControlCharacters(message);
  if (typeof wanted !== "string") return wanted.test(plain);
  return plain.includes(stripVTControlCharacters(wanted));
}
