/**
 * Searching kept output by a regular expression in the syntax of RE2, which takes linear time whatever it is: no lookaround,
 * no references. A file of its own, because the engine is a quarter of what a command would load otherwise.
 */
import { RE2JS, RE2JSException } from "re2js";
import { UsageError } from "../errors.ts";
import type { LinePattern } from "./line_bytes.ts";

/** Compile an expression. @throws {UsageError} when it is invalid. */
export function linePattern(source: string): LinePattern {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, "");
    throw new UsageError(`Cannot search for "${source}": ${reason} (the syntax is that of RE2)`);
  }
}
