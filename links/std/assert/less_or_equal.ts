import { show } from "./_difference.ts";
import { AssertionError } from "./assertion_error.ts";

/** Throws unless `actual <= expected`; a message replaces the default one. */
export function assertLessOrEqual<T>(actual: T, expected: T, msg?: string) {
  if (actual <= expected) return;
  throw new AssertionError(msg ?? `Expect ${show(actual)} <= ${show(expected)}`);
}
