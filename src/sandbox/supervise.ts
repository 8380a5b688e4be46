/**
 * From a started process to its end: reads its pipes in the order in which data arrives, keeps its time, ends its whole
 * tree when the time is over, and takes its exact status. One `poll` waits for everything.
 */
import {
  close,
  poll,
  type PollEntry,
  pollNow,
  read,
  syscall,
  waitid,
  type WaitStatus,
} from "./linux/ffi.ts";
import { ERRNO, F_SETFL, F_SETPIPE_SZ, OPEN, WAIT } from "./linux/uapi.ts";
import { SystemCallError } from "../errors.ts";
import { type DeadlineOptions, Deadlines, type EndedBy } from "./deadlines.ts";
import { openPipe } from "./open_pipe.ts";
import { type OutputFlow, OutputHold } from "./output_flow.ts";
import type { InputWatch } from "./input_watch.ts";
import { killTree, reapEnded } from "./process_tree.ts";
import { ReadAhead } from "./read_ahead.ts";
import type { ProofPipe } from "./proof_pipe.ts";
import { type Proof, readProof } from "./restrict.ts";

/** A pipe as large as an ordinary user may have it (`/proc/sys/fs/pipe-max-size`): fewer wake-ups at full speed. */
const PIPE_BYTES = 1 << 20;
/** What one read takes at most: all that works on it stays in the second-level cache. */
const READ_BYTES = 128 * 1024;
/**
 * How long streams that are full are read before everything else is looked at again, in ms: a wait on a pool thread costs
 * as much as reading 256 KiB.
 */
const BURST_MS = 8;
/** How long a pipe may stay silent after the command has ended, while another process still holds it, in ms. */
const DRAIN_QUIET_MS = 100;
/** How often orphans that have ended are looked for, in ms: soon again where there was one. */
const REAP_MS = { shortest: 5, longest: 320 } as const;
const SIGKILL = 9;
/** How long output is read after the command has ended, whoever writes, in ms. */
const DRAIN_TOTAL_MS = 2000;

/** The pipes of one command; the child's ends are closed after the spawn. */
export interface Pipes {
  readonly stdout: { readonly read: number; readonly write: number };
  readonly stderr: { readonly read: number; readonly write: number };
  /** Through which a session's shell state comes back; absent for commands that have none. */
  readonly state: { readonly read: number; readonly write: number } | null;
}

/** What the supervisor reports while a command runs. The bytes are valid until the callback returns. */
export interface SuperviseOptions extends DeadlineOptions {
  readonly onOutput: (stream: "stdout" | "stderr" | "state", bytes: Uint8Array) => void;
  /** Where the process reports its restriction; without it the kernel is asked about the process itself. */
  readonly proof?: ProofPipe | null;
  /** Looks whether the command waits for input. */
  readonly input?: InputWatch | null;
  /** Where output goes on to: no more is read while it takes none, and the command waits; time and signals go on. */
  readonly flow?: OutputFlow | null;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly status: WaitStatus | null;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** The bound that it went beyond. */
  readonly endedBy: EndedBy | null;
  /** Facts of the process itself, read before it was reaped. */
  readonly proof: Proof | null;
}

function openReading(): ReturnType<typeof openPipe> {
  const fds = openPipe();
  // A command can take its output back between `poll` and `read`, which would then wait, and with it every timeout.
  syscall("fcntl", fds.read, F_SETFL, OPEN.NONBLOCK);
  return fds;
}

/** Open the pipes for a command. @throws {SystemCallError} when the process has no descriptor left. */
export function openPipes(withState: boolean): Pipes {
  const stdout = openReading();
  // Failure leaves the default size (the user's quota of pipe pages is used up): slower, not wrong.
  syscall("fcntl", stdout.read, F_SETPIPE_SZ, PIPE_BYTES);
  return { stdout, stderr: openReading(), state: withState ? openReading() : null };
}

/** Close one side of every pipe. */
export function closePipes(pipes: Pipes, side: "read" | "write"): void {
  for (const ends of [pipes.stdout, pipes.stderr, pipes.state]) if (ends) close(ends[side]);
}

/**
 * Follow a started process to its end.
 *
 * @param pid a child of this process that no one else reaps.
 * @throws {SystemCallError} when it cannot be followed; it is killed then, with all that it started.
 */
export async function supervise(
  pid: number,
  pipes: Pipes,
  options: SuperviseOptions,
): Promise<ProcessEnd> {
  const ahead = new ReadAhead(READ_BYTES);
  try {
    return await follow(pid, pipes, { ...options, ahead });
  } finally {
    await ahead.close();
  }
}

async function follow(
  pid: number,
  pipes: Pipes,
  options: SuperviseOptions & { readonly ahead: ReadAhead },
): Promise<ProcessEnd> {
  const { ahead } = options;
  const pidfd = syscall("pidfd_open", pid, 0);
  const wake = pidfd < 0 ? pidfd : syscall("eventfd2", 0, 0o2000000);
  if (wake < 0) {
    if (pidfd >= 0) close(pidfd);
    killTree({ keep: options.keep });
    const call = pidfd < 0 ? "pidfd_open" : "eventfd2";
    throw new SystemCallError(call, -wake, `Cannot follow the process "${pid}": errno ${-wake}`);
  }
  const onAbort = () => syscall("write", wake, new BigUint64Array([1n]), 8);
  options.signal?.addEventListener("abort", onAbort);
  if (options.signal?.aborted) onAbort();
  const deadlines = new Deadlines(pid, options);
  const input = options.input ?? null;
  const awaited = options.awaited ?? new Set([pid]);
  const buffer = new Uint8Array(READ_BYTES);
  const streams = new Map<"stdout" | "stderr" | "state", PollEntry>();
  for (const name of ["stdout", "stderr", "state"] as const) {
    const ends = pipes[name];
    if (ends) streams.set(name, { fd: ends.read, ready: false });
  }
  const process: PollEntry = { fd: pidfd, ready: false };
  const woken: PollEntry = { fd: wake, ready: false };
  let status: WaitStatus | null = null;
  let proof: Proof | null = null;
  let ended = false;
  let endedAt = 0;
  let lastData = 0;
  let reapMs: number = REAP_MS.longest;
  let lookAt = 0;
  const hold = new OutputHold(options.flow ?? null, (heldMs) => {
    // Silence counts only where somebody listens.
    lastData = performance.now();
    endedAt += heldMs;
    deadlines.held = false;
    onAbort();
  });
  while (!ended || streams.size > 0) {
    deadlines.held = hold.isHeld;
    const drainMs = ended && !hold.isHeld
      ? Math.min(lastData + DRAIN_QUIET_MS, endedAt + DRAIN_TOTAL_MS) - performance.now()
      : Infinity;
    if (drainMs <= 0) break;
    const isAhead = ahead.isActive && !hold.isHeld;
    const isOpen = (name: string) =>
      name === "state" || (!hold.isHeld && !(name === "stdout" && ahead.isActive));
    const open = [...streams].filter(([name]) => isOpen(name));
    for (const entry of [...streams.values(), woken, process]) entry.ready = false;
    if (!isAhead || performance.now() >= lookAt) {
      const entries = [...open.map(([, entry]) => entry), woken, ...(ended ? [] : [process])];
      const lookMs = ended || hold.isHeld ? Infinity : input?.wait() ?? Infinity;
      const waitMs = Math.ceil(Math.min(drainMs, deadlines.wait(), reapMs, lookMs));
      // What is read ahead gives the event loop its turn, at a fraction of the cost.
      if (isAhead && !ahead.hasMore) pollNow(entries);
      else await poll(entries, isAhead ? 0 : waitMs);
      reapMs = reapEnded(awaited) ? REAP_MS.shortest : Math.min(reapMs * 2, REAP_MS.longest);
      lookAt = performance.now() + BURST_MS;
    }
    if (isAhead && !ahead.hasMore) {
      await ahead.settle(pipes.stdout.read);
      // What came instead of bytes only an ordinary read can tell.
      const stdout = streams.get("stdout");
      if (stdout) stdout.ready = !ahead.isActive;
    }
    const until = performance.now() + BURST_MS;
    let again = true;
    while (again) {
      again = false;
      for (const [name, entry] of streams) {
        if (hold.isHeld && name !== "state") continue;
        const bytes = name === "stdout" ? ahead.take() : null;
        if (bytes === null && !entry.ready) continue;
        const count = bytes?.length ?? read(entry.fd, buffer);
        if (bytes === null) entry.ready = count === READ_BYTES;
        if (count > 0) {
          lastData = performance.now();
          if (name !== "state") deadlines.output(count);
          if (name === "stdout" && bytes === null) ahead.note(entry.fd, entry.ready);
          if (ahead.isActive && name === "stdout") entry.ready = false;
          const more = entry.ready || (name === "stdout" && ahead.hasMore);
          again ||= more && lastData < until && !deadlines.isFull;
          if (name !== "state") input?.stir();
          options.onOutput(name, bytes ?? buffer.subarray(0, count));
          hold.look();
        } else if (count !== -ERRNO.EAGAIN && count !== -ERRNO.EINTR) {
          streams.delete(name);
        }
      }
    }
    if (!ended && process.ready) {
      proof = options.proof ? options.proof.read() : readProof(`/proc/${pid}/status`);
      const result = waitid(WAIT.P_PID, pid, 0);
      status = typeof result === "object" ? result : null;
      ended = true;
      endedAt = lastData = performance.now();
      deadlines.commandEnded();
    }
    // Read, or it would be ready again at once.
    if (woken.ready) read(wake, new Uint8Array(8));
    if (!ended && !hold.isHeld) input?.check();
    deadlines.asks = input?.asks ?? false;
    deadlines.check();
    if (deadlines.isLate) hold.hurry();
  }
  hold.close();
  options.signal?.removeEventListener("abort", onAbort);
  options.proof?.close();
  close(pidfd);
  close(wake);
  const { timedOut, cancelled, endedBy } = deadlines;
  return { status, timedOut, cancelled, endedBy, proof };
}

/**
 * Wait for a child without output and reap it.
 *
 * @param limitMs after this time its process group is killed.
 */
export async function exited(pid: number, limitMs: number): Promise<void> {
  const pidfd = syscall("pidfd_open", pid, 0);
  if (pidfd < 0) return;
  const ended: PollEntry = { fd: pidfd, ready: false };
  await poll([ended], limitMs);
  if (!ended.ready) {
    syscall("kill", -pid, SIGKILL);
    await poll([ended], -1);
  }
  waitid(WAIT.P_PID, pid, 0);
  close(pidfd);
}
