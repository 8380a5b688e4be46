/**
 * Files beneath an open directory, reached through no link: what looks at, and puts back, files in a tree that commands
 * write. Names are bytes here (one character each), because a name need not be text, and what cannot be named could hide.
 */
import {
  close,
  getdents64,
  openat2,
  read,
  type Result,
  statxAt,
  syscall,
  writeAll,
} from "./ffi.ts";
import { openHow } from "./files.ts";
import type { Architecture } from "./syscalls.ts";
import { AT, ERRNO, OPEN, OPEN_BY_ARCHITECTURE, RESOLVE, S_IF } from "./uapi.ts";

const { DIRECTORY, NOFOLLOW } = OPEN_BY_ARCHITECTURE[Deno.build.arch as Architecture];
/** `STATX_BASIC_STATS`, `linux/stat.h`. */
const BASIC_STATS = 0x7ff;
/** `d_type`, dirent.h. */
const DT = { UNKNOWN: 0, DIRECTORY: 4 } as const;

/** A path or name whose characters are its bytes. */
export type ByteText = string;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Bytes and text are the same there, which nearly every path of a walk is. */
const ASCII = /^[\0-\x7f]*$/;

/** The bytes of a text, as characters. */
export function toByteText(text: string): ByteText {
  if (ASCII.test(text)) return text;
  let bytes = "";
  for (const byte of encoder.encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** Bytes as text to show; what is no UTF-8 becomes U+FFFD. */
export function fromByteText(bytes: ByteText): string {
  if (ASCII.test(bytes)) return bytes;
  return decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** NUL-terminated, for the kernel. @throws {TypeError} for a name that holds NUL. */
export function cBytes(path: ByteText): Uint8Array<ArrayBuffer> {
  const buffer = new Uint8Array(path.length + 1);
  for (let index = 0; index < path.length; index++) buffer[index] = path.charCodeAt(index);
  if (buffer.indexOf(0) !== path.length) throw new TypeError("Cannot pass a name that holds NUL");
  return buffer;
}

/** What is where. */
export interface Node {
  readonly kind: "directory" | "file" | "link" | "other";
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  /** Device and inode. */
  readonly identity: string;
  /** Milliseconds since the epoch at which it was last changed; no call can set it. */
  readonly changedMs: number;
  /** Inode, time of change in nanoseconds and device as 32-bit words: what `isSame` compares. */
  readonly words: readonly number[];
}

/** Offsets of `Node.words` in `struct statx`, in words: `stx_ino`, `stx_ctime`, `stx_dev`; `linux/stat.h`. */
const WORDS = [8, 9, 24, 25, 26, 34, 35];

function decode(buffer: Uint8Array<ArrayBuffer>): Node {
  const view = new DataView(buffer.buffer);
  const type = view.getUint16(28, true) & S_IF.MASK;
  return {
    kind: type === S_IF.DIRECTORY
      ? "directory"
      : type === S_IF.REGULAR
      ? "file"
      : type === S_IF.LINK
      ? "link"
      : "other",
    mode: view.getUint16(28, true) & 0o7777,
    uid: view.getUint32(20, true),
    gid: view.getUint32(24, true),
    size: Number(view.getBigUint64(40, true)),
    identity: `${view.getUint32(136, true)}:${view.getUint32(140, true)}:${
      view.getBigUint64(32, true)
    }`,
    changedMs: Number(view.getBigInt64(96, true)) * 1000 + view.getUint32(104, true) / 1e6,
    words: WORDS.map((word) => view.getUint32(word * 4, true)),
  };
}

/** What a name in an open directory is, links not followed; the empty name is the directory itself. Or the negative errno. */
export function nodeAt(directory: number, name: ByteText): Node | Result {
  const buffer = new Uint8Array(256);
  const flags = AT.SYMLINK_NOFOLLOW | (name === "" ? AT.EMPTY_PATH : 0);
  const result = statxAt(directory, cBytes(name), { flags, mask: BASIC_STATS, buffer });
  return result < 0 ? result : decode(buffer);
}

/** Compares files with what they were: one system call each, and nothing to collect afterwards. */
export class NodeComparison {
  readonly #buffer = new Uint8Array(256);
  readonly #words = new Uint32Array(this.#buffer.buffer);

  /**
   * True when a path beneath an open directory is the very node that it was, unchanged. Links on the way are followed: who
   * acts on the answer must not.
   */
  isSame(directory: number, path: Uint8Array<ArrayBuffer>, words: readonly number[]): boolean {
    const flags = AT.SYMLINK_NOFOLLOW | (path.length === 1 ? AT.EMPTY_PATH : 0);
    const options = { flags, mask: BASIC_STATS, buffer: this.#buffer };
    if (statxAt(directory, path, options) < 0) return false;
    for (let index = 0; index < WORDS.length; index++) {
      if (this.#words[WORDS[index]!] !== words[index]) return false;
    }
    return true;
  }
}

/** Flags for a directory that is only looked up in. */
export const LOOKUP = OPEN.PATH | DIRECTORY;
/** Flags for a directory that is listed. */
export const LIST = OPEN.RDONLY | OPEN.NONBLOCK | DIRECTORY;

function howOf(flags: number): Uint8Array<ArrayBuffer> {
  const resolve = RESOLVE.BENEATH | RESOLVE.NO_SYMLINKS | RESOLVE.NO_MAGICLINKS;
  return openHow(flags | NOFOLLOW, resolve);
}

/** For the flags that a walk opens thousands of directories with. */
const HOWS = new Map([LOOKUP, LIST, OPEN.PATH].map((flags) => [flags, howOf(flags)]));

/**
 * Open what lies beneath an open directory; -ELOOP when a link is on the way, -EXDEV when the path leads out. Close-on-exec.
 * Inside a jail of Debrief's own the call does not exist: the caller can then do no more than what it looks at.
 */
export function openBeneath(directory: number, path: ByteText, flags: number): Result {
  const target = cBytes(path === "" ? "." : path);
  const fd = openat2(directory, target, HOWS.get(flags) ?? howOf(flags));
  if (fd !== -ERRNO.ENOSYS) return fd;
  return syscall("openat", directory, target, flags | OPEN.CLOEXEC | NOFOLLOW, 0);
}

/** One name in a directory. */
export interface Entry {
  readonly name: ByteText;
  readonly isDirectory: boolean;
}

/** How a directory is listed. */
export interface ListOptions {
  /** Chooses by the kind and the first byte, before the name is made: most names of a tree are nobody's concern. */
  readonly wanted?: (first: number, isDirectory: boolean) => boolean;
  /** For those who list many. */
  readonly buffer?: Uint8Array<ArrayBuffer>;
}

/** The names in an open directory, null when it cannot be listed. */
export function listEntries(directory: number, options: ListOptions = {}): readonly Entry[] | null {
  const entries: Entry[] = [];
  const { wanted = () => true, buffer = new Uint8Array(32_768) } = options;
  for (;;) {
    const count = getdents64(directory, buffer);
    if (count <= 0) return count < 0 ? null : entries;
    // struct linux_dirent64: d_ino, d_off, u16 d_reclen, u8 d_type, d_name.
    for (let at = 0; at < count; at += buffer[at + 16]! | buffer[at + 17]! << 8) {
      const type = buffer[at + 18]!;
      const unknown = type === DT.UNKNOWN;
      if (!unknown && !wanted(buffer[at + 19]!, type === DT.DIRECTORY)) continue;
      let name = "";
      for (let byte = at + 19; buffer[byte] !== 0; byte++) {
        name += String.fromCharCode(buffer[byte]!);
      }
      if (name === "." || name === "..") continue;
      const node = unknown ? nodeAt(directory, name) : null;
      const isDirectory = node === null
        ? type === DT.DIRECTORY
        : typeof node === "object" && node.kind === "directory";
      entries.push({ name, isDirectory });
    }
  }
}

/** The content of a regular file beneath a directory, null when it is none, cannot be read or is larger than `max`. */
export function readBeneath(
  directory: number,
  path: ByteText,
  max: number,
): Uint8Array<ArrayBuffer> | null {
  const fd = openBeneath(directory, path, OPEN.RDONLY | OPEN.NONBLOCK);
  if (fd < 0) return null;
  try {
    const node = nodeAt(fd, "");
    if (typeof node === "number" || node.kind !== "file" || node.size > max) return null;
    const buffer = new Uint8Array(node.size + 1);
    let length = 0;
    for (;;) {
      const count = read(fd, buffer.subarray(length));
      if (count < 0) return null;
      length += count;
      // It grew while it was read: the next look will see it whole.
      if (count === 0 || length === buffer.length) return buffer.slice(0, length);
    }
  } finally {
    close(fd);
  }
}

/** Where a link in an open directory leads, as it is written; null when it is none. */
export function linkAt(directory: number, name: ByteText): ByteText | null {
  const buffer = new Uint8Array(4096);
  const length = syscall("readlinkat", directory, cBytes(name), buffer, buffer.length);
  if (length < 0) return null;
  let target = "";
  for (const byte of buffer.subarray(0, length)) target += String.fromCharCode(byte);
  return target;
}

/** What a new file gets besides its content. */
export interface NewFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Create a file that must not exist yet. @returns 0 or the negative errno. */
export function createFile(directory: number, name: ByteText, file: NewFile): Result {
  const flags = OPEN.WRONLY | OPEN.CREAT | OPEN.EXCL | NOFOLLOW | OPEN.CLOEXEC;
  const fd = syscall("openat", directory, cBytes(name), flags, 0o600);
  if (fd < 0) return fd;
  const written = writeAll(fd, file.bytes);
  // Only root can give it away, and only root finds files of others; elsewhere the owner is right already.
  if (Deno.uid() === 0) syscall("fchown", fd, file.uid, file.gid);
  const done = written < 0 ? written : syscall("fchmod", fd, file.mode);
  close(fd);
  return done;
}
