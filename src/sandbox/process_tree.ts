/** What descends from a process, and how to end all of it. */
import { syscall, waitid } from "./linux/ffi.ts";
import { directoryNames, readKernelFile } from "./linux/files.ts";
import { ERRNO, WAIT } from "./linux/uapi.ts";

const SIGTERM = 15;
const SIGKILL = 9;
const SIGSTOP = 19;
const NONE: Kept = new Set<number>();

/** Processes that are left alone; a set is one. */
export interface Kept {
  has(pid: number): boolean;
  /** How many there may be at most: 0 when nothing is kept. */
  readonly size: number;
}

/**
 * Looks at the tree, one after another, that must find nobody: a process that forks and exits at once slips through one
 * look in two (measured with a chain of them).
 */
const EMPTY_LOOKS = 12;

/** Processes that one round of `killTree` looks for before it ends them. */
const ROUND_SIZE = 512;

/** A process as `/proc/PID/stat` names it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** One letter of proc(5): R, S, D, Z, T, … of its first thread. */
  readonly state: string;
  /** `PF_*` of `linux/sched.h`. */
  readonly flags: number;
  /** CPU time of its own, in clock ticks. */
  readonly ticks: number;
  /** CPU time of its children that were waited for, in clock ticks. */
  readonly reapedTicks: number;
  readonly threads: number;
  /** Resident pages; none when the first thread has ended. */
  readonly pages: number;
}

/** What `/proc/PID/stat` says of a process, null when it is gone. */
export function processEntry(pid: number): ProcessEntry | null {
  return entryAt(`/proc/${pid}`, pid);
}

function entryAt(directory: string, pid: number): ProcessEntry | null {
  const stat = readKernelFile(`${directory}/stat`);
  if (stat === null) return null;
  // The name in parentheses may hold anything, also parentheses: the fields begin after the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // Numbered from 3 in proc(5).
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid,
    parent: field(4),
    state: fields[0] ?? "?",
    flags: field(9),
    ticks: field(14) + field(15),
    reapedTicks: field(16) + field(17),
    threads: field(20),
    pages: field(24),
  };
}

/**
 * The ids in a `children` file of proc(5), each of which a space follows. A list that was cut off ends within a number:
 * the half of an id is somebody else's.
 */
export function processIds(list: string): readonly number[] {
  return list.slice(0, list.lastIndexOf(" ") + 1).split(" ").filter(Boolean).map(Number);
}

/** Looks for a thread that has memory, as long as there are new ones: each ended before it was looked at. */
const THREAD_LOOKS = 16;

/**
 * What `processEntry` says of a process that lives, null for one that has ended. Where the first thread has ended the
 * others go on: the process then looks like a zombie without memory, and what it uses is another thread's to say.
 */
function livingEntry(pid: number): ProcessEntry | null {
  let known = processEntry(pid);
  let before: ReadonlySet<string> | null = null;
  for (let look = 0; look < THREAD_LOOKS; look++) {
    if (known === null || known.pages > 0) return known;
    if (known.threads < 2) return known.state === "Z" ? null : known;
    const tasks: readonly string[] = directoryNames(`/proc/${pid}/task`) ?? [];
    for (const task of tasks) {
      const thread = entryAt(`/proc/${pid}/task/${task}`, pid);
      if (thread !== null && thread.pages > 0) {
        return { ...known, state: thread.state, pages: thread.pages };
      }
    }
    // A thread without memory ends, and makes no other.
    if (before !== null && tasks.every((task) => before?.has(task))) return known;
    before = new Set(tasks);
    known = processEntry(pid);
  }
  // Of a process that does not let itself be looked at, everything counts.
  return known === null ? null : { ...known, pages: Infinity };
}

function children(pid: number): readonly number[] {
  const found: number[] = [];
  for (const task of directoryNames(`/proc/${pid}/task`) ?? []) {
    const list = readKernelFile(`/proc/${pid}/task/${task}/children`);
    if (list) found.push(...processIds(list));
  }
  return found;
}

/**
 * Living descendants of the shell, itself not counted. Because the shell is a child subreaper, a process that
 * daemonised is among them.
 *
 * @param skip children of the shell that are left out together with all that descends from them.
 * @param enough found, it looks no further: a tree may grow faster than it is walked.
 */
export function descendants(
  skip: Kept = NONE,
  enough = Infinity,
): readonly ProcessEntry[] {
  const found: ProcessEntry[] = [];
  const queue = children(Deno.pid).filter((pid) => !skip.has(pid));
  const seen = new Set<number>(queue);
  for (
    let pid = queue.pop();
    pid !== undefined && found.length < enough;
    pid = queue.pop()
  ) {
    const known = livingEntry(pid);
    if (known) found.push(known);
    for (const child of children(pid)) {
      if (seen.has(child)) continue;
      seen.add(child);
      // Whatever it has made of itself, it belongs to what it descends from.
      queue.push(child);
    }
  }
  return found;
}

/** True when the shell has a child of any kind, ended or not, besides some. */
export function hasChildren(except: Kept = NONE): boolean {
  if (waitid(WAIT.P_ALL, 0, WAIT.NOWAIT) === -ERRNO.ECHILD) return false;
  return except.size === 0 || children(Deno.pid).some((pid) => !except.has(pid));
}

/** Orphans reaped at a time: whoever makes more than can be reaped must not keep the shell from all else. */
const REAP_BATCH = 1024;

/**
 * Reap what has ended among the shell's children, except commands whose status their own supervisors take: zombies count
 * as processes to every limit. One system call when there is none.
 *
 * @returns true when there was one.
 */
export function reapEnded(commands: Kept): boolean {
  let reaped = 0;
  for (; reaped < REAP_BATCH; reaped++) {
    const ended = waitid(WAIT.P_ALL, 0, WAIT.NOWAIT);
    if (ended === null || typeof ended === "number" || commands.has(ended.pid)) break;
    waitid(WAIT.P_PID, ended.pid, 0);
  }
  return reaped > 0;
}

/** Reap every orphan that has ended, except commands whose status their own supervisors take. */
export function reapOrphans(except: Kept = NONE): void {
  for (let reaped = 0; reaped < REAP_BATCH; reaped++) {
    const ended = waitid(WAIT.P_ALL, 0, WAIT.NOWAIT);
    if (ended === null || typeof ended === "number") return;
    // The kernel names the same one again, and none behind it.
    if (except.has(ended.pid)) break;
    waitid(WAIT.P_PID, ended.pid, 0);
  }
  for (const pid of children(Deno.pid)) {
    if (!except.has(pid) && processEntry(pid)?.state === "Z") waitid(WAIT.P_PID, pid, 0);
  }
}

/**
 * Send a signal to a command's own process group and to whatever descends from the shell, except what is kept.
 *
 * @param options.signal SIGTERM when absent.
 * @param options.spare a process that only waits for the command, and is left alone with its group; null for none.
 */
export function terminateTree(
  leader: number,
  { keep, spare = null, signal = SIGTERM }: {
    readonly keep: Kept;
    readonly spare?: number | null;
    readonly signal?: number;
  },
): void {
  // The group is the command's own only if it leads it: never signal a group that the shell may be in.
  if (spare === null && syscall("getpgid", leader) === leader) syscall("kill", -leader, signal);
  for (const { pid } of descendants(keep)) if (pid !== spare) syscall("kill", pid, signal);
}

/** Send a signal to whatever descends from the shell, except what is kept and one process that only waits. */
export function signalTree(
  signal: number,
  { keep, spare = null }: { readonly keep: Kept; readonly spare?: number | null },
): void {
  for (const { pid } of descendants(keep)) if (pid !== spare) syscall("kill", pid, signal);
}

/** What `killTree` leaves alone, and for how long it tries. */
export interface KillOptions {
  /** Processes that go on, with all that descends from them. */
  readonly keep?: Kept;
  /** Children whose status someone else takes: killed, but not reaped here. */
  readonly unreaped?: Kept;
  /** Bound on the repetitions. */
  readonly rounds?: number;
}

/**
 * Kill everything that descends from the shell, again and again until nothing is left: a process may fork while the
 * list is read. Each round stops what it finds first, so that a fork bomb cannot outrun it for ever.
 *
 * @returns true when nothing is left.
 */
export function killTree(
  { keep = NONE, unreaped = NONE, rounds = 512 }: KillOptions = {},
): boolean {
  const has = (pid: number) => keep.has(pid) || unreaped.has(pid);
  const unowned = { has, size: keep.size + unreaped.size };
  let empty = 0;
  for (let round = 0; round < rounds && empty < EMPTY_LOOKS; round++) {
    const living = descendants(keep, ROUND_SIZE);
    for (const process of living) syscall("kill", process.pid, SIGSTOP);
    for (const process of living) syscall("kill", process.pid, SIGKILL);
    reapOrphans(unowned);
    // Whatever descends from a child subreaper, it has a child as long as one of them is there.
    if (!hasChildren()) return true;
    empty = living.length === 0 ? empty + 1 : 0;
  }
  return empty === EMPTY_LOOKS;
}

/** Longest command line that is shown, in characters. */
const MAX_COMMAND_LINE = 200;

/** The command line of a process, for people: words joined by spaces, at most 200 characters. */
export function commandLine(pid: number): string {
  const wordsAt = (directory: string) =>
    commandLineOf((readKernelFile(`${directory}/cmdline`) ?? "").split("\0"));
  const words = wordsAt(`/proc/${pid}`);
  if (words !== "") return words;
  // Its first thread may have ended.
  const thread = directoryNames(`/proc/${pid}/task`)?.find((task) => task !== String(pid));
  return (thread === undefined ? "" : wordsAt(`/proc/${pid}/task/${thread}`)) || "(gone)";
}

/** Words as `commandLine` gives them for a process that was started with them. */
export function commandLineOf(argv: readonly string[]): string {
  return argv.join(" ").trim().slice(0, MAX_COMMAND_LINE);
}
