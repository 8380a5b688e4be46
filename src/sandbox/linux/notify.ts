/**
 * Calls that a seccomp filter hands to a supervisor: taking them, answering them, and looking into the thread that made
 * them. Whatever is read there is the caller's to change at any time: decide on copies, act on copies, and ask
 * `isWaiting` between looking and acting, because an id of a thread that was killed may already be another one's.
 */
import { cString, ioctl, open, type Result, syscall } from "./ffi.ts";
import {
  ERRNO,
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

/** Granularity at which memory may be there or not; smaller than a page is only slower. */
const PAGE = 4096;

/** Install a filter with a listener. @returns the listener's descriptor (close-on-exec), or the negative errno. */
export function installListener(program: BigUint64Array<ArrayBuffer>): Result {
  // Killable: once a call has been taken, no signal but a fatal one makes the caller give up and call again.
  const flags = SECCOMP.FILTER_FLAG_NEW_LISTENER | SECCOMP.FILTER_FLAG_WAIT_KILLABLE_RECV;
  return syscall("seccomp", SECCOMP.SET_MODE_FILTER, flags, program);
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
  const buffer = new Uint8Array(80);
  const result = ioctl(listener, SECCOMP_IOCTL.NOTIF_RECV, buffer);
  if (result < 0) return result;
  const view = new DataView(buffer.buffer);
  return {
    id: view.getBigUint64(0, true),
    tid: view.getUint32(8, true),
    number: view.getInt32(16, true),
    arch: view.getUint32(20, true),
    // Only when somebody asks: `setsid`, which every start makes, has none.
    get args() {
      return [32, 40, 48, 56, 64, 72].map((at) => view.getBigUint64(at, true));
    },
  };
}

/** Answer a call. A caller that was killed meanwhile is no error. */
export function answer(listener: number, id: bigint, given: Answer): void {
  const buffer = new Uint8Array(24);
  const view = new DataView(buffer.buffer);
  view.setBigUint64(0, id, true);
  if (given === "continue") view.setUint32(20, NOTIF_FLAG_CONTINUE, true);
  else if (given < 0) view.setInt32(16, given, true);
  else view.setBigInt64(8, BigInt(given), true);
  ioctl(listener, SECCOMP_IOCTL.NOTIF_SEND, buffer);
}

/** True while the caller still waits: then its thread id is its own. */
export function isWaiting(listener: number, id: bigint): boolean {
  return ioctl(listener, SECCOMP_IOCTL.NOTIF_ID_VALID, new BigUint64Array([id])) === 0;
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
