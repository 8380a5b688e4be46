/**
 * The protected paths beneath one directory that commands write: what they were before a command, and whether they still
 * are. A look costs one system call for each file that was looked at before; only what has changed is read again.
 */
import {
  type ByteText,
  fromByteText,
  LOOKUP,
  type Node,
  nodeAt,
  toByteText,
} from "../linux/beneath.ts";
import { close, open } from "../linux/ffi.ts";
import { captureState, type FileState, keptBytes, sameState } from "./file_state.ts";
import {
  ignoredNames,
  judge,
  type JudgeContext,
  type ProtectedEntry,
  type ProtectedKind,
} from "./protected_entry.ts";
import { putBack } from "./put_back.ts";
import { SeenPaths } from "./seen_paths.ts";

/** Content that is kept for one tree, in bytes. */
const MAX_KEPT = 1 << 24;

/** What a comparison came to. */
export interface Comparison {
  /** Paths that were put back, in words. */
  readonly restored: string[];
  /** Absolute paths of directories to remove from inside the jail. */
  readonly doomed: string[];
  /** Directories that now are a repository's own, absolute. */
  readonly gitDirectories: string[];
}

/** Why a state cannot be restored later, in words. */
function problemOf(state: FileState): string | null {
  if (state.kind === "unknown") return state.reason;
  return state.kind === "blocked" ? "a link or file is in its way" : null;
}

/** Order in which changes are judged: whether a repository is one comes before what is in it. */
const ORDER: readonly ProtectedKind[] = ["git", "commondir", "config", "hooks", "profiles", "tree"];

/** See above. */
export class ProtectedTree {
  /** The root's real path. */
  readonly path: string;
  /** The same as bytes. */
  readonly bytes: ByteText;
  readonly #root: number;
  readonly #identity: string;
  readonly #context: JudgeContext;
  readonly #entries = new Map<ByteText, ProtectedEntry>();
  readonly #seen: SeenPaths;
  readonly #notices = new Set<string>();
  #kept = 0;

  /** @throws {TypeError} when the root is no directory. */
  constructor(path: string, context: Omit<JudgeContext, "root">) {
    this.path = path;
    this.bytes = toByteText(path);
    this.#root = open(path, LOOKUP);
    const node = this.#root < 0 ? null : nodeAt(this.#root, "");
    if (node === null || typeof node === "number") {
      throw new TypeError(`Cannot protect files beneath "${path}": it is no directory`);
    }
    this.#identity = node.identity;
    this.#seen = new SeenPaths(this.#root);
    this.#context = { ...context, root: path };
  }

  /** The open root. */
  get root(): number {
    return this.#root;
  }

  /** What cannot be protected, in words. */
  get notices(): readonly string[] {
    return [...this.#notices];
  }

  /** False when another directory stands at the root's path now. */
  get isCurrent(): boolean {
    const fd = open(this.path, LOOKUP);
    if (fd < 0) return false;
    const node = nodeAt(fd, "");
    close(fd);
    return typeof node === "object" && node.identity === this.#identity;
  }

  /** How many paths are protected. */
  get size(): number {
    return this.#entries.size;
  }

  /** A protected path, null when there is none. */
  entry(path: ByteText): ProtectedEntry | null {
    return this.#entries.get(path) ?? null;
  }

  /**
   * Protect a path as it is now, or as `state` says that it has to be.
   *
   * @returns the entry, null when it cannot be protected: then a notice says so.
   */
  add(
    entry: { readonly kind: ProtectedKind; readonly path: ByteText; readonly holder: ByteText },
    state?: FileState,
  ): ProtectedEntry | null {
    const known = this.#entries.get(entry.path);
    if (known) return known;
    const now = this.#capture(entry);
    const wanted = state ?? now.state;
    const bytes = keptBytes(wanted);
    // What is absent takes nothing: commands could use up what is kept, to have the rest of their repositories unprotected.
    const problem = problemOf(wanted) ??
      (bytes > 0 && this.#kept + bytes > MAX_KEPT ? "too much is protected already" : null);
    if (problem !== null) {
      this.#notices.add(`${this.#absolute(entry.path)} is not protected: ${problem}`);
      return null;
    }
    this.#kept += bytes;
    const added: ProtectedEntry = { ...entry, state: wanted };
    this.#entries.set(entry.path, added);
    if (state === undefined) this.#seen.remember(added, now.seen);
    // Never seen, so the next comparison looks.
    else this.#seen.remember(added, new Map());
    return added;
  }

  /** All protected paths. */
  get entries(): readonly ProtectedEntry[] {
    return [...this.#entries.values()];
  }

  /**
   * Protect a path as another session has seen it, whatever it is now.
   *
   * @returns true when it was taken for something else until now.
   */
  require({ state, ...place }: ProtectedEntry): boolean {
    const known = this.#entries.get(place.path);
    if (!known) return this.add(place, state) !== null;
    if (sameState(known.state, state)) return false;
    this.#kept += keptBytes(state) - keptBytes(known.state);
    known.state = state;
    // Never seen, so the next comparison looks.
    this.#seen.remember(known, new Map());
    return true;
  }

  #absolute(path: ByteText): string {
    return `${this.path === "/" ? "" : this.path}/${fromByteText(path)}`;
  }

  #capture(
    entry: { readonly kind: ProtectedKind; readonly path: ByteText },
    directories?: Map<ByteText, Node>,
  ) {
    const ignores = ignoredNames(entry.kind);
    return captureState(this.#root, entry.path, {
      budget: MAX_KEPT,
      shallow: entry.kind === "git",
      ...(ignores === null ? {} : { ignores }),
      ...(directories ? { directories } : {}),
    });
  }

  /** Entries that something may have changed of; all of them when nothing is believed. */
  #suspects(all: boolean): readonly ProtectedEntry[] {
    return all ? this.entries : this.#seen.suspects();
  }

  /**
   * Take what is there now for what it has to be: nothing of a command's has run since the last comparison.
   *
   * @returns directories that now are a repository's own, absolute.
   */
  adopt(): readonly string[] {
    const gitDirectories: string[] = [];
    const directories = new Map<ByteText, Node>();
    for (const entry of this.#suspects(false)) {
      const { state, seen } = this.#capture(entry, directories);
      const problem = problemOf(state);
      if (problem !== null) {
        this.#forget(entry);
        this.#notices.add(`${this.#absolute(entry.path)} is not protected: ${problem}`);
        continue;
      }
      this.#kept += keptBytes(state) - keptBytes(entry.state);
      if (entry.kind === "git" && entry.state.kind === "absent") {
        const verdict = judge(entry, state, this.#context);
        if (verdict.kind === "accepted" && verdict.gitDirectory) {
          gitDirectories.push(verdict.gitDirectory);
        }
      }
      entry.state = state;
      this.#seen.remember(entry, seen);
    }
    return gitDirectories;
  }

  #forget(entry: ProtectedEntry): void {
    this.#entries.delete(entry.path);
    this.#seen.forget(entry);
  }

  /**
   * Compare, and put back what must not have changed.
   *
   * @param all look at everything, also at what seems to be untouched: a file that a process has mapped changes unseen.
   */
  compare({ all }: { readonly all: boolean }): Comparison {
    const result: Comparison = { restored: [], doomed: [], gitDirectories: [] };
    const suspects = this.#suspects(all).toSorted((one, other) =>
      ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) ||
      // What must exist brings its directories back; a link in the way of others is then gone.
      Number(one.state.kind === "absent") - Number(other.state.kind === "absent")
    );
    const directories = new Map<ByteText, Node>();
    for (const entry of suspects) {
      if (this.#check(entry, { result, directories })) directories.clear();
    }
    return result;
  }

  /** @returns true when something was put back. */
  #check(
    entry: ProtectedEntry,
    { result, directories }: { result: Comparison; directories: Map<ByteText, Node> },
  ): boolean {
    const { state: now, seen } = this.#capture(entry, directories);
    const verdict = this.#isGone(entry, now)
      ? { kind: "accepted" as const, gitDirectory: null }
      : judge(entry, now, this.#context);
    if (verdict.kind === "accepted") {
      if (verdict.gitDirectory !== null) result.gitDirectories.push(verdict.gitDirectory);
      // Gone with what it belonged to, it has to be the same should that come back.
      if (entry.kind === "config" && now.kind === "file") entry.state = now;
      if (entry.kind === "git" || entry.kind === "commondir") entry.state = now;
      this.#seen.remember(entry, seen);
      return false;
    }
    const keeps = ignoredNames(entry.kind);
    const { problem, doomed } = putBack(this.#root, entry.path, {
      state: verdict.state,
      ...(keeps === null ? {} : { keeps }),
    });
    const inTheWay = now.kind === "blocked" && verdict.state.kind === "absent";
    const name = this.#absolute(inTheWay ? now.at : entry.path);
    const detail = problem === null ? verdict.what : `changed, and not put back: ${problem}`;
    result.restored.push(detail === "" ? name : `${name} (${detail})`);
    result.doomed.push(...doomed.map((path) => this.#absolute(path)));
    if (problem === null) entry.state = verdict.state;
    this.#seen.remember(entry, this.#capture(entry).seen);
    return true;
  }

  /**
   * True when the directory that a path belonged to is no more: nothing reads the path then. What a link in its place leads
   * to is judged where it lies.
   */
  #isGone({ kind, holder, path }: ProtectedEntry, now: FileState): boolean {
    if (now.kind === "blocked") return holder === now.at || holder.startsWith(`${now.at}/`);
    if (now.kind !== "absent" || kind === "git" || holder === path) return false;
    const node = nodeAt(this.#root, holder);
    return typeof node === "number" || node.kind !== "directory";
  }

  /** Copies what is protected beneath one directory to another that it was moved to. */
  moved(from: ByteText, to: ByteText): void {
    const inside = [...this.#entries.values()].filter(({ holder }) => holder === from);
    for (const { kind, path, state } of inside) {
      this.add({ kind, path: to + path.slice(from.length), holder: to }, state);
    }
  }

  /** Close the root. */
  close(): void {
    close(this.#root);
  }
}
