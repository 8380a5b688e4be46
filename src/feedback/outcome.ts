/** What kind of end a command had, decided in one table. */
import type { Outcome } from "../record/record.ts";
import type { Observed } from "./observed.ts";
import { OUTCOME_TABLE } from "./outcome_table.ts";

/**
 * Decides the outcome of a command. Pure and linear in the bounded lines that it looks at.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { classify } from "@debrief/debrief";
 *
 * const none = { bytes: 0, lines: 0, tail: "", truncated: null, spoolDropped: 0, binary: null };
 * const summary = { stdout: none, stderr: none, redactions: {}, notable: [], spoolError: null };
 * const outcome = classify({
 *   ending: { exitCode: 1, signal: null, error: null, errno: null, timedOut: false, durationMs: 3, summary },
 *   command: ["grep", "needle", "hay.txt"],
 *   programs: [{ name: "grep", args: ["needle", "hay.txt"] }],
 *   denials: [],
 *   syntaxError: null,
 * });
 * assertEquals(outcome, { kind: "no-results", reason: "nothing found" });
 * ```
 */
export function classify(observed: Observed): Outcome {
  for (const row of OUTCOME_TABLE) {
    const reason = row.decide(observed);
    if (reason !== null) return { kind: row.kind, reason };
  }
  throw new TypeError("Cannot classify a command: the table's last row must match everything");
}
