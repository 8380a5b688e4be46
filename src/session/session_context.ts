/** What all commands of a session share. */
import type { FeedbackProvider } from "../feedback/providers/provider.ts";
import type { Redactor } from "../output/redact.ts";
import type { SpoolQuota } from "../output/spool_quota.ts";
import type { StreamName } from "../output/summary.ts";
import type { Policy, PolicyVariables } from "../policy/policy.ts";
import type { Journal } from "../record/journal.ts";
import type { CommandRecord } from "../record/record.ts";
import type { Host } from "../sandbox/host.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { EgressProxy } from "../sandbox/egress/egress_proxy.ts";
import type { JobProcess } from "./execution.ts";
import type { JobOutput } from "./job_output.ts";
import type { PrivatePaths } from "./private_directory.ts";
import type { Protection } from "./protection.ts";
import type { SessionAims, SessionFeedback } from "./session_feedback.ts";
import type { SessionJail } from "./session_jail.ts";
import type { SessionLimits } from "./session_limits.ts";
import type { UserPaths } from "./session_paths.ts";
import type { ShellState } from "./shell_state.ts";

/** How a session is opened. */
export interface SessionOptions {
  /**
   * The environment of the shell itself; HOME is needed. Telemetry is configured here too: its endpoint by these
   * variables, certificates and headers by the process's own.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** The first command's working directory. */
  readonly cwd: string;
  /** A built-in policy's name or a policy file; otherwise the environment's, the user's or `default`. */
  readonly policy?: string | null;
  /** Accept a policy file that commands could change. */
  readonly trustPolicy?: boolean;
  /** Directory of journal and outputs, absolute; otherwise below the user's state directory. */
  readonly journal?: string | null;
  /** The workspace; otherwise the nearest directory with `.git`, else `cwd`. */
  readonly workspace?: string | null;
  /** Overrides the policy's time limit, in ms; 0 is none. */
  readonly timeoutMs?: number | null;
  /** Recorded with every command. */
  readonly task?: string | null;
  /** The id of an earlier session (`s` and 7 characters) that this one goes on with: its counters, deadline and history. */
  readonly session?: string | null;
  /** Goal, deadline and budget. */
  readonly aims?: SessionAims;
  /** Further feedback providers, after those of the policy. They run on this thread and are trusted. */
  readonly providers?: readonly FeedbackProvider[];
  /** Show the complete redacted output instead of head and tail. */
  readonly passThrough?: boolean;
  /**
   * With `passThrough`: streams whose bytes are passed on as they are, but redacted. Leave out a stream that ends up in
   * one file with the block: lines that look like a block are marked in text only.
   */
  readonly raw?: readonly StreamName[];
  /** Keep ANSI sequences in shown output (a terminal). */
  readonly ansi?: boolean;
  /** Keep shell state from command to command. */
  readonly keepsState?: boolean;
}

/** How a background command is told of itself. */
export interface JobHooks {
  readonly commandId: string;
  /** True when the policy's limits of wall time and silence hold for it. */
  readonly isTimed: boolean;
  /** Called when its first process was started; not at all when it is not. */
  readonly onProcess: (process: JobProcess) => void;
}

/** The parts of an open session. */
export interface SessionContext {
  readonly options: SessionOptions;
  readonly sessionId: string;
  /** Proves that a block is genuine; never stored or passed on. */
  readonly nonce: string;
  readonly policy: Policy;
  readonly variables: PolicyVariables;
  readonly user: UserPaths;
  readonly private: PrivatePaths;
  readonly host: Host;
  readonly jail: SessionJail;
  /** The way to the hosts that the policy lists; null where it lists none, or all. */
  readonly proxy: EgressProxy | null;
  readonly limits: SessionLimits;
  readonly redactor: Redactor;
  readonly journal: Journal;
  readonly feedback: SessionFeedback;
  /** Records of this session, newest last, at most 200. */
  readonly history: CommandRecord[];
  /** What is put back after commands have changed it. */
  readonly protection: Protection;
  /** Processes that earlier commands left running. */
  readonly running: Set<number>;
  /** What those still print. */
  readonly jobOutput: JobOutput;
  /** For operators; null where none is configured. */
  readonly telemetry: Telemetry | null;
  /** Bounds what commands leave in the spool. */
  readonly spoolQuota: SpoolQuota;
  /** The background command that this context is a copy for; null for the session itself. */
  readonly job: JobHooks | null;
  /** The shell state for the next command. */
  state: ShellState;
}
