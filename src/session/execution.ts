/** One command as it is to be executed, and how that went: plain data. */
import type { OutputPipeline } from "../output/pipeline.ts";
import type { Ending, LeftRunning } from "../record/record.ts";
import type { CommandProcesses } from "../sandbox/command_processes.ts";
import type { CommandJail } from "../sandbox/jail.ts";
import type { OutputFlow } from "../sandbox/output_flow.ts";
import type { Proof } from "../sandbox/restrict.ts";
import type { EventSink } from "./events.ts";
import type { JobOutput } from "./job_output.ts";
import type { SessionLimits } from "./session_limits.ts";
import type { StateReader } from "./state_reader.ts";

/** `error` of a command that its caller ended early. */
export const CANCELLED = "cancelled";

/** What to start, and how long it may take. */
export interface Execution {
  /** Asked when the command's turn has come. */
  readonly jail: () => Promise<CommandJail>;
  readonly argv: readonly string[];
  /** Started instead when `argv` cannot be: the shell then says why, in its own words and with its own status. */
  readonly fallback: readonly string[] | null;
  readonly environment: Readonly<Record<string, string>>;
  /** The script when `argv` is a shell that reads it, null when it is a program that the command names. */
  readonly script: string | null;
  /** Where the shell itself is looked for: a command may set PATH as it likes, the next one still needs a shell. */
  readonly shellPath: string;
  readonly cwd: string;
  /** Descriptor that becomes the command's standard input. */
  readonly stdin: number;
  readonly timeoutMs: number;
  readonly idleMs: number;
  /** How long it may wait at a question, in ms; 0 for ever. */
  readonly inputMs: number;
  readonly redact: (text: string) => string;
  /** The policy's other bounds. */
  readonly limits: SessionLimits;
  readonly signal: AbortSignal | null;
  /** Where output goes on to. */
  readonly flow: OutputFlow | null;
  readonly pipeline: OutputPipeline;
  /** Hears of output when it arrives. */
  readonly emit: EventSink;
  /** Takes the shell state of a session's command; null when it has none to give. */
  readonly state: StateReader | null;
  /** False only where the policy asked for best effort: then a missing proof is no reason to refuse. */
  readonly proofRequired: boolean;
  /** Takes over the pipes of processes that go on until the session ends; null when all end with the command. */
  readonly jobOutput: JobOutput | null;
  /** Processes that earlier commands left running: not this command's. */
  readonly earlier: ReadonlySet<number>;
  /** Processes of Debrief's own (watchdog.ts). */
  readonly watchdogs: ReadonlySet<number>;
  /** All commands that run. */
  readonly processes: CommandProcesses;
  /** Told of the command's first process when it runs in the background; null in the foreground. */
  readonly onJob: ((process: JobProcess) => void) | null;
}

/** A background command, to send it signals. */
export interface JobProcess {
  readonly pid: number;
  /** Send a signal to all of it. */
  readonly send: (signal: number) => void;
  /** It was sent input: what it waited for may be over. */
  readonly stir: () => void;
}

/** Why a caller ended a command, as the reason of its `AbortSignal`: recorded as `killed`. */
export class Stop {
  /** @param text `the session ended`. */
  constructor(readonly text: string) {}
}

/** How it went. */
export interface Executed {
  /** What was executed; empty when nothing was. */
  readonly argv: readonly string[];
  readonly ending: Ending;
  readonly proof: Proof | null;
  readonly jobs: readonly LeftRunning[];
  /** True when a process that goes on still writes to the command's output. */
  readonly outputHeld: boolean;
  /** True when processes of earlier commands were ended, because one of them kept this command from starting. */
  readonly heldUp: boolean;
}
