/**
 * The executable of Debrief itself, where it lies in a place that commands may write (a build directory inside the
 * workspace). Landlock cannot take it out of the grant, so it is checked: compared after each command, and put back from
 * the running image when it was changed. Otherwise a command could replace the shell that its next command runs in.
 */
import { basename, dirname } from "node:path/posix";
import { close, cString, open, read, syscall, writeAll } from "../linux/ffi.ts";
import { type FileStatus, openResolved, status } from "../linux/files.ts";
import type { Architecture } from "../linux/syscalls.ts";
import { OPEN, OPEN_BY_ARCHITECTURE } from "../linux/uapi.ts";

const { DIRECTORY, NOFOLLOW } = OPEN_BY_ARCHITECTURE[Deno.build.arch as Architecture];
const COPY_BYTES = 1 << 20;
const MODE_BITS = 0o777;

/** Writing in place changes the time of change, replacing changes the inode. */
function equal(a: FileStatus | null, b: FileStatus | null): boolean {
  return a !== null && b !== null && a.device === b.device && a.inode === b.inode &&
    a.size === b.size &&
    a.changed === b.changed;
}

/** A file that is put back when it was changed. */
export class ProtectedFile {
  readonly #path: string;
  /** The content as it was: an open descriptor outlives a deletion. */
  readonly #content: number;
  readonly #mode: number;
  #identity: FileStatus | null;

  private constructor(
    path: string,
    parts: { content: number; mode: number; identity: FileStatus | null },
  ) {
    this.#path = path;
    this.#content = parts.content;
    this.#mode = parts.mode;
    this.#identity = parts.identity;
  }

  /** Protect the running executable. @returns null when its image cannot be opened. */
  static executable(): ProtectedFile | null {
    const content = open("/proc/self/exe", OPEN.RDONLY);
    if (content < 0) return null;
    const path = Deno.execPath();
    const identity = status(path, { follow: false });
    const mode = (identity?.mode ?? 0o755) & MODE_BITS;
    return new ProtectedFile(path, { content, mode, identity });
  }

  /** Where it lies. */
  get path(): string {
    return this.#path;
  }

  /**
   * Compare, and put back when it differs.
   *
   * @returns null when nothing had changed, else what was done, in words.
   */
  restore(): string | null {
    if (equal(status(this.#path, { follow: false }), this.#identity)) return null;
    const done = this.#putBack();
    this.#identity = status(this.#path, { follow: false });
    return done
      ? this.#path
      : `${this.#path} (changed, and not restored: its directory was replaced)`;
  }

  /** No link is followed and nothing outside the directory is touched, whatever a command has put there. */
  #putBack(): boolean {
    const directory = openResolved(dirname(this.#path), OPEN.PATH | DIRECTORY);
    if (directory < 0) return false;
    const temporary = cString(`.${basename(this.#path)}.${crypto.randomUUID()}`);
    const flags = OPEN.WRONLY | OPEN.CREAT | OPEN.EXCL | NOFOLLOW | OPEN.CLOEXEC;
    const target = syscall("openat", directory, temporary, flags, 0o600);
    try {
      if (target < 0 || !this.#copyTo(target) || syscall("fchmod", target, this.#mode) < 0) {
        return false;
      }
      return syscall("renameat", directory, temporary, directory, cString(basename(this.#path))) ===
        0;
    } finally {
      if (target >= 0) close(target);
      close(directory);
    }
  }

  #copyTo(target: number): boolean {
    syscall("lseek", this.#content, 0, 0);
    const buffer = new Uint8Array(COPY_BYTES);
    for (;;) {
      const count = read(this.#content, buffer);
      if (count <= 0) return count === 0;
      if (writeAll(target, buffer.subarray(0, count)) < 0) return false;
    }
  }
}
