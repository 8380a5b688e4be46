import nodeAssert from "node:assert";
import { inspect } from "node:util";

/** How a value stands in a message of one line. */
export function show(value: unknown): string {
  return inspect(value, { depth: Infinity, sorted: true, breakLength: Infinity });
}

/** What two values differ in, line by line, as `node:assert` prints it. */
export function difference(actual: unknown, expected: unknown): string {
  const error = new nodeAssert.AssertionError({ actual, expected, operator: "deepStrictEqual" });
  return error.message.slice(error.message.indexOf("\n"));
}
