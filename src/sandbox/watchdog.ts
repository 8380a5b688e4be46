/**
 * What ends a jail's processes when the shell itself is killed. A small process reads from a pipe that only the shell
 * holds. When the shell has closed it, or is gone, the process sends SIGKILL to everything that it may signal, which is
 * the jail's Landlock domain: whatever daemonised, stopped itself or forks as fast as it can ends in one call. Commands
 * run in a domain of their own below it and cannot signal it.
 *
 * Needs Landlock's signal scope (ABI 6, Linux 6.12): without it the call would reach every process of the user.
 */
import { SystemCallError } from "../errors.ts";
import { close, open, syscall } from "./linux/ffi.ts";
import { posixSpawn } from "./linux/posix_spawn.ts";
import { OPEN } from "./linux/uapi.ts";
import { exited } from "./supervise.ts";

/** The lowest ABI under which signals stay in their domain. */
export const SIGNAL_SCOPE_ABI = 6;

/**
 * Ends at the end of its input, or when it has another parent. A process that has executed nothing yet holds all of the
 * shell's descriptors, the pipe among them; when the shell is killed while such a one waits for its supervisor, it waits
 * for ever, since it holds the supervisor's end as well. It ends with the others.
 */
const SCRIPT = `while read -t 2 -r _; [ $? -gt 128 ]; do
read -r -a stat </proc/$$/stat && [ "\${stat[3]}" != "$PPID" ] && break
done; kill -9 -1`;
/** Where there is no bash: the input alone. */
const PLAIN_SCRIPT = "read -r _; kill -9 -1";
/** Time in which it ends, in ms; it is killed after that. */
const END_MS = 10_000;

/**
 * Start it from the thread whose domain it watches, before the thread is restricted for its commands.
 *
 * @param input the pipe's end for reading.
 * @returns its process id.
 * @throws {SystemCallError} when it was not started, or signals leave the domain.
 */
export function startWatchdog(input: number): number {
  const parent = syscall("getppid");
  // Parent of the whole shell, and so outside; 0 where it is in another PID namespace.
  if (parent > 0 && syscall("kill", parent, 0) === 0) {
    throw new SystemCallError("kill", 0, "Cannot prove the jail: signals leave its domain");
  }
  const sink = open("/dev/null", OPEN.WRONLY);
  const place = { env: {}, cwd: "/", fds: [input, sink, sink] };
  const options = ["--noprofile", "--norc", "-c"];
  const better = { ...place, path: "/bin/bash", argv: ["bash", ...options, SCRIPT] };
  const plain = { ...place, path: "/bin/sh", argv: ["sh", "-c", PLAIN_SCRIPT] };
  const first = posixSpawn(better);
  const pid = first > 0 ? first : posixSpawn(plain);
  close(sink);
  if (pid > 0) return pid;
  throw new SystemCallError("posix_spawn", -pid, `Cannot start the jail's watchdog: errno ${-pid}`);
}

/** The shell's end of it. */
export class Watchdog {
  /** Its process id; reserved, because nobody else reaps it. */
  readonly pid: number;
  readonly #pipe: number;

  /** @param pipe the end for writing, which is closed at the end. */
  constructor(pid: number, pipe: number) {
    this.pid = pid;
    this.#pipe = pipe;
  }

  /** End every process of the domain, and the watchdog itself. */
  async end(): Promise<void> {
    close(this.#pipe);
    await exited(this.pid, END_MS);
  }
}
