/**
 * The door to the C library; that of `posix_spawn` is beside it. Wrappers are named as the system calls that they make. All calls but `poll`,
 * `readLater` and `writeLater` are blocking, so they act on the calling thread: what restricts the jail's thread must never run on a
 * pool thread, where it would be lost without a word. Buffers passed to a call must stay referenced by the caller until
 * it returns; the kernel keeps none of them.
 */
import { address, cString } from "./memory.ts";
import { AT_FDCWD, CLD, ERRNO, OPEN, POLL, WAIT } from "./uapi.ts";
import { syscallNumbers } from "./syscalls.ts";

export { cString } from "./memory.ts";

const libc = Deno.dlopen("libc.so.6", {
  // Variadic in C: on both architectures integer arguments travel in the same registers as here. All seven
  // must be given, or the kernel reads what happens to be in the register of the sixth. `ioctl` is variadic, too.
  syscall: { parameters: ["i64", "i64", "i64", "i64", "i64", "i64", "i64"], result: "i64" },
  __errno_location: { parameters: [], result: "pointer" },
  poll: { parameters: ["buffer", "u64", "i32"], result: "i32", nonblocking: true },
  pollHere: { name: "poll", parameters: ["buffer", "u64", "i32"], result: "i32" },
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
  read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  readLater: {
    name: "read",
    parameters: ["i32", "buffer", "usize"],
    result: "isize",
    nonblocking: true,
  },
  write: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  writeLater: {
    name: "write",
    parameters: ["i32", "buffer", "usize"],
    result: "isize",
    nonblocking: true,
  },
  // Called hundreds of times while a jail is planned: with declared types they cost a microsecond, by number ten.
  openat: { parameters: ["i32", "buffer", "i32", "u32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  statx: { parameters: ["i32", "buffer", "i32", "u32", "buffer"], result: "i32" },
  // The same for what walks a workspace.
  getdents64: { parameters: ["i32", "buffer", "usize"], result: "isize" },
  // Those of every start: a number of words costs half of what it does through the general form.
  short: { name: "syscall", parameters: ["i32", "i32", "i32", "i32", "buffer"], result: "i32" },
  openat2: {
    name: "syscall",
    parameters: ["i64", "i32", "buffer", "buffer", "usize"],
    result: "i32",
  },
}).symbols;

const numbers = syscallNumbers(Deno.build.arch);
const OPENAT2 = BigInt(numbers.get("openat2") ?? 0);
const [GETSID = 0, EPOLL_CTL = 0] = ["getsid", "epoll_ctl"].map((name) => numbers.get(name));

/** The outcome of a call: its value (0 or more), or the negative errno, as the kernel itself returns it. */
export type Result = number;

/** The errno of this thread's last failed C library call, never 0: its negative would read as success. */
function errno(): number {
  const pointer = libc.__errno_location();
  return (pointer && new Deno.UnsafePointerView(pointer).getInt32()) || ERRNO.EINVAL;
}

/**
 * Make one system call by name, on the calling thread.
 *
 * @throws {RangeError} when the architecture's table does not know the name.
 */
export function syscall(name: string, ...args: (number | bigint | BufferSource)[]): Result {
  const number = numbers.get(name);
  if (number === undefined) throw new RangeError(`Cannot call "${name}": not in the table`);
  const words = [0n, 0n, 0n, 0n, 0n, 0n];
  args.forEach((arg, index) => {
    words[index] = typeof arg === "object" ? address(arg) : BigInt(arg);
  });
  const [a, b, c, d, e, f] = words as [bigint, bigint, bigint, bigint, bigint, bigint];
  const result = libc.syscall(BigInt(number), a, b, c, d, e, f);
  return result === -1n ? -errno() : Number(result);
}

/** `prctl(2)`; the four arguments beyond the option default to 0. */
export function prctl(option: number, ...args: (number | bigint)[]): Result {
  return syscall("prctl", option, ...args);
}

/** `openat(2)` relative to the working directory; returns a descriptor, which is always close-on-exec. */
export function open(path: string, flags: number): Result {
  const fd = libc.openat(AT_FDCWD, cString(path), flags | OPEN.CLOEXEC, 0);
  return fd === -1 ? -errno() : fd;
}

/** `getsid(2)`. @returns the session of a process, or the negative errno. */
export function getsid(pid: number): Result {
  const session = libc.short(GETSID, pid, 0, 0, null);
  return session === -1 ? -errno() : session;
}

/** `epoll_ctl(2)` with a `struct epoll_event`. @returns 0, or the negative errno. */
export function epollControl(
  epoll: number,
  { operation, target, event }: {
    readonly operation: number;
    readonly target: number;
    readonly event: Uint32Array<ArrayBuffer>;
  },
): Result {
  const result = libc.short(EPOLL_CTL, epoll, operation, target, event);
  return result === -1 ? -errno() : result;
}

/** `close(2)`. */
export function close(fd: number): void {
  libc.close(fd);
}

/** `statx(2)` relative to the working directory. @returns 0, or the negative errno. */
export function statx(
  path: string,
  options: {
    readonly flags: number;
    readonly mask: number;
    readonly buffer: Uint8Array<ArrayBuffer>;
  },
): Result {
  const { flags, mask, buffer } = options;
  return libc.statx(AT_FDCWD, cString(path), flags, mask, buffer) === -1 ? -errno() : 0;
}

/** `statx(2)` of a name beneath an open directory; the empty name with `AT_EMPTY_PATH` is the file itself. */
export function statxAt(
  directory: number,
  name: Uint8Array<ArrayBuffer>,
  options: {
    readonly flags: number;
    readonly mask: number;
    readonly buffer: Uint8Array<ArrayBuffer>;
  },
): Result {
  const { flags, mask, buffer } = options;
  return libc.statx(directory, name, flags, mask, buffer) === -1 ? -errno() : 0;
}

/** `openat2(2)`; `how` is a `struct open_how` of three words, `linux/openat2.h`. */
export function openat2(
  directory: number,
  path: Uint8Array<ArrayBuffer>,
  how: Uint8Array<ArrayBuffer>,
): Result {
  const fd = libc.openat2(OPENAT2, directory, path, how, BigInt(how.byteLength));
  return fd === -1 ? -errno() : fd;
}

/** `getdents64(2)`. @returns bytes of entries, 0 at the end. */
export function getdents64(fd: number, buffer: Uint8Array<ArrayBuffer>): Result {
  const count = Number(libc.getdents64(fd, buffer, BigInt(buffer.byteLength)));
  return count === -1 ? -errno() : count;
}

/** `read(2)` into a buffer; 0 is the end of the file. */
export function read(fd: number, buffer: Uint8Array<ArrayBuffer>): Result {
  const count = Number(libc.read(fd, buffer, BigInt(buffer.byteLength)));
  return count === -1 ? -errno() : count;
}

/**
 * `read(2)` on a pool thread, into a buffer that nobody else touches meanwhile. The descriptor must stay open until then,
 * or its number may have come to stand for another file. @returns bytes read, 0 at the end, or -1: the errno is lost.
 */
export async function readLater(fd: number, buffer: Uint8Array<ArrayBuffer>): Promise<number> {
  return Number(await libc.readLater(fd, buffer, BigInt(buffer.byteLength)));
}

/** `ioctl(2)` with a structure. */
export function ioctl(fd: number, request: number, argument: BufferSource): Result {
  const result = libc.ioctl(fd, BigInt(request), argument as Uint8Array<ArrayBuffer>);
  return result === -1 ? -errno() : result;
}

/** `poll(2)` on this thread, of `struct pollfd`s. @returns how many are ready, or the negative errno. */
export function pollHere(entries: Int32Array<ArrayBuffer>, timeoutMs: number): Result {
  const ready = libc.pollHere(entries, BigInt(entries.length / 2), timeoutMs);
  return ready === -1 ? -errno() : ready;
}

/** `pipe2(2)` with O_CLOEXEC. @returns both ends, or the negative errno. */
export function pipe(): { readonly read: number; readonly write: number } | Result {
  const fds = new Int32Array(2);
  const result = syscall("pipe2", fds, OPEN.CLOEXEC);
  return result < 0 ? result : { read: fds[0]!, write: fds[1]! };
}

/** One descriptor to wait for. */
export interface PollEntry {
  readonly fd: number;
  /** What to wait for, `POLL.IN` when absent. */
  readonly events?: number;
  /** Set by `poll`: that, end of file, error or hang-up is there. */
  ready: boolean;
}

/**
 * `poll(2)`, on a pool thread so that the event loop goes on; restricts nothing.
 *
 * @param timeoutMs milliseconds, -1 waits for ever.
 */
export async function poll(entries: readonly PollEntry[], timeoutMs: number): Promise<void> {
  const buffer = pollBuffer(entries);
  await libc.poll(buffer, BigInt(entries.length), timeoutMs);
  setReady(entries, buffer);
}

/** `poll(2)` without waiting, on this thread. */
export function pollNow(entries: readonly PollEntry[]): void {
  const buffer = pollBuffer(entries);
  libc.pollHere(buffer, BigInt(entries.length), 0);
  setReady(entries, buffer);
}

function pollBuffer(entries: readonly PollEntry[]): Uint8Array<ArrayBuffer> {
  const buffer = new Uint8Array(entries.length * 8);
  const view = new DataView(buffer.buffer);
  entries.forEach((entry, index) => {
    view.setInt32(index * 8, entry.fd, true);
    view.setInt16(index * 8 + 4, entry.events ?? POLL.IN, true);
  });
  return buffer;
}

function setReady(entries: readonly PollEntry[], buffer: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(buffer.buffer);
  entries.forEach((entry, index) => {
    entry.ready = view.getInt16(index * 8 + 6, true) !== 0;
  });
}

/** How a child ended: its exit status, or the number of the signal that ended it. */
export type WaitStatus =
  | { readonly kind: "exited"; readonly code: number; readonly pid: number }
  | { readonly kind: "signaled"; readonly signal: number; readonly pid: number };

/**
 * `waitid(2)` without blocking. @returns the status of a child that has ended, null while it runs, or the negative
 * errno (`ECHILD`: there is no such child).
 *
 * @param which `WAIT.P_PID` or `WAIT.P_ALL`.
 */
export function waitid(which: number, pid: number, options: number): WaitStatus | null | Result {
  const info = new Uint8Array(128);
  const result = syscall(
    "waitid",
    which,
    pid,
    info,
    options | WAIT.NOHANG | WAIT.EXITED | WAIT.WALL,
    0,
  );
  if (result < 0) return result;
  // siginfo_t: si_signo, si_errno, si_code, padding, then si_pid, si_uid, si_status (asm-generic/siginfo.h).
  const view = new DataView(info.buffer);
  const child = view.getInt32(12 + 4, true);
  if (child === 0) return null;
  const status = view.getInt32(12 + 12, true);
  return view.getInt32(8, true) === CLD.EXITED
    ? { kind: "exited", code: status, pid: child }
    : { kind: "signaled", signal: status, pid: child };
}

/** `write(2)` of everything. @returns 0, or the negative errno. */
export function writeAll(fd: number, bytes: Uint8Array<ArrayBuffer>): Result {
  for (let at = 0; at < bytes.length;) {
    const count = Number(libc.write(fd, bytes.subarray(at), BigInt(bytes.length - at)));
    if (count < 0) return -errno();
    at += count;
  }
  return 0;
}

/** `write(2)` on a pool thread, of bytes that do not change meanwhile. @returns how many, or -1: the errno is lost. */
export async function writeLater(fd: number, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  return Number(await libc.writeLater(fd, bytes, BigInt(bytes.byteLength)));
}
