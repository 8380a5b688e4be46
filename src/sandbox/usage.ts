/** What the processes of a session use together, read from proc(5). */
import { readKernelFile } from "./linux/files.ts";
import { descendants, type Kept, processEntry } from "./process_tree.ts";

/** `sysconf(_SC_PAGESIZE)` of x86-64 and of every distribution for 64-bit ARM that Deno supports. */
const PAGE_BYTES = 4096;
/** One clock tick in ms: `USER_HZ` is 100 on all architectures that Deno supports (`asm-generic/param.h`). */
const TICK_MS = 10;

/** Amounts at one moment. */
export interface Usage {
  /** Processes and threads. */
  readonly tasks: number;
  /** Resident memory in bytes; what several processes share counts for each of them. */
  readonly residentBytes: number;
  /** CPU time in ms since the shell was started, of living and of reaped processes. */
  readonly cpuMs: number;
}

/**
 * What all descendants of the shell use.
 *
 * @param except processes that are left out, with all that descends from them.
 * @param enough of them, and the others do not matter any more.
 */
export function currentUsage(except: Kept, enough = Infinity): Usage {
  const living = descendants(except, enough);
  const sum = (pick: (process: typeof living[number]) => number) =>
    living.reduce((total, process) => total + pick(process), 0);
  const reaped = processEntry(Deno.pid)?.reapedTicks ?? 0;
  return {
    tasks: sum(({ threads }) => threads),
    residentBytes: sum(({ pages }) => pages) * PAGE_BYTES,
    cpuMs: (reaped + sum(({ ticks, reapedTicks }) => ticks + reapedTicks)) * TICK_MS,
  };
}

/** CPU time in ms of living processes and of children that they waited for. @param except as above. */
export function livingCpu(except: Kept): number {
  return descendants(except).reduce((sum, one) => sum + one.ticks + one.reapedTicks, 0) * TICK_MS;
}

/**
 * Memory of all descendants in bytes, where what several share counts once (proportional set size, with swap). Costs the
 * kernel a walk over every page table, so it is asked only when the resident sizes add up to too much. Of a process that
 * does not let itself be looked at, everything counts.
 */
export function exactMemory(except: Kept): number {
  let total = 0;
  for (const { pid, pages } of descendants(except)) {
    const rollup = readKernelFile(`/proc/${pid}/smaps_rollup`);
    const kilobytes = (name: string) =>
      Number(new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(rollup ?? "")?.[1]);
    const exact = (kilobytes("Pss") + kilobytes("SwapPss")) * 1024;
    total += Number.isNaN(exact) ? pages * PAGE_BYTES : exact;
  }
  return total;
}
