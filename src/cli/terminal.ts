/** Writing to descriptors, synchronously, so that order and back-pressure are those of the terminal or pipe. */
import { SystemCallError } from "../errors.ts";
import { poll as pollLater, syscall } from "../sandbox/linux/ffi.ts";
import { ERRNO, F_GETFL, F_SETFL, OPEN, POLL } from "../sandbox/linux/uapi.ts";
import { errnoText } from "../sandbox/errno_text.ts";

const encoder = new TextEncoder();
const EPIPE = 32;

/** Nobody reads the descriptor any more. */
export class ClosedPipe extends Error {
  override name = "ClosedPipe";
}

/** Write text to a descriptor. @throws as `writeBytes`. */
export function writeText(fd: number, text: string): void {
  writeBytes(fd, encoder.encode(text));
}

/**
 * Write bytes to a descriptor.
 *
 * @throws {ClosedPipe} when its reader went away.
 * @throws {SystemCallError} when they cannot be written for another reason (ENOSPC, EBADF, …).
 */
export function writeBytes(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    const count = syscall(
      "write",
      fd,
      bytes.subarray(at) as Uint8Array<ArrayBuffer>,
      bytes.length - at,
    );
    if (count >= 0) at += count;
    else if (count === -ERRNO.EAGAIN) waitForRoom(fd);
    else if (count === -EPIPE) throw new ClosedPipe();
    else if (count !== -ERRNO.EINTR) {
      const state = errnoText(-count);
      throw new SystemCallError("write", -count, `Cannot write to descriptor ${fd}: ${state}`);
    }
  }
}

/** Whoever shares a terminal or pipe with the shell may have made it non-blocking. */
function waitForRoom(fd: number): void {
  poll(fd, { events: POLL.OUT, wait: true });
}

/** True when a write fails where it would have to wait: whoever shares the descriptor may have made it so. */
export function isNonBlocking(fd: number): boolean {
  const flags = syscall("fcntl", fd, F_GETFL);
  return flags >= 0 && (flags & OPEN.NONBLOCK) !== 0;
}

/** Let reads and writes wait, as shells do with their terminal before they use it. */
export function makeBlocking(fd: number): void {
  const flags = syscall("fcntl", fd, F_GETFL);
  if (flags >= 0) syscall("fcntl", fd, F_SETFL, flags & ~OPEN.NONBLOCK);
}

/** Wait for room, while everything else goes on. */
export async function roomLater(fd: number): Promise<void> {
  await pollLater([{ fd, events: POLL.OUT, ready: false }], -1);
}

/** False when the reader of a pipe or socket went away, or a terminal hung up: a write would fail. */
export function hasReader(fd: number): boolean {
  return (poll(fd, { events: 0, wait: false }) & (POLL.ERR | POLL.HUP)) === 0;
}

/** Settles when the reader of a pipe or socket goes away; for a file never. */
export async function whenReaderLeaves(fd: number): Promise<void> {
  await pollLater([{ fd, events: 0, ready: false }], -1);
  // A file's descriptor is never polled for this.
  if (hasReader(fd)) await new Promise(() => {});
}

/** What `ppoll(2)` says of a descriptor: now, or when one of the events is there. */
function poll(fd: number, options: { readonly events: number; readonly wait: boolean }): number {
  // struct pollfd: fd, events, revents.
  const entry = new DataView(new ArrayBuffer(8));
  entry.setInt32(0, fd, true);
  entry.setInt16(4, options.events, true);
  const timeout = options.wait ? 0 : new BigInt64Array(2);
  const found = syscall("ppoll", new Uint8Array(entry.buffer), 1, timeout, 0, 0);
  return found > 0 ? entry.getInt16(6, true) : 0;
}
