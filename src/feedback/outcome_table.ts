/**
 * The table of outcomes, from top to bottom. The exit code always wins: status 0 is never an error and another status
 * never a success, whatever the output says.
 */
import type { OutcomeKind } from "../record/record.ts";
import {
  BUILD_ERRORS,
  COMPLAINTS,
  FAILURE_SIGNS,
  type FailureSign,
  TEST_SUMMARIES,
} from "./failure_signs.ts";
import {
  endLines,
  errorLines,
  firstMatch,
  missingProgram,
  type Observed,
  programName,
  refusedProgram,
} from "./observed.ts";
import {
  EX_USAGE,
  MISSING_ERRNOS,
  REFUSED_ERRNOS,
  SHELL_SIGNALS,
  TIMEOUT_STATUS,
  USAGE_LINES,
  USAGE_STATUSES,
} from "./outcome_signs.ts";
import { asks, asksForInput, reads, searches, silent } from "./program_kinds.ts";
import { durationText } from "../record/duration_text.ts";
import { counted } from "../output/counted.ts";

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
    kind: "needs-input",
    when: "a limit of time ended it while it waited for input that nobody sent",
    example: "sleep 999 | debrief -c 'passwd'",
    decide: ({ ending: { waited, exitCode } }) => {
      if (!waited || exitCode === 0) return null;
      return waited.asks === null ? "it read input that nobody sent" : `asks "${waited.asks}"`;
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
    decide: (observed) =>
      observed.ending.exitCode === 127 && !errorLines(observed.ending).some(isUnbound)
        ? missing(observed)
        : null,
  },
  {
    kind: "not-executable",
    when: "status 126",
    example: "./README.md",
    decide: (observed) => observed.ending.exitCode === 126 ? refused(observed) : null,
  },
  {
    kind: "usage",
    when: "status 64, or a status of wrong usage with a usage line",
    example: "grep --nosuch",
    decide: ({ ending }) => {
      if (ending.exitCode === EX_USAGE) return "wrong command line (EX_USAGE)";
      if (ending.exitCode === null || !USAGE_STATUSES.has(ending.exitCode)) return null;
      return firstMatch(errorLines(ending), USAGE_LINES);
    },
  },
  ...FAILURE_SIGNS.map(signRow),
  {
    kind: "needs-input",
    when: "status 1 of a script that reads a line, without output",
    example: "read -r answer < /dev/null",
    decide: ({ ending, programs }) =>
      ending.exitCode === 1 && quiet(ending) && asksForInput(programs)
        ? "there was no input"
        : null,
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
      denials.length === 0 ? null : counted(denials.length, "access", "accesses") + " refused",
  },
  {
    kind: "partial",
    when:
      "status 0, but the output ends in the summary of a failure (a pipe hides the exit status)",
    example: "pytest | tail",
    decide: ({ ending, programs }) => {
      if (reads(programs)) return null;
      const line = firstMatch(endLines(ending), HIDDEN_FAILURES);
      return line === null ? null : `the output says: ${line}`;
    },
  },
  {
    kind: "partial",
    when: "status 0, but standard error has an error or a warning",
    example: "cat a.txt nosuch; true",
    decide: ({ ending }) => {
      const line = firstMatch(errorLines(ending), COMPLAINTS);
      return line === null ? null : `standard error says: ${line}`;
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

/** What a pipe hides: failures of tests and builds. */
const HIDDEN_FAILURES = [...TEST_SUMMARIES, ...BUILD_ERRORS];

/** A row for a kind of failure. Where a script only prints what others have written, standard error alone counts. */
function signRow({ kind, when, example, lines }: FailureSign): OutcomeRow {
  return {
    kind,
    when,
    example,
    decide: ({ ending, programs }) => {
      if (ending.exitCode === null || ending.exitCode === 0) return null;
      return firstMatch(reads(programs) ? errorLines(ending) : endLines(ending), lines);
    },
  };
}

/** bash ends with 127 for this as well (`set -u`). */
function isUnbound(line: string): boolean {
  return line.endsWith(": unbound variable");
}
