/** Bounds that the kernel keeps for each process by itself (setrlimit(2)). */
import { syscall } from "./linux/ffi.ts";
import { readKernelFile } from "./linux/files.ts";
import { RLIMIT } from "./linux/uapi.ts";

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
  return Number(/\/(\d+) /.exec(readKernelFile("/proc/loadavg") ?? "")?.[1] ?? 0);
}

/**
 * Bound a process, best before it executes anything: whatever it starts from then on has the same bounds. Soft and hard
 * limits alike, so that no command raises them again.
 */
export function boundProcess(pid: number, bounds: ProcessBounds): void {
  // Coarse, for it counts other sessions too: it keeps a fork bomb from outgrowing whoever ends it. The kernel does not
  // bound root by it.
  const tasks = bounds.processes > 0 ? bounds.processes + tasksHere() : 0;
  if (bounds.fileBytes > 0) lower(pid, { resource: RLIMIT.FSIZE, bound: bounds.fileBytes });
  if (bounds.openFiles > 0) lower(pid, { resource: RLIMIT.NOFILE, bound: bounds.openFiles });
  if (tasks > 0) lower(pid, { resource: RLIMIT.NPROC, bound: tasks });
}

function lower(pid: number, { resource, bound }: { resource: number; bound: number }): void {
  const limits = new BigUint64Array(2);
  // struct rlimit64 { rlim_cur, rlim_max }, linux/resource.h. A process that is gone needs no bound.
  if (syscall("prlimit64", pid, resource, 0, limits) < 0) return;
  const [soft = 0n, hard = 0n] = limits;
  const wanted = BigInt(bound);
  const lowered = new BigUint64Array([
    soft < wanted ? soft : wanted,
    hard < wanted ? hard : wanted,
  ]);
  syscall("prlimit64", pid, resource, lowered, 0);
}
