/**
 * Calls that a seccomp filter hands to a supervisor: taking them, answering them, and looking into the thread that made
 * them. Whatever is read there is the caller's to change at any time: decide on copies, act on copies, and ask
 * `isWaiting` between looking and acting, because an id of a thread that was killed may already be another one's.
 */
import { cString, ioctl, open, type Result, syscall } from "./ffi.ts";
import {
  ERRNO,
  NOTIF_FD_SYNC_WAKE_UP,
  NOTIF_FLAG_CONTINUE,
  OPEN,
  PIDFD_THREAD,
  POLL,
  SECCOMP,
  SECCOMP_IOCTL,
} from "./uapi.ts";
import { waitFor } from "./wait.ts";

/** A call that waits for its answer: `struct seccomp_notif`, `linux/seccomp.h`. */
export interface Notification {
  readonly id: bigint;
  /** Thread id of the caller; 0 when it cannot be seen from here. */
  readonly tid: number;
  readonly number: number;
  /** `AUDIT_ARCH_*` of the entry point. */
  readonly arch: number;
  /** Six registers, as they were at the call. */
  readonly args: readonly bigint[];
}

/** What a caller is told: a result of 0 or more, a negative errno, or "carry it out as it is". */
export type Answer = Result | "continue";

/**
 * For calls that are over before the next one begins: `struct seccomp_notif`, `struct seccomp_notif_resp` and an id.
 * Memory that a call is given for the first time costs more than the call.
 */
const taken = new BigUint64Array(10);
const takenView = new DataView(taken.buffer);
const given = new BigInt64Array(3);
const givenView = new DataView(given.buffer);
const asked = new BigUint64Array(1);

/** Granularity at which memory may be there or not; smaller than a page is only slower. */
const PAGE = 4096;

/** Install a filter with a listener. @returns the listener's descriptor (close-on-exec), or the negative errno. */
export function installListener(program: BigUint64Array<ArrayBuffer>): Result {
  // Killable: once a call has been taken, no signal but a fatal one makes the caller give up and call again.
  const flags = SECCOMP.FILTER_FLAG_NEW_LISTENER | SECCOMP.FILTER_FLAG_WAIT_KILLABLE_RECV;
  const listener = syscall("seccomp", SECCOMP.SET_MODE_FILTER, flags, program);
  // Caller and supervisor, of which only one runs at a time, take turns on one processor: waking another one that sleeps
  // costs as much as a supervised call. Nothing depends on it, and kernels before 6.6 do not know it.
  if (listener >= 0) {
    syscall("ioctl", listener, SECCOMP_IOCTL.NOTIF_SET_FLAGS, NOTIF_FD_SYNC_WAKE_UP);
  }
  return listener;
}

/**
 * What a listener has, without waiting: `IN` for a call, `HUP` when no thread is left that could make one. A call that
 * is seen here stays until it is received, so with one receiver the next `receive` does not wait.
 */
export function pendingOn(listener: number): "call" | "nothing" | "over" {
  const [revents] = waitFor(listener, -1, 0);
  if (revents & POLL.IN) return "call";
  return revents & (POLL.HUP | POLL.ERR | POLL.NVAL) ? "over" : "nothing";
}

/** Take the next call; the negative errno when its caller was killed meanwhile (`ENOENT`). */
export function receive(listener: number): Notification | Result {
  // The kernel takes no other, for what a later one may say there.
  taken.fill(0n);
  const result = ioctl(listener, SECCOMP_IOCTL.NOTIF_RECV, taken);
  if (result < 0) return result;
  return {
    id: taken[0]!,
    tid: takenView.getUint32(8, true),
    number: takenView.getInt32(16, true),
    arch: takenView.getUint32(20, true),
    args: [taken[4]!, taken[5]!, taken[6]!, taken[7]!, taken[8]!, taken[9]!],
  };
}

/** Answer a call. A caller that was killed meanwhile is no error. */
export function answer(listener: number, id: bigint, outcome: Answer): void {
  const isError = typeof outcome === "number" && outcome < 0;
  given[0] = id;
  given[1] = outcome === "continue" || isError ? 0n : BigInt(outcome);
  givenView.setInt32(16, isError ? outcome : 0, true);
  givenView.setUint32(20, outcome === "continue" ? NOTIF_FLAG_CONTINUE : 0, true);
  ioctl(listener, SECCOMP_IOCTL.NOTIF_SEND, given);
}

/** True while the caller still waits: then its thread id is its own. */
export function isWaiting(listener: number, id: bigint): boolean {
  asked[0] = id;
  return ioctl(listener, SECCOMP_IOCTL.NOTIF_ID_VALID, asked) === 0;
}

/** Duplicate a descriptor out of a thread's own table; close-on-exec. */
export function takeDescriptor(tid: number, fd: number): Result {
  let pidfd = syscall("pidfd_open", tid, PIDFD_THREAD);
  // Before Linux 6.9: the whole process, whose table nearly every thread shares.
  if (pidfd === -ERRNO.EINVAL) pidfd = syscall("pidfd_open", tid, 0);
  if (pidfd < 0) return pidfd;
  const taken = syscall("pidfd_getfd", pidfd, fd, 0);
  syscall("close", pidfd);
  return taken;
}

/** Open the working directory of a thread, as a place and not for reading. */
export function openWorkingDirectory(tid: number): Result {
  return open(`/proc/${tid}/cwd`, OPEN.PATH);
}

/** Read memory of a process. @returns exactly that many bytes, or -EFAULT; -EPERM when it must not be read. */
export function readMemory(
  tid: number,
  at: { readonly address: bigint; readonly length: number },
): Uint8Array<ArrayBuffer> | Result {
  const bytes = new Uint8Array(at.length);
  if (at.length === 0) return bytes;
  const count = readInto(tid, at.address, bytes);
  if (count < 0) return count;
  return count === at.length ? bytes : -ERRNO.EFAULT;
}

/**
 * Read a string up to its NUL, page by page: what lies behind it may not be there.
 *
 * @param at.most bytes with the NUL.
 * @returns the bytes with the NUL; -ENAMETOOLONG when there is none so far, -EFAULT when memory ends before.
 */
export function readCString(
  tid: number,
  at: { readonly address: bigint; readonly most: number },
): Uint8Array<ArrayBuffer> | Result {
  const bytes = new Uint8Array(at.most);
  for (let length = 0; length < at.most;) {
    const address = at.address + BigInt(length);
    const rest = PAGE - Number(address % BigInt(PAGE));
    const part = bytes.subarray(length, Math.min(at.most, length + rest));
    const count = readInto(tid, address, part);
    if (count <= 0) return count === -ERRNO.EPERM ? count : -ERRNO.EFAULT;
    const end = part.subarray(0, count).indexOf(0);
    if (end >= 0) return bytes.slice(0, length + end + 1);
    if (count < part.length) return -ERRNO.EFAULT;
    length += count;
  }
  return -ERRNO.ENAMETOOLONG;
}

function readInto(tid: number, address: bigint, into: Uint8Array<ArrayBuffer>): Result {
  const own = Deno.UnsafePointer.value(Deno.UnsafePointer.of(into));
  const local = new BigUint64Array([own, BigInt(into.length)]);
  const remote = new BigUint64Array([address, BigInt(into.length)]);
  return syscall("process_vm_readv", tid, local, 1, remote, 1, 0);
}

/** The name by which this process reaches the file behind one of its descriptors; for calls that take a name only. */
export function descriptorPath(fd: number): Uint8Array<ArrayBuffer> {
  return cString(`/proc/self/fd/${fd}`);
}
