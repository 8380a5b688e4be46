/**
 * Putting a protected path back. Everything here happens beneath an open directory and through no link, whatever a command
 * has left on the way; nothing walks what a command made: a directory that must go is renamed, and removed from inside
 * the jail.
 */
import {
  type ByteText,
  cBytes,
  createFile,
  LIST,
  listEntries,
  LOOKUP,
  nodeAt,
  openBeneath,
} from "../linux/beneath.ts";
import { close, cString, type Result, syscall } from "../linux/ffi.ts";
import { AT, AT_FDCWD, ERRNO } from "../linux/uapi.ts";
import type { FileState } from "./file_state.ts";

/** Begins the names of directories that are about to be removed. */
export const DOOMED = ".debrief-removed-";
/** Rights that the owner needs to change what is in a directory. */
const OWNER_ALL = 0o700;

/** What putting back came to. */
export interface PutBack {
  /** Why it was not possible, in words; null when it was done. */
  readonly problem: string | null;
  /** Directories to remove from inside the jail, relative to the root. */
  readonly doomed: readonly ByteText[];
}

/** The system call failed with this errno. */
class Refused extends Error {
  constructor(readonly call: string, readonly errno: number) {
    super(`${call}: errno ${errno}`);
  }
}

function need(call: string, result: Result): Result {
  if (result < 0) throw new Refused(call, -result);
  return result;
}

function temporary(): ByteText {
  return `.debrief-${crypto.randomUUID()}`;
}

class Restorer {
  readonly doomed: ByteText[] = [];
  readonly #root: number;

  constructor(root: number) {
    this.#root = root;
  }

  restore(path: ByteText, options: PutBackOptions): void {
    const names = path.split("/");
    const last = names.pop()!;
    const parent = this.#openParents(names, options.state.kind !== "absent");
    if (parent === null) return;
    try {
      this.#put(parent, { path, name: last, ...options });
    } finally {
      close(parent);
    }
  }

  /** Opens the directory that holds a path. What is in the way goes; what is missing is made, or null when it need not be. */
  #openParents(names: readonly ByteText[], make: boolean): number | null {
    let directory = need("openat2", openBeneath(this.#root, "", LOOKUP));
    let path = "";
    for (const name of names) {
      path = path === "" ? name : `${path}/${name}`;
      const next = this.#enter(directory, { name, path, make });
      close(directory);
      if (next === null) return null;
      directory = next;
    }
    return directory;
  }

  #enter(
    directory: number,
    { name, path, make }: { name: ByteText; path: ByteText; make: boolean },
  ): number | null {
    const node = this.#permitted(directory, () => nodeAt(directory, name));
    if (typeof node === "object" && node.kind !== "directory") this.#remove(directory, name, path);
    if (typeof node === "number" || node.kind !== "directory") {
      if (!make) return null;
      this.#permitted(directory, () => syscall("mkdirat", directory, cBytes(name), 0o755));
    }
    const fd = this.#permitted(directory, () => openBeneath(directory, name, LOOKUP));
    return need("openat2", fd);
  }

  /** Tries once more after giving the owner the rights that a command has taken from a directory. */
  #permitted<T>(directory: number, call: () => T | Result): T | Result {
    const result = call();
    if (result !== -ERRNO.EACCES) return result;
    const node = nodeAt(directory, "");
    if (typeof node === "number") return result;
    // By its descriptor: chmod(2) knows no other way to a directory that was opened for lookups only.
    const own = cString(`/proc/self/fd/${directory}`);
    syscall("fchmodat", AT_FDCWD, own, node.mode | OWNER_ALL);
    return call();
  }

  #remove(directory: number, name: ByteText, path: ByteText): void {
    const unlink = (flags: number) =>
      this.#permitted(directory, () => syscall("unlinkat", directory, cBytes(name), flags));
    const node = this.#permitted(directory, () => nodeAt(directory, name));
    if (node === -ERRNO.ENOENT) return;
    if (typeof node === "object" && node.kind !== "directory") {
      need("unlinkat", unlink(0));
      return;
    }
    if (unlink(AT.REMOVEDIR) === 0) return;
    const doomed = DOOMED + crypto.randomUUID();
    const from = cBytes(name);
    const to = cBytes(doomed);
    need(
      "renameat",
      this.#permitted(directory, () => syscall("renameat", directory, from, directory, to)),
    );
    this.doomed.push(path.slice(0, path.length - name.length) + doomed);
  }

  #put(
    directory: number,
    wanted: PutBackOptions & { readonly path: ByteText; readonly name: ByteText },
  ): void {
    const { name, path, state } = wanted;
    if (state.kind === "absent") return this.#remove(directory, name, path);
    if (state.kind === "directory") return this.#putDirectory(directory, { ...wanted, state });
    if (state.kind !== "file" && state.kind !== "link") {
      throw new TypeError(`Cannot put back "${state.kind}"`);
    }
    const node = this.#permitted(directory, () => nodeAt(directory, name));
    if (typeof node === "object" && node.kind === "directory") this.#remove(directory, name, path);
    const fresh = temporary();
    const make = () =>
      state.kind === "file"
        ? createFile(directory, fresh, state)
        : syscall("symlinkat", cBytes(state.target), directory, cBytes(fresh));
    try {
      need("openat", this.#permitted(directory, make));
      need("renameat", syscall("renameat", directory, cBytes(fresh), directory, cBytes(name)));
    } catch (error) {
      syscall("unlinkat", directory, cBytes(fresh), 0);
      throw error;
    }
  }

  #putDirectory(
    directory: number,
    { name, path, state, keeps }: PutBackOptions & {
      readonly path: ByteText;
      readonly name: ByteText;
      readonly state: Extract<FileState, { kind: "directory" }>;
    },
  ): void {
    const fd = this.#enter(directory, { name, path, make: true })!;
    try {
      for (const extra of this.#namesIn(fd)) {
        if (!state.entries.has(extra) && !keeps?.(extra)) {
          this.#remove(fd, extra, `${path}/${extra}`);
        }
      }
      for (const [entry, inner] of state.entries) {
        this.#put(fd, { path: `${path}/${entry}`, name: entry, state: inner });
      }
      if (Deno.uid() === 0) {
        syscall("fchownat", fd, cString(""), state.uid, state.gid, AT.EMPTY_PATH);
      }
      const own = cString(`/proc/self/fd/${fd}`);
      need("fchmodat", syscall("fchmodat", AT_FDCWD, own, state.mode));
    } finally {
      close(fd);
    }
  }

  /** Commands may have put a million names there; the directory is then put back as far as its own files go. */
  #namesIn(directory: number): readonly ByteText[] {
    const fd = this.#permitted(directory, () => openBeneath(directory, "", LIST));
    const names = fd < 0 ? null : listEntries(fd);
    if (fd >= 0) close(fd);
    return names?.map(({ name }) => name) ?? [];
  }
}

/** What a path has to be again. */
export interface PutBackOptions {
  /** Any state but `unknown` and `blocked`. */
  readonly state: FileState;
  /** Names in the directory itself that may stay whatever they are. */
  readonly keeps?: (name: ByteText) => boolean;
}

/**
 * Put a path beneath an open directory back.
 *
 * @returns what is left to do, and why it could not be done: a system call that was refused is not an exception here.
 */
export function putBack(root: number, path: ByteText, options: PutBackOptions): PutBack {
  const restorer = new Restorer(root);
  try {
    restorer.restore(path, options);
    return { problem: null, doomed: restorer.doomed };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { problem: error.message, doomed: restorer.doomed };
  }
}
