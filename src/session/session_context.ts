/** What all commands of a session share. */
import type { Redactor } from "../output/redact.ts";
import type { Policy, PolicyVariables } from "../policy/policy.ts";
import type { Journal } from "../record/journal.ts";
import type { CommandRecord } from "../record/record.ts";
import type { Host } from "../sandbox/host.ts";
import type { ProtectedFile } from "../sandbox/protect.ts";
import type { SessionJail } from "./session_jail.ts";
import type { PrivatePaths, UserPaths } from "./session_paths.ts";
import type { ShellState } from "./shell_state.ts";

/** How a session is opened. */
export interface SessionOptions {
  /** The environment of the shell itself. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** `--policy`, or null. */
  readonly policy: string | null;
  readonly trustPolicy: boolean;
  /** `--journal DIR` as an absolute path, or null. */
  readonly journal: string | null;
  /** `--workspace DIR` as an absolute path, or null. */
  readonly workspace: string | null;
  /** Overrides the policy's time limit, in ms; null leaves it. */
  readonly timeoutMs: number | null;
  readonly task: string | null;
  /** Show the complete redacted output instead of head and tail. */
  readonly passThrough: boolean;
  /** Keep ANSI sequences in shown output (a terminal). */
  readonly ansi: boolean;
  /** Keep shell state from command to command. */
  readonly keepsState: boolean;
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
  readonly redactor: Redactor;
  readonly journal: Journal;
  /** Records of this session, newest last, at most 200. */
  readonly history: CommandRecord[];
  /** Files of Debrief itself that lie where commands may write. */
  readonly protected: readonly ProtectedFile[];
  /** Processes that earlier commands left running. */
  readonly running: Set<number>;
  /** The shell state for the next command. */
  state: ShellState;
}
