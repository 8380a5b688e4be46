/**
 * What kind of end a command had, decided in one table from top to bottom. The exit code always wins: status 0 is
 * never an error and another status never a success, whatever the output says.
 */
import type { Outcome, OutcomeKind } from "../record/record.ts";
import {
  knownLines,
  missingProgram,
  type Observed,
  programName,
  refusedProgram,
} from "./observed.ts";
import {
  EX_USAGE,
  FAILURE_SUMMARIES,
  MISSING_ERRNOS,
  REFUSED_ERRNOS,
  SHELL_SIGNALS,
  TIMEOUT_STATUS,
  USAGE_LINES,
  USAGE_STATUSES,
} from "./outcome_signs.ts";
import { asks, searches, silent } from "./program_kinds.ts";
import { durationText } from "../record/duration_text.ts";

/** One row: the first whose `decide` gives a reason decides. */
export interface OutcomeRow {
  readonly kind: OutcomeKind;
  /** The condition in words, for the reference. */
  readonly when: string;
  /** A command that ends so. */
  readonly example: string;
  readonly decide: (observed: Observed) => string | null;
}

/** The table. Rows above win over rows below. */
export const OUTCOME_TABLE: readonly OutcomeRow[] = [
  {
    kind: "syntax-error",
    when: "the text does not parse; nothing was executed",
    example: "echo 'open",
    decide: ({ syntaxError, ending }) =>
      syntaxError === null || ending.exitCode === 0
        ? null
        : `line ${syntaxError.line}, column ${syntaxError.column}: ${syntaxError.message}`,
  },
  {
    kind: "denied-policy",
    when: "the policy refused it before the run",
    example: "git push --force",
    decide: ({ denials, ending }) => {
      const denial = denials.find(({ by }) => by === "policy");
      return denial === undefined || ending.exitCode === 0
        ? null
        : `${denial.permission} ${denial.resource}`;
    },
  },
  {
    kind: "killed",
    when: "another limit of the policy, or whoever started it, ended it",
    example: "a fork bomb",
    decide: ({ ending }) => {
      if (ending.exitCode === 0) return null;
      return ending.limit?.text ?? ending.stopped ?? null;
    },
  },
  {
    kind: "timeout",
    when: "the time limit ended it, or timeout(1) did (status 124)",
    example: "timeout 1 sleep 5",
    decide: ({ ending, programs }) => {
      if (ending.timedOut && ending.exitCode !== 0) {
        return `ended after ${durationText(ending.durationMs)}`;
      }
      const wrapped = programs.some((use) => programName(use) === "timeout");
      return ending.exitCode === TIMEOUT_STATUS && wrapped ? "timeout(1) ended it" : null;
    },
  },
  {
    kind: "not-found",
    when: "the program does not exist; no exit",
    example: "debrief -- nosuch",
    decide: (observed) =>
      noExit(observed) && MISSING_ERRNOS.has(observed.ending.errno ?? 0) ? missing(observed) : null,
  },
  {
    kind: "not-executable",
    when: "the program cannot be executed; no exit",
    example: "debrief -- ./README.md",
    decide: (observed) =>
      noExit(observed) && REFUSED_ERRNOS.has(observed.ending.errno ?? 0) ? refused(observed) : null,
  },
  {
    kind: "killed",
    when: "a signal ended it, by itself or as the shell reports it (128 + n)",
    example: "kill -9 $$",
    decide: ({ ending }) => {
      if (ending.exitCode === 0) return null;
      if (ending.signal !== null) return `ended by ${ending.signal}`;
      const name = ending.exitCode === null ? undefined : SHELL_SIGNALS[ending.exitCode];
      return name === undefined ? null : `ended by ${name}, as its exit status says`;
    },
  },
  {
    kind: "no-exit",
    when: "no exit was observed",
    example: "a command whose runner failed",
    decide: (observed) => noExit(observed) ? observed.ending.error ?? "no exit was observed" : null,
  },
  {
    kind: "denied-sandbox",
    when: "it failed, and the kernel had refused something",
    example: "touch /etc/x",
    decide: ({ denials, ending }) => {
      const denial = denials.find(({ by }) => by === "sandbox");
      return denial === undefined || ending.exitCode === 0
        ? null
        : `${denial.permission} ${denial.resource}`;
    },
  },
  {
    kind: "not-found",
    when: "status 127",
    example: "gti status",
    decide: (observed) => observed.ending.exitCode === 127 ? missing(observed) : null,
  },
  {
    kind: "not-executable",
    when: "status 126",
    example: "./README.md",
    decide: (observed) => observed.ending.exitCode === 126 ? refused(observed) : null,
  },
  {
    kind: "usage",
    when: "status 64, or status 2 (git: 129) with a usage line",
    example: "grep --nosuch",
    decide: ({ ending }) => {
      if (ending.exitCode === EX_USAGE) return "wrong command line (EX_USAGE)";
      if (ending.exitCode === null || !USAGE_STATUSES.has(ending.exitCode)) return null;
      return firstMatch(knownLines(ending), USAGE_LINES);
    },
  },
  {
    kind: "false",
    when: "status 1 of test, diff, cmp and their like",
    example: "test -f nosuch",
    decide: ({ ending, programs }) =>
      ending.exitCode === 1 && asks(programs) && ending.summary.stderr.bytes === 0
        ? "a plain no"
        : null,
  },
  {
    kind: "no-results",
    when: "status 1 of grep, rg, find, ls and their like, without output",
    example: "grep nosuch file",
    decide: ({ ending, programs }) =>
      ending.exitCode === 1 && quiet(ending) && searches(programs) ? "nothing found" : null,
  },
  {
    kind: "failed",
    when: "any other status but 0",
    example: "false; exit 3",
    decide: ({ ending }) => ending.exitCode === 0 ? null : "failed",
  },
  {
    kind: "partial",
    when: "status 0, but the time limit ended it",
    example: "trap 'exit 0' TERM; sleep 999 & wait",
    decide: ({ ending }) => ending.timedOut ? "the time limit ended it" : null,
  },
  {
    kind: "partial",
    when: "status 0, but something was refused",
    example: "touch /etc/x; true",
    decide: ({ denials }) =>
      denials.length === 0 ? null : plural(denials.length, "access", "accesses") + " refused",
  },
  {
    kind: "partial",
    when:
      "status 0, but the output ends in the summary of a failure (a pipe hides the exit status)",
    example: "pytest | tail",
    decide: ({ ending }) => {
      const line = firstMatch(knownLines(ending), FAILURE_SUMMARIES);
      return line === null ? null : `the output says: ${line}`;
    },
  },
  {
    kind: "partial",
    when: "status 0, but not all output is shown",
    example: "seq 100000",
    decide: ({ ending }) => {
      const { stdout, stderr } = ending.summary;
      return stdout.truncated === null && stderr.truncated === null ? null : "output truncated";
    },
  },
  {
    kind: "success",
    when: "status 0 without output, where that is usual or the output was redirected",
    example: "mkdir -p a; make > log",
    decide: ({ ending, programs, redirected }) =>
      quiet(ending) && (redirected === true || silent(programs)) ? "no output, as usual" : null,
  },
  {
    kind: "success-empty",
    when: "status 0 without output",
    example: "cat /dev/null",
    decide: ({ ending }) => quiet(ending) ? "no output" : null,
  },
  {
    kind: "success",
    when: "status 0",
    example: "echo hello",
    decide: () => "ok",
  },
];

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

function noExit({ ending }: Observed): boolean {
  return ending.exitCode === null && ending.signal === null;
}

function missing(observed: Observed): string {
  const name = missingProgram(observed);
  return name === null ? "a program was not found" : `${name}: not found`;
}

function refused(observed: Observed): string {
  const name = refusedProgram(observed);
  return name === null ? "a program cannot be executed" : `${name}: not executable`;
}

function quiet({ summary }: Observed["ending"]): boolean {
  return summary.stdout.bytes === 0 && summary.stderr.bytes === 0;
}

/** Longest quotation of an output line in a reason, in characters. */
const MAX_QUOTE = 100;

function firstMatch(lines: readonly string[], patterns: readonly RegExp[]): string | null {
  const line = lines.find((text) => patterns.some((pattern) => pattern.test(text)));
  return line === undefined ? null : line.trim().slice(0, MAX_QUOTE);
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
