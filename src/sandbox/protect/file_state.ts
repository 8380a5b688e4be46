/** What stands at a protected path: enough to tell whether it was changed, and to put it back. */
import {
  type ByteText,
  linkAt,
  LIST,
  listEntries,
  LOOKUP,
  type Node,
  nodeAt,
  openBeneath,
  readBeneath,
} from "../linux/beneath.ts";
import { close } from "../linux/ffi.ts";
import { ERRNO, OPEN } from "../linux/uapi.ts";

/** Content of one file in bytes that is kept; all lists of protected files hold far smaller ones. */
const MAX_FILE = 1 << 20;
/** Entries of a protected tree, and how deep it may be. */
const MAX_ENTRIES = 4096;
const MAX_DEPTH = 16;

/** What is kept of a path. */
export type FileState =
  | { readonly kind: "absent" }
  | {
    readonly kind: "file";
    readonly mode: number;
    readonly uid: number;
    readonly gid: number;
    readonly bytes: Uint8Array<ArrayBuffer>;
  }
  | { readonly kind: "link"; readonly target: ByteText }
  | {
    readonly kind: "directory";
    readonly mode: number;
    readonly uid: number;
    readonly gid: number;
    readonly entries: ReadonlyMap<ByteText, FileState>;
  }
  /** No file that could be kept: a device, something unreadable, or more than is kept. */
  | { readonly kind: "unknown"; readonly reason: string }
  /** A link, or something that is no directory, stands on the way; `at` is its path. */
  | { readonly kind: "blocked"; readonly at: ByteText };

/** Nothing there. */
export const ABSENT: FileState = { kind: "absent" };

/** What a look at a path came to. */
export interface Capture {
  readonly state: FileState;
  /** Every path that was looked at, by what a later look at it must show for the state to be the same. */
  readonly seen: ReadonlyMap<ByteText, Node>;
}

/** How to look. */
export interface CaptureOptions {
  /** Bytes of content that may be kept. */
  readonly budget: number;
  /** Look at a directory itself only, not at what it holds. */
  readonly shallow?: boolean;
  /** Names in the directory itself that do not matter. */
  readonly ignores?: (name: ByteText) => boolean;
  /** Directories that were looked up just now, for several looks in a row. */
  readonly directories?: Map<ByteText, Node>;
}

/** The path of the directory that holds a relative path; empty for the root itself. */
function parentOf(path: ByteText): ByteText {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Where in a tree a look has come to. */
interface Level {
  readonly depth: number;
  readonly ignores?: ((name: ByteText) => boolean) | undefined;
}

class Capturing {
  readonly seen = new Map<ByteText, Node>();
  readonly #root: number;
  readonly #directories: Map<ByteText, Node>;
  readonly #shallow: boolean;
  #budget: number;
  #entries = 0;

  constructor(root: number, { budget, directories, shallow }: CaptureOptions) {
    this.#root = root;
    this.#budget = budget;
    this.#shallow = shallow ?? false;
    this.#directories = directories ?? new Map();
  }

  /** Looks a path up, noting the last directory on the way to one that is absent: what appears there changes it. */
  find(path: ByteText): { readonly node: Node } | { readonly state: FileState } {
    const fd = openBeneath(this.#root, path, OPEN.PATH);
    if (fd >= 0) {
      const node = nodeAt(fd, "");
      close(fd);
      if (typeof node === "object") return { node };
    }
    if (fd === -ERRNO.ENOENT) {
      for (let above = parentOf(path);; above = parentOf(above)) {
        const node = this.#directories.get(above) ?? this.#lookUp(above);
        if (node !== null) {
          this.#directories.set(above, node);
          this.seen.set(above, node);
          return { state: ABSENT };
        }
        if (above === "") return { state: ABSENT };
      }
    }
    return { state: this.#obstacle(path) };
  }

  /** What stands on the way to a path, seen from above. */
  #obstacle(path: ByteText): FileState {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const here = parts.slice(0, depth).join("/");
      const node = this.#node(here);
      if (node === null || node.kind === "directory") continue;
      this.seen.set(here, node);
      return { kind: "blocked", at: here };
    }
    return { kind: "unknown", reason: "it cannot be reached" };
  }

  #lookUp(path: ByteText): Node | null {
    const fd = openBeneath(this.#root, path, LOOKUP);
    if (fd < 0) return null;
    const node = nodeAt(fd, "");
    close(fd);
    return typeof node === "number" ? null : node;
  }

  #node(path: ByteText): Node | null {
    const parent = openBeneath(this.#root, parentOf(path), LOOKUP);
    if (parent < 0) return null;
    const node = nodeAt(parent, path.slice(path.lastIndexOf("/") + 1));
    close(parent);
    return typeof node === "number" ? null : node;
  }

  capture(path: ByteText, node: Node, { depth, ignores }: Level): FileState {
    this.seen.set(path, node);
    if (node.kind === "link") return this.#link(path);
    if (node.kind === "other") {
      return { kind: "unknown", reason: "it is neither file nor directory" };
    }
    return node.kind === "file"
      ? this.#file(path, node)
      : this.#directory(path, node, { depth, ignores });
  }

  #link(path: ByteText): FileState {
    const parent = openBeneath(this.#root, parentOf(path), LOOKUP);
    if (parent < 0) return { kind: "unknown", reason: "it cannot be read" };
    const target = linkAt(parent, path.slice(path.lastIndexOf("/") + 1));
    close(parent);
    return target === null
      ? { kind: "unknown", reason: "it cannot be read" }
      : { kind: "link", target };
  }

  #file(path: ByteText, { mode, uid, gid, size }: Node): FileState {
    if (size > MAX_FILE || size > this.#budget) {
      return { kind: "unknown", reason: "it is too large to be kept" };
    }
    const bytes = readBeneath(this.#root, path, MAX_FILE);
    if (bytes === null) return { kind: "unknown", reason: "it cannot be read" };
    this.#budget -= bytes.length;
    return { kind: "file", mode, uid, gid, bytes };
  }

  #directory(path: ByteText, { mode, uid, gid }: Node, { depth, ignores }: Level): FileState {
    if (this.#shallow) return { kind: "directory", mode, uid, gid, entries: new Map() };
    const fd = openBeneath(this.#root, path, LIST);
    const names = fd < 0 ? null : listEntries(fd)?.filter(({ name }) => !ignores?.(name)) ?? null;
    if (fd >= 0) close(fd);
    if (names === null) return { kind: "unknown", reason: "it cannot be listed" };
    this.#entries += names.length;
    if (this.#entries > MAX_ENTRIES || depth >= MAX_DEPTH) {
      return { kind: "unknown", reason: "it holds too much to be kept" };
    }
    const entries = new Map<ByteText, FileState>();
    for (const { name } of names) {
      const node = this.#node(path === "" ? name : `${path}/${name}`);
      if (node === null) continue;
      const state = this.capture(`${path}/${name}`, node, { depth: depth + 1 });
      if (state.kind === "unknown") return state;
      entries.set(name, state);
    }
    return { kind: "directory", mode, uid, gid, entries };
  }
}

/** Look at a path beneath an open directory, following no link. */
export function captureState(root: number, path: ByteText, options: CaptureOptions): Capture {
  const capturing = new Capturing(root, options);
  const found = capturing.find(path);
  const state = "state" in found
    ? found.state
    : capturing.capture(path, found.node, { depth: 0, ignores: options.ignores });
  return { state, seen: capturing.seen };
}

/** Bytes of content that a state keeps. */
export function keptBytes(state: FileState): number {
  if (state.kind === "file") return state.bytes.length;
  if (state.kind !== "directory") return 0;
  return [...state.entries.values()].reduce((sum, entry) => sum + keptBytes(entry), 0);
}

/** True when both hold the same. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** True when a path that was in one state and is in the other needs no putting back. Owners do not count. */
export function sameState(one: FileState, other: FileState): boolean {
  switch (one.kind) {
    case "absent":
      return other.kind === "absent";
    case "file":
      return other.kind === "file" && one.mode === other.mode && sameBytes(one.bytes, other.bytes);
    case "link":
      return other.kind === "link" && one.target === other.target;
    case "blocked":
      return other.kind === "blocked" && one.at === other.at;
    case "unknown":
      return false;
    case "directory":
      return other.kind === "directory" && one.mode === other.mode &&
        one.entries.size === other.entries.size &&
        [...one.entries].every(([name, state]) => {
          const now = other.entries.get(name);
          return now !== undefined && sameState(state, now);
        });
  }
}
