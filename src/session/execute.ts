/** One command in the jail: pipes, spawn, supervision, output, and what is left of its processes afterwards. */
import type { Ending, LeftRunning } from "../record/record.ts";
import { DEFAULT_PATH } from "../sandbox/default_path.ts";
import type { CommandJail, SpawnReply } from "../sandbox/jail.ts";
import { close } from "../sandbox/linux/ffi.ts";
import {
  commandLine,
  commandLineOf,
  descendants,
  hasChildren,
  type Kept,
  killTree,
  reapOrphans,
  signalTree,
} from "../sandbox/process_tree.ts";
import type { ProofPipe } from "../sandbox/proof_pipe.ts";
import { proves } from "../sandbox/restrict.ts";
import { signalName } from "../sandbox/signals.ts";
import {
  closePipes,
  openPipes,
  type Pipes,
  type ProcessEnd,
  supervise,
} from "../sandbox/supervise.ts";
import type { LimitWatch } from "../sandbox/limit_watch.ts";
import type { Waiting } from "../feedback/job_report.ts";
import { InputQuestion } from "./prompt_line.ts";
import { type InputWait, InputWatch } from "../sandbox/input_watch.ts";
import { errnoText } from "../sandbox/errno_text.ts";
import { CANCELLED, type Executed, type Execution, Stop } from "./execution.ts";

/** Sent for a file that grows beyond its limit: signal(7). */
const SIGXFSZ = 25;
/** What programs say of `EMFILE`: no signal comes with it. */
const TOO_MANY_OPEN = /too many open files|\bEMFILE\b/i;

/** What belongs to one command while it runs. */
interface Running {
  readonly pid: number;
  readonly jail: CommandJail;
  readonly pipes: Pipes;
  readonly watch: LimitWatch;
  readonly proof?: ProofPipe;
  /** What is not the command's. */
  readonly others: Kept;
  readonly question: InputQuestion;
  readonly input: InputWatch;
}

/** Start a command and follow it to its end. */
export async function execute(execution: Execution): Promise<Executed> {
  const started = performance.now();
  const pipes = openPipes(execution.state !== null);
  let leader: number | null = null;
  const { stdout, stderr, state } = pipes;
  const own = new Set([stdout.read, stderr.read, ...(state ? [state.read] : [])]);
  try {
    const { processes, onJob, limits } = execution;
    const others = onJob === null
      ? processes.besides(execution.earlier, execution.watchdogs)
      : processes.besidesJob(() => leader);
    const watch = limits.watch(others);
    const { argv, jail, reply } = await processes.start(
      onJob === null ? "command" : "job",
      () => start(execution, pipes),
    ).finally(() => closePipes(pipes, "write"));
    if (reply.kind !== "spawned") return notStarted(execution, { argv, reply, started });
    leader = reply.pid;
    limits.bound(leader, others);
    const question = new InputQuestion(
      execution.redact,
      (waits) => execution.emit({ kind: "waiting", waits }),
    );
    const onChange = (wait: InputWait | null) => question.take(wait);
    const input = new InputWatch({ input: execution.stdin, others, onChange });
    const running = { ...reply, jail, pipes, watch, others, question, input };
    onJob?.({
      pid: leader,
      send: (signal) => sendSignal(running, signal),
      stir: () => input.stir(),
    });
    const end = await follow(execution, running);
    const jobs = leftovers(execution, { argv, running });
    const ending = endingOf(execution, { end, started, waits: question.waits });
    let outputHeld = false;
    if (execution.jobOutput !== null && jobs.length > 0) {
      const passed = [stdout.read, stderr.read];
      for (const fd of passed) own.delete(fd);
      outputHeld = await execution.jobOutput.take(passed);
    }
    return { argv, ending, proof: end.proof, jobs, outputHeld, heldUp: reply.heldUp };
  } finally {
    if (leader !== null) execution.processes.ended(leader);
    for (const fd of own) close(fd);
  }
}

function sendSignal({ pid, others, proof }: Running, signal: number): void {
  signalTree(signal, { keep: others, spare: proof === undefined ? null : pid });
}

interface Started {
  readonly argv: readonly string[];
  readonly jail: CommandJail;
  readonly reply: SpawnReply;
}

/** Start what the command names, or the shell where that cannot be started. */
async function start(
  execution: Execution,
  { stdout, stderr, state }: Pipes,
): Promise<Started> {
  const jail = await execution.jail();
  const { argv, fallback, environment, cwd, script, shellPath } = execution;
  const order = {
    argv,
    searchPath: script === null ? environment.PATH ?? DEFAULT_PATH : shellPath,
    env: environment,
    cwd,
    fds: [execution.stdin, stdout.write, stderr.write, ...(state ? [state.write] : [])],
  };
  const reply = await jail.spawn(order);
  if (reply.kind !== "not-spawned" || fallback === null) return { argv, jail, reply };
  const second = await jail.spawn({ ...order, argv: fallback, searchPath: shellPath });
  return { argv: fallback, jail, reply: { ...second, heldUp: reply.heldUp || second.heldUp } };
}

function follow(
  execution: Execution,
  child: Running,
): Promise<ProcessEnd> {
  const { limits } = execution;
  return supervise(child.pid, child.pipes, {
    keep: child.others,
    awaited: execution.processes.awaited,
    proof: child.proof ?? null,
    isMonitored: child.proof !== undefined,
    spare: execution.watchdogs,
    killAll: () => {
      limits.killAll();
      child.jail.killAll();
    },
    timeoutMs: execution.timeoutMs,
    graceMs: limits.bounds.graceMs,
    idleMs: execution.idleMs,
    inputMs: execution.inputMs,
    input: child.input,
    outputBytes: limits.bounds.outputBytes,
    watch: child.watch,
    signal: execution.signal,
    flow: execution.flow,
    onOutput: (stream, bytes) => {
      if (stream === "state") execution.state?.push(bytes);
      else {
        execution.emit({ kind: "arrived", stream, bytes: bytes.length });
        child.question.push(stream, bytes);
        execution.pipeline.write(stream, bytes);
      }
    },
  });
}

function notStarted(
  execution: Execution,
  options: {
    readonly argv: readonly string[];
    readonly reply: { kind: string; errno?: number; message?: string; heldUp: boolean };
    readonly started: number;
  },
): Executed {
  const { argv, reply, started } = options;
  const error = reply.errno === undefined
    ? reply.message ?? "the jail did not start it"
    : errnoText(reply.errno);
  const name = argv[0] ?? "";
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
  options: {
    readonly end: ProcessEnd;
    readonly started: number;
    readonly waits: Waiting | null;
  },
): Ending {
  const { end, started, waits } = options;
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
  const reason: unknown = execution.signal?.reason;
  const stopped = end.cancelled && reason instanceof Stop ? reason.text : null;
  const error = end.endedBy !== null
    ? `ended by the ${limit?.text}`
    : end.timedOut
    ? `timed out after ${execution.timeoutMs / 1000} s`
    : stopped !== null
    ? `ended: ${stopped}`
    : end.cancelled
    ? CANCELLED
    : end.status === null
    ? "no exit status was observed"
    : unproven
    ? "the kernel did not report the jail on the command's own process"
    : null;
  const observed = error === null;
  const summary = execution.pipeline.finish({ failed: failed || !observed });
  const complained = failed && execution.limits.bounds.openFiles > 0 &&
    summary.notable.some((line) => TOO_MANY_OPEN.test(line));
  return {
    exitCode: !observed ? null : signal !== null ? 128 + signal : exited,
    signal: signal === null ? null : signalName(signal),
    error,
    errno: null,
    timedOut: end.timedOut,
    limit,
    complained: complained ? execution.limits.met("openFiles") : null,
    stopped,
    waited: end.timedOut || end.endedBy === "idle" || end.endedBy === "input" ? waits : null,
    durationMs,
    summary,
  };
}

/** List what the command left running; end it unless it may go on until the session ends. */
function leftovers(
  { jobOutput, script, processes, watchdogs }: Execution,
  { argv, running }: { readonly argv: readonly string[]; readonly running: Running },
): readonly LeftRunning[] {
  const keep = running.others;
  reapOrphans(keep);
  if (!hasChildren(keep)) return [];
  const state = jobOutput === null ? "ended" as const : "running" as const;
  const shell = commandLineOf(argv);
  // What has no memory any more is about to be gone, as bubblewrap's own processes are.
  const left = descendants(keep).filter(({ pages }) => pages > 0).map(({ pid }) => {
    const command = commandLine(pid);
    // A subshell shows the whole command line of its shell: the script is what says something.
    return { pid, command: script !== null && command === shell ? script.trim() : command, state };
  });
  if (jobOutput === null) {
    if (keep.size === watchdogs.size) running.jail.killAll();
    killTree({ keep, unreaped: processes.awaited });
  }
  return left;
}
