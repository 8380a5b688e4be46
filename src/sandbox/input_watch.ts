/**
 * Tells when a command waits for input that nobody has sent: nothing is there to read, none of its processes runs, and one
 * is blocked in the kernel reading the command's own input, or waiting until it can be read. Asked of proc(5) only after
 * the command has been silent for a while, and ever more rarely: a look costs 0.25 ms for one process and 2 ms for twenty (measured).
 */
import { descendants, type Kept } from "./process_tree.ts";
import { syscall } from "./linux/ffi.ts";
import { directoryNames, readKernelFile, readLink } from "./linux/files.ts";
import { readMemory } from "./linux/notify.ts";
import { syscallNumbers } from "./linux/syscalls.ts";
import { POLL } from "./linux/uapi.ts";

/** `read`: a process reads it; `poll`: one waits for it, perhaps among other things. */
export type InputWait = "read" | "poll";

/** Silence before the first look, in ms; the second one must agree. */
const FIRST_LOOK_MS = 500;
/** Longest time between two looks, in ms. */
const LONGEST_MS = 8_000;
/** Larger trees and processes are at work. */
const MAX_PROCESSES = 64;
const MAX_THREADS = 64;
/** `struct pollfd` entries and bits of an `fd_set` that are looked at. */
const MAX_POLLED = 64;
const MAX_BITS = 1024;
/** `FIONREAD`, `asm-generic/ioctls.h`. */
const FIONREAD = 0x541b;
/** `EPOLLIN`, `linux/eventpoll.h`. */
const EPOLLIN = 1;

const READ = ["read", "readv", "recvfrom", "recvmsg"] as const;
const POLLS = ["poll", "ppoll"] as const;
const SELECTS = ["select", "pselect6"] as const;
const EPOLLS = ["epoll_wait", "epoll_pwait", "epoll_pwait2"] as const;

/** What to watch. */
export interface InputWatchOptions {
  /** The command's standard input, as a descriptor of this process. */
  readonly input: number;
  /** What is not the command's. */
  readonly others: Kept;
  /** Told of each change, with null when it does not wait any more. The result says whether it waits at a question. */
  readonly onChange: (wait: InputWait | null) => boolean;
}

/** A system call that a thread is blocked in. */
interface Blocked {
  readonly pid: number;
  readonly name: string;
  readonly args: readonly bigint[];
}

/** True for what somebody may still write to: a pipe, a socket, a terminal. */
export function isOpenEnded(fd: number): boolean {
  return /^(?:pipe:|socket:|\/dev\/(?:pts\/|tty|console))/.test(
    readLink(`/proc/self/fd/${fd}`) ?? "",
  );
}

/** Watches one command, from its start. */
export class InputWatch {
  readonly #options: InputWatchOptions;
  readonly #link: string | null;
  readonly #names: ReadonlyMap<number, string>;
  #nextAt = performance.now() + FIRST_LOOK_MS;
  #pauseMs = FIRST_LOOK_MS;
  #seen: InputWait | null = null;
  #told: InputWait | null = null;
  #asks = false;

  constructor(options: InputWatchOptions) {
    this.#options = options;
    this.#link = isOpenEnded(options.input) ? readLink(`/proc/self/fd/${options.input}`) : null;
    const numbers = syscallNumbers(Deno.build.arch);
    const all = [...READ, ...POLLS, ...SELECTS, ...EPOLLS];
    this.#names = new Map(all.flatMap((name) => {
      const number = numbers.get(name);
      return number === undefined ? [] : [[number, name]];
    }));
  }

  /** Milliseconds until the next look, rounded up. */
  wait(): number {
    if (this.#link === null) return Infinity;
    return Math.max(0, Math.ceil(this.#nextAt - performance.now()));
  }

  /** True while the command waits at a question. */
  get asks(): boolean {
    return this.#asks;
  }

  /** The command has written something, or was sent something. */
  stir(): void {
    this.#pauseMs = FIRST_LOOK_MS;
    this.#nextAt = performance.now() + FIRST_LOOK_MS;
    this.#seen = null;
    this.#tell(null);
  }

  /** Look, when it is time. */
  check(): void {
    if (this.#link === null || performance.now() < this.#nextAt) return;
    const found = this.#look(this.#link);
    // Once may be between two steps of its work.
    const sure = found !== null && found === this.#seen;
    this.#pauseMs = found !== null && !sure
      ? FIRST_LOOK_MS
      : Math.min(LONGEST_MS, this.#pauseMs * 2);
    this.#nextAt = performance.now() + this.#pauseMs;
    this.#seen = found;
    if (found === null || sure) this.#tell(found);
  }

  #tell(wait: InputWait | null): void {
    if (wait === this.#told) return;
    this.#told = wait;
    this.#asks = this.#options.onChange(wait);
  }

  #look(link: string): InputWait | null {
    if (this.#waiting() !== 0) return null;
    const living = descendants(this.#options.others, MAX_PROCESSES + 1);
    const isIdle = living.length <= MAX_PROCESSES && living.every(({ state }) => state === "S");
    if (!isIdle) return null;
    let found: InputWait | null = null;
    for (const { pid } of living) {
      for (const blocked of this.#blocked(pid)) {
        if (blocked === null) return null;
        const has = (fd: bigint) => readLink(`/proc/${pid}/fd/${fd}`) === link;
        if (found !== "read") found = waitOf(blocked, has) ?? found;
      }
    }
    return found;
  }

  /** Bytes that are there to be read. */
  #waiting(): number {
    const count = new Int32Array(1);
    return syscall("ioctl", this.#options.input, FIONREAD, count) < 0 ? -1 : count[0]!;
  }

  /** Calls that its threads are blocked in; null for a thread that runs. */
  *#blocked(pid: number): Generator<Blocked | null> {
    const tids = directoryNames(`/proc/${pid}/task`) ?? [];
    if (tids.length > MAX_THREADS) return yield null;
    for (const tid of tids) {
      // `running`, or the number and six arguments of the call, proc_pid_syscall(5).
      const text = readKernelFile(`/proc/${pid}/task/${tid}/syscall`) ?? "";
      if (text.startsWith("running")) yield null;
      const [number = "", ...words] = text.split(" ");
      const name = this.#names.get(/^\d+$/.test(number) ? Number(number) : -1);
      if (name === undefined) continue;
      yield { pid, name, args: words.slice(0, 6).map((word) => BigInt(word.trim())) };
    }
  }
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

/** @param has true for a descriptor that is the command's input. */
function waitOf(blocked: Blocked, has: (fd: bigint) => boolean): InputWait | null {
  const { name, args: [first = 0n] } = blocked;
  if (isOneOf(READ, name)) return has(BigInt.asUintN(32, first)) ? "read" : null;
  const fds = isOneOf(EPOLLS, name)
    ? epollDescriptors(blocked)
    : isOneOf(POLLS, name)
    ? pollDescriptors(blocked)
    : selectDescriptors(blocked);
  return fds.some((fd) => has(BigInt(fd))) ? "poll" : null;
}

function pollDescriptors({ pid, args: [address = 0n, count = 0n] }: Blocked): readonly number[] {
  const length = Math.min(Number(count), MAX_POLLED) * 8;
  const bytes = readMemory(pid, { address, length });
  if (typeof bytes === "number") return [];
  const view = new DataView(bytes.buffer);
  const found: number[] = [];
  for (let at = 0; at < length; at += 8) {
    if (view.getInt16(at + 4, true) & POLL.IN) found.push(view.getInt32(at, true));
  }
  return found.filter((fd) => fd >= 0);
}

function selectDescriptors({ pid, args: [bits = 0n, address = 0n] }: Blocked): readonly number[] {
  const count = Math.min(Number(BigInt.asUintN(32, bits)), MAX_BITS);
  if (address === 0n) return [];
  // Whole words of 64 bits, as the kernel reads them.
  const bytes = readMemory(pid, { address, length: Math.ceil(count / 64) * 8 });
  if (typeof bytes === "number") return [];
  return Array.from({ length: count }, (_, fd) => fd)
    .filter((fd) => ((bytes[fd >> 3] ?? 0) >> (fd & 7)) & 1);
}

function epollDescriptors({ pid, args: [epoll = 0n] }: Blocked): readonly number[] {
  const text = readKernelFile(`/proc/${pid}/fdinfo/${BigInt.asUintN(32, epoll)}`) ?? "";
  return [...text.matchAll(/^tfd: +(\d+) events: +([0-9a-f]+)/gm)].slice(0, MAX_POLLED)
    .filter(([, , events]) => parseInt(events!, 16) & EPOLLIN)
    .map(([, fd]) => Number(fd));
}
