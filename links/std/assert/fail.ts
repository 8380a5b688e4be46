import { AssertionError } from "./assertion_error.ts";

/** Throws always. */
export function fail(msg?: string): never {
  throw new AssertionError(`Failed assertion${msg ? `: ${msg}` : "."}`);
}
