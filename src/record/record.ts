/** The record: one JSON object per line of the journal, written for every command, whatever happened. */
import type { OutputSummary, Truncation } from "../output/summary.ts";
import type { Denial } from "../policy/policy.ts";
import type { BackendKind } from "../sandbox/backend.ts";
import type { EnforcementLabel } from "../sandbox/plan_rules.ts";

/** Version of the record's shape; readers refuse a higher major number. */
export const RECORD_VERSION = 1;

/** What was in force while the command ran. */
export interface SandboxState {
  readonly backend: BackendKind;
  /** Landlock ABI in use, 0 when there is none. */
  readonly landlockAbi: number;
  /** Policy name and the files it was made of. */
  readonly policy: string;
  /** Enforcement by permission, and of what every jail promises besides (`signals`, `devices`, under a list of `run` also `execution`), verified in this run. */
  readonly enforced: Readonly<Record<string, EnforcementLabel>>;
  /** Facts read back from the command's own process: NoNewPrivs, Seccomp, CapEff. Null when nothing ran. */
  readonly proof:
    | { readonly noNewPrivs: number; readonly seccomp: number; readonly capEff: string }
    | null;
}

/** What kinds of end a command may have; decided in one table (feedback/outcome.ts). */
export const OUTCOME_KINDS = [
  "success",
  "success-empty",
  "partial",
  "no-results",
  "false",
  "not-found",
  "not-executable",
  "syntax-error",
  "usage",
  "denied-policy",
  "denied-sandbox",
  "rate-limited",
  "unavailable",
  "auth",
  "timeout",
  "killed",
  "missing-dependency",
  "test-failure",
  "build-failure",
  "conflict",
  "disk-full",
  "needs-input",
  "no-exit",
  "failed",
] as const;

/** One of them. */
export type OutcomeKind = typeof OUTCOME_KINDS[number];

/** Outcome with the reason why it was decided so. */
export interface Outcome {
  /** What happened, as one word. */
  readonly kind: OutcomeKind;
  /** The fact behind it, in a few words. */
  readonly reason: string;
}

/** A concrete next step. `rule` names the table row that made it. */
export interface Suggestion {
  /** Name of the rule. */
  readonly rule: string;
  /** A command with real arguments, or a fact; never an order. */
  readonly text: string;
}

/** One process that was still running when the command had ended. */
export interface LeftRunning {
  readonly pid: number;
  readonly command: string;
  /** `running`: it goes on until the session ends; `ended`: Debrief ended it. */
  readonly state: "running" | "ended";
}

/**
 * One command. All text has passed redaction. Field names are those of the journal file.
 */
export interface CommandRecord {
  /** Version of this form. */
  readonly version: number;
  /** `c` and 7 characters. */
  readonly command_id: string;
  /** The earlier attempt that this one retries. */
  readonly parent_command_id: string | null;
  /** Who set the parent: the caller, or Debrief because a failed command of the same program was tried again. */
  readonly parent_by: "caller" | "linked" | null;
  /** `s` and 7 characters. */
  readonly session_id: string;
  /** What the caller said that the command belongs to. */
  readonly task_id: string | null;
  /** What the user typed: exact words of a plain command, else one element with the script. */
  readonly command: readonly string[];
  /** The exact argv that was executed; empty when nothing was. */
  readonly argv: readonly string[];
  /** The working directory at the start. */
  readonly cwd: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly started_at: string;
  /** Wall time in whole milliseconds. */
  readonly duration_ms: number;
  /** Null when no exit was observed; `error` then says why. */
  readonly exit_code: number | null;
  /** Signal name that ended the command (`SIGKILL`, `SIGRTMIN+1`), else null. */
  readonly signal: string | null;
  /** Why no exit was observed, else null. */
  readonly error: string | null;
  /** The last lines of standard output. */
  readonly stdout_tail: string;
  /** The last lines of standard error. */
  readonly stderr_tail: string;
  /** What the shown text left out. */
  readonly truncations: { readonly stdout: Truncation | null; readonly stderr: Truncation | null };
  /** Hidden values by rule. */
  readonly redactions: Readonly<Record<string, number>>;
  /** Bytes as the command wrote them. */
  readonly bytes: { readonly stdout: number; readonly stderr: number };
  /** Lines as the command wrote them. */
  readonly lines: { readonly stdout: number; readonly stderr: number };
  /** What the caller expected of the command. */
  readonly agent_note: string | null;
  /** What happened. */
  readonly outcome: Outcome;
  /** What a test runner or compiler says of it: counts, and the first failure with its place. Absent in older records. */
  readonly observations?: readonly string[];
  /** What could be done next. */
  readonly suggestions: readonly Suggestion[];
  /** What feedback providers said. */
  readonly feedback: readonly string[];
  /** What confined the command. */
  readonly sandbox: SandboxState;
  /** What was refused. */
  readonly denials: readonly Denial[];
  /** Protected files that were restored. */
  readonly changed: readonly string[];
  /** Processes that were left running. */
  readonly jobs: readonly LeftRunning[];
  /** Id under which the redacted full output is spooled, null when there is none. */
  readonly output_id: string | null;
  /** HMAC-SHA-256 (hex) of the previous line, null for the first record of a journal. */
  readonly prev: string | null;
}

/** A bound of the policy that a command met. */
export interface LimitMet {
  /** Its key in `limits`. */
  readonly name: string;
  /** `memory limit of 512 MB`. */
  readonly text: string;
  /** `file:line` that sets it, null for the default. */
  readonly at: string | null;
}

/** How a command ended, before it is classified. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  /** Positive errno when the program could not be started, else null. */
  readonly errno: number | null;
  readonly timedOut: boolean;
  /** The bound that it met; null or absent when it met none. */
  readonly limit?: LimitMet | null;
  /** The bound that the command complained of and went on with; it decides nothing. */
  readonly complained?: LimitMet | null;
  /** Why somebody ended it on purpose, in words; null or absent when nobody did. */
  readonly stopped?: string | null;
  /** Set when it was ended while it waited for input: the question, redacted, null when it asked none. */
  readonly waited?: { readonly asks: string | null } | null;
  readonly durationMs: number;
  readonly summary: OutputSummary;
}
