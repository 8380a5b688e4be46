/**
 * Looking at files by system calls. Deno's own file API asks for every permission there is before it touches anything
 * beneath `/proc`, `/dev` or `/sys`, and a jail is about these too.
 */
import { resolve } from "node:path/posix";
import {
  close,
  cString,
  getdents64,
  open,
  openat2,
  read,
  type Result,
  statx,
  syscall,
} from "./ffi.ts";
import { AT, AT_FDCWD, ERRNO, OPEN, RESOLVE, S_IF } from "./uapi.ts";

const decoder = new TextDecoder();
/** For calls that are over before the next one begins: fresh memory of this size kept the garbage collector busy. */
const scratch = new Uint8Array(65536);

/** What `statx(2)` says of a file. */
export interface FileStatus {
  readonly kind: "directory" | "file" | "link" | "character-device" | "block-device" | "other";
  /** Permission bits, with set-id and sticky. */
  readonly mode: number;
  readonly uid: number;
  readonly size: number;
  /** Names that the file has; 0 when it is anonymous or its last name is gone. */
  readonly links: number;
  readonly device: string;
  readonly inode: bigint;
  /** Nanoseconds since the epoch. */
  readonly changed: bigint;
  readonly modified: bigint;
}

/** `AT_SYMLINK_NOFOLLOW`, `linux/fcntl.h`. */
const NO_FOLLOW = 0x100;
/** `STATX_BASIC_STATS`, `linux/stat.h`. */
const BASIC_STATS = 0x7ff;

const KINDS: Readonly<Record<number, FileStatus["kind"]>> = {
  [S_IF.DIRECTORY]: "directory",
  [S_IF.REGULAR]: "file",
  [S_IF.LINK]: "link",
  [S_IF.CHARACTER]: "character-device",
  [S_IF.BLOCK]: "block-device",
};

/** The status of a path, null when there is none or it cannot be reached. Offsets: `struct statx`, `linux/stat.h`. */
export function status(path: string, options: { readonly follow: boolean }): FileStatus | null {
  const buffer = new Uint8Array(256);
  const flags = options.follow ? 0 : NO_FOLLOW;
  return statx(path, { flags, mask: BASIC_STATS, buffer }) < 0 ? null : statusIn(buffer);
}

/** The status of what a descriptor of this process holds, also one that is only a place. */
export function descriptorStatus(fd: number): FileStatus | null {
  const buffer = new Uint8Array(256);
  const result = syscall("statx", fd, cString(""), AT.EMPTY_PATH, BASIC_STATS, buffer);
  return result < 0 ? null : statusIn(buffer);
}

function statusIn(buffer: Uint8Array<ArrayBuffer>): FileStatus {
  const view = new DataView(buffer.buffer);
  const time = (at: number) =>
    view.getBigInt64(at, true) * 1_000_000_000n + BigInt(view.getUint32(at + 8, true));
  const mode = view.getUint16(28, true);
  return {
    kind: KINDS[mode & S_IF.MASK] ?? "other",
    mode: mode & 0o7777,
    uid: view.getUint32(20, true),
    links: view.getUint32(16, true),
    size: Number(view.getBigUint64(40, true)),
    device: `${view.getUint32(136, true)}:${view.getUint32(140, true)}`,
    inode: view.getBigUint64(32, true),
    changed: time(96),
    modified: time(112),
  };
}

/** `readlinkat(2)`, null when it is no link. */
export function readLink(path: string): string | null {
  const buffer = new Uint8Array(4096);
  const length = syscall("readlinkat", AT_FDCWD, cString(path), buffer, buffer.length);
  return length < 0 ? null : decoder.decode(buffer.subarray(0, length));
}

/**
 * The path with every link resolved, null when it does not exist or leads through a magic link: `/dev/stdin` and its like
 * name whatever the caller has open, which no rule is about.
 */
export function realPath(path: string): string | null {
  const fd = openat2(AT_FDCWD, cString(path), openHow(OPEN.PATH, RESOLVE.NO_MAGICLINKS));
  const held = fd === -ERRNO.ENOSYS && !hasMagicLink(path) ? open(path, OPEN.PATH) : fd;
  if (held < 0) return null;
  const real = readLink(`/proc/self/fd/${held}`);
  close(held);
  return real?.startsWith("/") ? real : null;
}

/** Links that one path may lead through, as the kernel counts them: path_resolution(7). */
const MAX_LINKS = 40;
/** Where proc(5) keeps magic links; those of `/proc` itself (`self`, `mounts`, `net`) are plain. */
const MAGIC = /^\/proc\/\d+\//;

/** Whether a path leads through a magic link, found component by component: for kernels that cannot be asked. */
export function hasMagicLink(path: string): boolean {
  let links = 0;
  let here = "/";
  const rest = path.split("/").reverse();
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    const next = resolve(here, name);
    const target = readLink(next);
    if (target === null) {
      here = next;
      continue;
    }
    if (MAGIC.test(next) || ++links > MAX_LINKS) return true;
    if (target.startsWith("/")) here = "/";
    rest.push(...target.split("/").reverse());
  }
  return false;
}

/** `struct open_how { flags, mode, resolve }`, `linux/openat2.h`; close-on-exec. */
export function openHow(flags: number, resolveFlags: number): Uint8Array<ArrayBuffer> {
  const words = [flags | OPEN.CLOEXEC, 0, resolveFlags].map(BigInt);
  return new Uint8Array(new BigUint64Array(words).buffer);
}

/**
 * `openat2(2)` of an absolute path in which no component is a link: -ELOOP when one is. Close-on-exec. Where the call
 * does not exist (inside a jail of Debrief's own), the opened file must be found under the very path.
 */
export function openResolved(path: string, flags: number): Result {
  const result = openat2(AT_FDCWD, cString(path), openHow(flags, RESOLVE.NO_SYMLINKS));
  if (result !== -ERRNO.ENOSYS) return result;
  const fd = open(path, flags);
  if (fd < 0 || readLink(`/proc/self/fd/${fd}`) === path) return fd;
  close(fd);
  return -ERRNO.ELOOP;
}

/** Names in a directory, in the kernel's order; null when it cannot be listed. Layout: `struct linux_dirent64`. */
export function directoryNames(path: string): readonly string[] | null {
  const fd: Result = open(path, OPEN.RDONLY | OPEN.NONBLOCK);
  if (fd < 0) return null;
  const names: string[] = [];
  const view = new DataView(scratch.buffer);
  for (;;) {
    const count = getdents64(fd, scratch);
    if (count <= 0) {
      close(fd);
      return count < 0 ? null : names;
    }
    for (let at = 0; at < count; at += view.getUint16(at + 16, true)) {
      const start = at + 19;
      const name = decoder.decode(scratch.subarray(start, scratch.indexOf(0, start)));
      if (name !== "." && name !== "..") names.push(name);
    }
  }
}

/**
 * The start of a kernel file (`/proc`, `/sys`) as text, at most 64 KiB; null when it cannot be opened or read.
 */
export function readKernelFile(path: string): string | null {
  const fd = open(path, OPEN.RDONLY);
  if (fd < 0) return null;
  let length = 0;
  for (;;) {
    const count = read(fd, scratch.subarray(length));
    if (count > 0) length += count;
    if (count > 0 && length < scratch.length) continue;
    close(fd);
    return count < 0 ? null : decoder.decode(scratch.subarray(0, length));
  }
}

/** A kernel file of a single line, which is there in one read; null when it cannot be opened or read. */
export function readKernelLine(path: string): string | null {
  const fd = open(path, OPEN.RDONLY);
  if (fd < 0) return null;
  const count = read(fd, scratch);
  close(fd);
  return count < 0 ? null : decoder.decode(scratch.subarray(0, count));
}

/**
 * A file of the kernel's that may be long, such as a mount table.
 *
 * @param limit bytes.
 * @returns null when it cannot be read, or is longer.
 */
export function readLongKernelFile(path: string, limit: number): string | null {
  const fd = open(path, OPEN.RDONLY);
  if (fd < 0) return null;
  const bytes = new Uint8Array(limit);
  let length = 0;
  let count = 1;
  while (count > 0 && length < limit) {
    count = read(fd, bytes.subarray(length));
    length += Math.max(0, count);
  }
  close(fd);
  return count === 0 ? decoder.decode(bytes.subarray(0, length)) : null;
}
