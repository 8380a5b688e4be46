/** One command in the jail: pipes, spawn, supervision, output, and what is left of its processes afterwards. */
import type { OutputPipeline } from "../output/pipeline.ts";
import type { Ending, LeftRunning } from "../record/record.ts";
import { DEFAULT_PATH } from "../sandbox/environment.ts";
import type { OutputFlow } from "../sandbox/output_flow.ts";
import type { CommandJail, SpawnReply } from "../sandbox/jail.ts";
import { close } from "../sandbox/linux/ffi.ts";
import {
  commandLine,
  commandLineOf,
  descendants,
  hasChildren,
  killTree,
  reapOrphans,
} from "../sandbox/process_tree.ts";
import type { ProofPipe } from "../sandbox/proof_pipe.ts";
import { type Proof, proves } from "../sandbox/restrict.ts";
import { signalName } from "../sandbox/signals.ts";
import {
  closePipes,
  openPipes,
  type Pipes,
  type ProcessEnd,
  supervise,
} from "../sandbox/supervise.ts";
import type { LimitWatch } from "../sandbox/limit_watch.ts";
import { errnoText } from "../sandbox/errno_text.ts";
import type { EventSink } from "./events.ts";
import type { JobOutput } from "./job_output.ts";
import type { SessionLimits } from "./session_limits.ts";
import type { StateReader } from "./state_reader.ts";

/** Sent for a file that grows beyond its limit: signal(7). */
const SIGXFSZ = 25;

/** `error` of a command that its caller ended early. */
export const CANCELLED = "cancelled";

/** What to start, and how long it may take. */
export interface Execution {
  readonly jail: CommandJail;
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

/** Start a command and follow it to its end. */
export async function execute(execution: Execution): Promise<Executed> {
  const started = performance.now();
  const pipes = openPipes(execution.state !== null);
  const { stdout, stderr, state } = pipes;
  const own = new Set([stdout.read, stderr.read, ...(state ? [state.read] : [])]);
  try {
    const watch = execution.limits.watch();
    const { argv, reply } = await start(execution, pipes).finally(() => closePipes(pipes, "write"));
    if (reply.kind !== "spawned") return notStarted(execution, { reply, started });
    execution.limits.bound(reply.pid, keptBy(execution));
    const end = await follow(execution, { ...reply, pipes, watch });
    const jobs = leftovers(execution, argv);
    const ending = endingOf(execution, { end, started });
    let outputHeld = false;
    if (execution.jobOutput !== null && jobs.length > 0) {
      const passed = [stdout.read, stderr.read];
      for (const fd of passed) own.delete(fd);
      outputHeld = await execution.jobOutput.take(passed);
    }
    return { argv, ending, proof: end.proof, jobs, outputHeld, heldUp: reply.heldUp };
  } finally {
    for (const fd of own) close(fd);
  }
}

/** Start what the command names, or the shell where that cannot be started. */
async function start(
  execution: Execution,
  { stdout, stderr, state }: Pipes,
): Promise<{ readonly argv: readonly string[]; readonly reply: SpawnReply }> {
  const { jail, argv, fallback, environment, cwd, script, shellPath } = execution;
  const order = {
    argv,
    searchPath: script === null ? environment.PATH ?? DEFAULT_PATH : shellPath,
    env: environment,
    cwd,
    fds: [execution.stdin, stdout.write, stderr.write, ...(state ? [state.write] : [])],
  };
  const reply = await jail.spawn(order);
  if (reply.kind !== "not-spawned" || fallback === null) return { argv, reply };
  const second = await jail.spawn({ ...order, argv: fallback, searchPath: shellPath });
  return { argv: fallback, reply: { ...second, heldUp: reply.heldUp || second.heldUp } };
}

function follow(
  execution: Execution,
  child: {
    readonly pid: number;
    readonly pipes: Pipes;
    readonly watch: LimitWatch;
    readonly proof?: ProofPipe;
  },
): Promise<ProcessEnd> {
  const { limits } = execution;
  return supervise(child.pid, child.pipes, {
    keep: keptBy(execution),
    proof: child.proof ?? null,
    isMonitored: child.proof !== undefined,
    spare: execution.watchdogs,
    killAll: () => {
      limits.killAll();
      execution.jail.killAll();
    },
    timeoutMs: execution.timeoutMs,
    graceMs: limits.bounds.graceMs,
    idleMs: limits.bounds.idleMs,
    outputBytes: limits.bounds.outputBytes,
    watch: child.watch,
    signal: execution.signal,
    flow: execution.flow,
    onOutput: (stream, bytes) => {
      if (stream === "state") execution.state?.push(bytes);
      else {
        execution.emit({ kind: "arrived", stream, bytes: bytes.length });
        execution.pipeline.write(stream, bytes);
      }
    },
  });
}

function notStarted(
  execution: Execution,
  options: {
    readonly reply: { kind: string; errno?: number; message?: string; heldUp: boolean };
    readonly started: number;
  },
): Executed {
  const { reply, started } = options;
  const error = reply.errno === undefined
    ? reply.message ?? "the jail did not start it"
    : errnoText(reply.errno);
  const name = execution.argv[0] ?? "";
  const ending: Ending = {
    exitCode: null,
    signal: null,
    error: `Cannot start "${name}": ${error}`,
    errno: reply.errno ?? null,
    timedOut: false,
    durationMs: performance.now() - started,
    summary: execution.pipeline.finish({ failed: true }),
  };
  return { argv: [], ending, proof: null, jobs: [], outputHeld: false, heldUp: reply.heldUp };
}

function endingOf(
  execution: Execution,
  options: { readonly end: ProcessEnd; readonly started: number },
): Ending {
  const { end, started } = options;
  const durationMs = performance.now() - started;
  const exited = end.status?.kind === "exited" ? end.status.code : null;
  const signal = end.status?.kind === "signaled" ? end.status.signal : null;
  const failed = exited !== 0;
  const unproven = execution.proofRequired && !proves(end.proof);
  const limit = end.endedBy !== null
    ? execution.limits.met(end.endedBy)
    : execution.limits.bounds.fileBytes > 0 && (signal ?? (exited ?? 0) - 128) === SIGXFSZ
    ? execution.limits.met("fileSize")
    : null;
  const error = end.endedBy !== null
    ? `ended by the ${limit?.text}`
    : end.timedOut
    ? `timed out after ${execution.timeoutMs / 1000} s`
    : end.cancelled
    ? CANCELLED
    : end.status === null
    ? "no exit status was observed"
    : unproven
    ? "the kernel did not report the jail on the command's own process"
    : null;
  const observed = error === null;
  return {
    exitCode: !observed ? null : signal !== null ? 128 + signal : exited,
    signal: signal === null ? null : signalName(signal),
    error,
    errno: null,
    timedOut: end.timedOut,
    limit,
    durationMs,
    summary: execution.pipeline.finish({ failed: failed || !observed }),
  };
}

/** What the end of a command leaves alone. */
function keptBy({ earlier, watchdogs }: Execution): ReadonlySet<number> {
  return earlier.union(watchdogs);
}

/** List what the command left running; end it unless it may go on until the session ends. */
function leftovers(execution: Execution, argv: readonly string[]): readonly LeftRunning[] {
  reapOrphans(execution.watchdogs);
  const keep = keptBy(execution);
  if (!hasChildren(keep)) return [];
  const { jobOutput, earlier, script } = execution;
  const state = jobOutput === null ? "ended" as const : "running" as const;
  const shell = commandLineOf(argv);
  const left = descendants(keep).map(({ pid }) => {
    const command = commandLine(pid);
    // A subshell shows the whole command line of its shell: the script is what says something.
    return { pid, command: script !== null && command === shell ? script.trim() : command, state };
  });
  if (jobOutput === null) {
    if (earlier.size === 0) execution.jail.killAll();
    killTree({ keep });
  }
  return left;
}
