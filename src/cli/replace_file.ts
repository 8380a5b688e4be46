/**
 * Replacing files from outside of the jail, where commands that still run may have a hand in what is there. Everything is
 * done in one open directory: nothing that is put in the way meanwhile is followed, and what is replaced is what was read.
 */
import { randomBytes } from "node:crypto";
import { basename, dirname, join, relative } from "node:path/posix";
import {
  cBytes,
  createFile,
  LOOKUP,
  nodeAt,
  openBeneath,
  readBeneath,
  toByteText,
} from "../sandbox/linux/beneath.ts";
import { close, type Result, syscall } from "../sandbox/linux/ffi.ts";
import { openResolved } from "../sandbox/linux/files.ts";
import { ERRNO } from "../sandbox/linux/uapi.ts";
import { errnoText } from "../sandbox/errno_text.ts";

/** Bytes of a file that are read; files of agents and notes of projects are far smaller. */
const FILE_BYTES = 64 * 1024 * 1024;

/** What a file is to become. */
export interface Replacement {
  /** Its text as it was read before; null for no file. */
  readonly now: string | null;
  /** Null for no file. */
  readonly text: string | null;
  /** Permission bits of a new file; those of one that is there stay. */
  readonly mode: number;
  /** A directory without links: below it no link is followed. Null where the way is the user's own, links included. */
  readonly within: string | null;
}

/**
 * Replace a file at once: who reads it sees the old or the new text, never a part. Directories that are missing are made.
 *
 * @throws {Error} when it is not as it was read, is no ordinary file, is reached through a link within a project, or belongs
 *   to someone else, who would lose it.
 */
export function replaceFile(path: string, replacement: Replacement): void {
  const { within, text } = replacement;
  const place = within === null ? realFile(path) : path;
  const fd = within === null
    ? openOwn(dirname(place))
    : openWithin(within, relative(within, dirname(place)), { makes: text !== null });
  if (fd === -ERRNO.ENOENT && text === null && replacement.now === null) return;
  const fail = (result: Result): never => {
    throw new Error(`Cannot write "${path}": ${errnoText(-result)}`);
  };
  if (fd < 0) return fail(fd);
  try {
    const result = put(fd, { name: basename(place), path, replacement });
    if (result < 0) fail(result);
  } finally {
    close(fd);
  }
}

function put(
  directory: number,
  { name, path, replacement }: {
    readonly name: string;
    readonly path: string;
    readonly replacement: Replacement;
  },
): Result {
  const target = toByteText(name);
  const found = nodeAt(directory, target);
  if (typeof found === "number" && found !== -ERRNO.ENOENT) return found;
  const node = typeof found === "number" ? null : found;
  if (node !== null && node.kind !== "file") {
    throw new Error(`Cannot write "${path}": it is no regular file`);
  }
  if (node !== null && node.uid !== Deno.uid()) {
    throw new Error(`Cannot replace "${path}": it belongs to user ${node.uid}`);
  }
  const bytes = node === null ? null : readBeneath(directory, target, FILE_BYTES);
  const { now, text } = replacement;
  const isAsRead = node === null ? now === null : bytes !== null && isText(bytes, now);
  if (!isAsRead) throw new Error(`Cannot change "${path}": it was changed meanwhile`);
  if (text === null) {
    return node === null ? 0 : syscall("unlinkat", directory, cBytes(target), 0);
  }
  const draft = `.debrief-${randomBytes(6).toString("hex")}`;
  const mode = node === null ? replacement.mode & ~Deno.umask() : node.mode & 0o777;
  const [uid, gid] = [Deno.uid() ?? 0, node?.gid ?? Deno.gid() ?? 0];
  const made = createFile(directory, draft, {
    bytes: new TextEncoder().encode(text),
    mode,
    uid,
    gid,
  });
  const moved = made < 0
    ? made
    : syscall("renameat", directory, cBytes(draft), directory, cBytes(target));
  if (moved < 0) syscall("unlinkat", directory, cBytes(draft), 0);
  return moved;
}

function isText(bytes: Uint8Array<ArrayBuffer>, text: string | null): boolean {
  const wanted = new TextEncoder().encode(text ?? "");
  return text !== null && wanted.length === bytes.length &&
    wanted.every((byte, at) => byte === bytes[at]);
}

/** The file itself, where a link leads to it: people keep their settings elsewhere. */
function realFile(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/**
 * The text of a file below a directory, reached through no link; null where there is none.
 *
 * @param within a directory without links.
 * @throws {Error} for a link on the way and for what is no ordinary file of UTF-8.
 */
export function readWithin(path: string, within: string): string | null {
  const cannot = (state: string) => new Error(`Cannot use "${path}": ${state}`);
  const fd = openWithin(within, relative(within, dirname(path)), { makes: false });
  if (fd === -ERRNO.ENOENT) return null;
  if (fd < 0) throw cannot(errnoText(-fd));
  try {
    const name = toByteText(basename(path));
    const found = nodeAt(fd, name);
    if (found === -ERRNO.ENOENT) return null;
    if (typeof found === "number") throw cannot(errnoText(-found));
    const bytes = found.kind === "file" ? readBeneath(fd, name, FILE_BYTES) : null;
    if (bytes === null) throw cannot("it is no regular file that can be read");
    return exactText(bytes);
  } catch (error) {
    throw error instanceof TypeError ? cannot("it is not UTF-8") : error;
  } finally {
    close(fd);
  }
}

/** All of a text, so that it can be written again. @throws {TypeError} for what is not UTF-8. */
export function exactText(bytes: Uint8Array<ArrayBuffer>): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Open a directory of the user's own, which is made where it is missing. */
function openOwn(directory: string): Result {
  Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
  return openResolved(Deno.realPathSync(directory), LOOKUP);
}

/** Open a directory below another one, name by name. */
function openWithin(
  within: string,
  below: string,
  { makes }: { readonly makes: boolean },
): Result {
  let fd = openResolved(within, LOOKUP);
  for (const name of join(below).split("/")) {
    if (fd < 0 || name === ".") return fd;
    const directory = fd;
    const target = toByteText(name);
    if (makes) syscall("mkdirat", directory, cBytes(target), 0o700);
    fd = openBeneath(directory, target, LOOKUP);
    close(directory);
  }
  return fd;
}
