import { AssertionError } from "./assertion_error.ts";

/** Throws unless the value is truthy. */
export function assert(expr: unknown, msg = ""): asserts expr {
  if (!expr) throw new AssertionError(msg);
}
