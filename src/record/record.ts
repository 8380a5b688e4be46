/** The record: one JSON object per line of the journal, written for every command, whatever happened. */
import type { OutputSummary, Truncation } from "../output/summary.ts";
import type { Denial } from "../policy/policy.ts";
import type { EnforcementLabel } from "../sandbox/plan.ts";

/** Version of the record's shape; readers refuse a higher major number. */
export const RECORD_VERSION = 1;

/** What was in force while the command ran. */
export interface SandboxState {
  readonly backend: "kernel" | "none";
  /** Landlock ABI in use, 0 when there is none. */
  readonly landlockAbi: number;
  /** Policy name and the files it was made of. */
  readonly policy: string;
  /** Enforcement by permission, verified in this run. */
  readonly enforced: Readonly<Record<string, EnforcementLabel>>;
  /** Facts read back from the command's own process: NoNewPrivs, Seccomp, CapEff. Null when nothing ran. */
  readonly proof:
    | { readonly noNewPrivs: number; readonly seccomp: number; readonly capEff: string }
    | null;
}

/** What kind of end a command had; decided in one table (feedback/outcome.ts). */
export type OutcomeKind =
  | "success"
  | "success-empty"
  | "partial"
  | "no-results"
  | "false"
  | "not-found"
  | "not-executable"
  | "syntax-error"
  | "usage"
  | "denied-policy"
  | "denied-sandbox"
  | "timeout"
  | "killed"
  | "no-exit"
  | "failed";

/** Outcome with the reason why it was decided so. */
export interface Outcome {
  readonly kind: OutcomeKind;
  readonly reason: string;
}

/** A concrete next step. `rule` names the table row that made it. */
export interface Suggestion {
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
  readonly version: number;
  readonly command_id: string;
  readonly parent_command_id: string | null;
  /** Who set the parent: the caller, or Debrief because a failed command of the same program was tried again. */
  readonly parent_by: "caller" | "linked" | null;
  readonly session_id: string;
  readonly task_id: string | null;
  /** What the user typed: exact words of a plain command, else one element with the script. */
  readonly command: readonly string[];
  /** The exact argv that was executed; empty when nothing was. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly started_at: string;
  readonly duration_ms: number;
  /** Null when no exit was observed; `error` then says why. */
  readonly exit_code: number | null;
  /** Signal name that ended the command (`SIGKILL`, `SIGRTMIN+1`), else null. */
  readonly signal: string | null;
  readonly error: string | null;
  readonly stdout_tail: string;
  readonly stderr_tail: string;
  readonly truncations: { readonly stdout: Truncation | null; readonly stderr: Truncation | null };
  readonly redactions: Readonly<Record<string, number>>;
  readonly bytes: { readonly stdout: number; readonly stderr: number };
  readonly lines: { readonly stdout: number; readonly stderr: number };
  readonly agent_note: string | null;
  readonly outcome: Outcome;
  readonly suggestions: readonly Suggestion[];
  readonly feedback: readonly string[];
  readonly sandbox: SandboxState;
  readonly denials: readonly Denial[];
  /** Protected files that were restored. */
  readonly changed: readonly string[];
  readonly jobs: readonly LeftRunning[];
  /** Id under which the redacted full output is spooled, null when there is none. */
  readonly output_id: string | null;
  /** HMAC-SHA-256 (hex) of the previous line, null for the first record of a journal. */
  readonly prev: string | null;
}

/** How a command ended, before it is classified. */
export interface Ending {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  /** Positive errno when the program could not be started, else null. */
  readonly errno: number | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly summary: OutputSummary;
}
