/** Bounds that the kernel keeps for each process by itself (setrlimit(2)). */
import { syscall } from "./linux/ffi.ts";
import { readKernelLine } from "./linux/files.ts";
import { ERRNO, RLIMIT } from "./linux/uapi.ts";

/** Bounds of each process; 0 means none. */
export interface ProcessBounds {
  /** Size that a written file may reach, in bytes. */
  readonly fileBytes: number;
  /** Descriptors. */
  readonly openFiles: number;
  /** Processes and threads of the whole session, where no control group bounds them. */
  readonly processes: number;
}

/** True when there is a bound. */
export function boundsProcesses({ fileBytes, openFiles, processes }: ProcessBounds): boolean {
  return fileBytes + openFiles + processes > 0;
}

/** Processes and threads on this machine: at least as many as the user's, whom the kernel counts by (`proc_loadavg(5)`). */
function tasksHere(): number {
  return Number(/\/(\d+) /.exec(readKernelLine("/proc/loadavg") ?? "")?.[1] ?? 0);
}

/** How long a count of tasks is used again, in ms: reading it is most of what bounding a process costs. */
const COUNT_MS = 200;

/** Bounds the processes of one session. */
export class ProcessBounder {
  /** `struct rlimit64 { rlim_cur, rlim_max }`, `linux/resource.h`. */
  readonly #wanted = new BigUint64Array(2);
  readonly #before = new BigUint64Array(2);
  #tasks = 0;
  #countedAt = -Infinity;

  /**
   * Bound a process, best before it executes anything: whatever it starts from then on has the same bounds. Soft and
   * hard limits alike, so that no command raises them again.
   */
  bound(pid: number, bounds: ProcessBounds): void {
    if (bounds.fileBytes > 0) this.#lower(pid, { resource: RLIMIT.FSIZE, bound: bounds.fileBytes });
    if (bounds.openFiles > 0) {
      this.#lower(pid, { resource: RLIMIT.NOFILE, bound: bounds.openFiles });
    }
    if (bounds.processes === 0) return;
    // Coarse, for it counts other sessions too: it keeps a fork bomb from outgrowing whoever ends it. The kernel does
    // not bound root by it.
    this.#lower(pid, { resource: RLIMIT.NPROC, bound: bounds.processes + this.#tasksHere() });
  }

  #tasksHere(): number {
    const now = performance.now();
    if (now - this.#countedAt >= COUNT_MS) {
      this.#tasks = tasksHere();
      this.#countedAt = now;
    }
    return this.#tasks;
  }

  /** Nearly always nothing was bounded lower, and one call does; where something was, a second one takes it back. */
  #lower(
    pid: number,
    { resource, bound }: { readonly resource: number; readonly bound: number },
  ): void {
    const most = BigInt(bound);
    this.#wanted.fill(most);
    const set = syscall("prlimit64", pid, resource, this.#wanted, this.#before);
    // Only root may raise what cannot be exceeded. A process that is gone needs no bound.
    if (set < 0 && set !== -ERRNO.EPERM) return;
    if (set < 0 && syscall("prlimit64", pid, resource, 0, this.#before) < 0) return;
    const [soft = 0n, hard = 0n] = this.#before;
    if (soft >= most && hard >= most) return;
    if (soft < most) this.#wanted[0] = soft;
    if (hard < most) this.#wanted[1] = hard;
    syscall("prlimit64", pid, resource, this.#wanted, 0);
  }
}
