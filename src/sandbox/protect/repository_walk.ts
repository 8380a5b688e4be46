/**
 * Looking for repositories in a tree that commands write: nothing is followed, nothing recurses, and a walk can be
 * interrupted. Directories that have not changed since the last walk are not listed again.
 */
import {
  type ByteText,
  cBytes,
  LIST,
  listEntries,
  nodeAt,
  NodeComparison,
  openBeneath,
} from "../linux/beneath.ts";
import { close } from "../linux/ffi.ts";

/** Directories that one walk looks at: several times the largest checkouts. */
const MAX_DIRECTORIES = 200_000;
/** Levels that a walk goes down; real trees have a few dozen. */
const MAX_LEVELS = 256;
/** Bytes of a path that the kernel takes: PATH_MAX of linux/limits.h, less some for the names within a repository. */
const MAX_PATH = 3840;
/** Time of change is kept in ticks of the kernel: within this many ms it may hide a further change. */
export const FRESH_MS = 100;
/** Directories between two looks at the clock. */
const CLOCK_EVERY = 16;

/** What a walk has come upon, as paths relative to its root. */
export interface Findings {
  /** Directories that hold something called `.git`. */
  readonly holders: ByteText[];
  /** Directories that git would take for a repository's own: bare ones, modules, worktrees. */
  readonly gitDirectories: ByteText[];
}

/** What a directory holds, as far as it matters. */
interface Listing {
  /** Null when the directory was changed so lately that it has to be listed again. */
  readonly words: readonly number[] | null;
  readonly children: readonly ByteText[];
  readonly holder: boolean;
  readonly repository: boolean;
}

/**
 * Where repositories keep objects: hundreds of directories, of which only those are listed that have changed since the
 * first walk. They hold no directories, and one that is moved here counts as changed.
 */
const STORE = /(?:^|\/)\.git\/(?:.*\/)?objects\/[0-9a-f]{2}$/;
/** Those of Git LFS lie one level deeper: here the directory above must be unchanged, too. */
const LARGE_STORE = /(?:^|\/)\.git\/lfs\/objects\/[0-9a-f]{2}\/[0-9a-f]{2}$/;

const FIRST_BYTES = new Set([..."HORCorc."].map((character) => character.charCodeAt(0)));

function wanted(first: number, isDirectory: boolean): boolean {
  return isDirectory || FIRST_BYTES.has(first);
}

/** Walks one tree again and again. */
export class RepositoryWalk {
  readonly #root: number;
  readonly #skips: (path: ByteText) => boolean;
  readonly #most: number;
  readonly #comparison = new NodeComparison();
  readonly #buffer = new Uint8Array(32_768);
  #listings = new Map<ByteText, Listing>();
  #next = new Map<ByteText, Listing>();
  #stack: ByteText[] = [];
  #walking = false;
  /** The first walk has come to its end. */
  #walked = false;
  readonly #began = Date.now();
  /** Why parts of the tree were not looked at, each once. */
  readonly #gaps = new Set<string>();

  /**
   * @param root an open directory.
   * @param skips true for directories that are not looked into.
   * @param most directories that one walk looks at.
   */
  constructor(root: number, skips: (path: ByteText) => boolean, most = MAX_DIRECTORIES) {
    this.#most = most;
    this.#root = root;
    this.#skips = skips;
  }

  /** Why the last complete walk did not see everything, in words. */
  get gaps(): readonly string[] {
    return [...this.#gaps];
  }

  /**
   * Go on with a walk, or begin one.
   *
   * @param deadline by `performance.now()`.
   * @returns true when the tree has been walked to its end.
   */
  advance(findings: Findings, deadline: number): boolean {
    if (!this.#walking) {
      this.#walking = true;
      this.#gaps.clear();
      this.#next = new Map();
      this.#stack = [""];
    }
    for (let count = 1; this.#stack.length > 0; count++) {
      if (count % CLOCK_EVERY === 0 && performance.now() > deadline) return false;
      this.#visit(this.#stack.pop()!, findings);
    }
    this.#walking = false;
    this.#walked = true;
    this.#listings = this.#next;
    return true;
  }

  /** Forget how far an interrupted walk has come. */
  restart(): void {
    this.#walking = false;
  }

  #visit(path: ByteText, findings: Findings): void {
    if (this.#next.size >= this.#most) {
      this.#gaps.add(`there are more than ${this.#most} directories`);
      this.#stack = [];
      return;
    }
    if (this.#isUntouchedStore(path)) return;
    const listing = this.#list(path);
    if (listing === null) return;
    this.#next.set(path, listing);
    if (listing.holder) findings.holders.push(path);
    if (listing.repository) findings.gitDirectories.push(path);
    const below = path === "" ? "" : `${path}/`;
    if (listing.children.length > 0 && (path.length > MAX_PATH || levels(path) >= MAX_LEVELS)) {
      this.#gaps.add(
        `there are directories more than ${MAX_LEVELS} levels or ${MAX_PATH} bytes deep`,
      );
      return;
    }
    for (const name of listing.children) {
      const child = below + name;
      if (!this.#skips(child)) this.#stack.push(child);
    }
  }

  /** True for a directory of objects that no command can have put anything in. */
  #isUntouchedStore(path: ByteText): boolean {
    if (LARGE_STORE.test(path)) {
      return !this.#walked ||
        (this.#isOld(path) && this.#isOld(path.slice(0, path.lastIndexOf("/"))));
    }
    return STORE.test(path) && (!this.#walked || this.#isOld(path));
  }

  #isOld(path: ByteText): boolean {
    const node = nodeAt(this.#root, path);
    return typeof node === "object" && node.changedMs < this.#began - FRESH_MS;
  }

  #list(path: ByteText): Listing | null {
    const known = this.#listings.get(path);
    if (known?.words && this.#comparison.isSame(this.#root, cBytes(path), known.words)) {
      return known;
    }
    const fd = openBeneath(this.#root, path, LIST);
    if (fd < 0) {
      this.#noteClosed(path);
      return null;
    }
    const node = nodeAt(fd, "");
    const entries = listEntries(fd, { wanted, buffer: this.#buffer });
    close(fd);
    if (entries === null || typeof node === "number") return null;
    const names = new Set(entries.map(({ name }) => name));
    // Git asks for HEAD, objects and refs; the last two may be elsewhere, where commondir says.
    const repository = names.has("HEAD") &&
      (names.has("commondir") || (names.has("objects") && names.has("refs")));
    const isGit = path === ".git" || path.endsWith("/.git");
    // Those of a repository's own directory, too: a link in the working tree can lead there.
    const children = entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
    return {
      words: node.changedMs < Date.now() - FRESH_MS ? node.words : null,
      children,
      holder: names.has(".git"),
      repository: repository || isGit,
    };
  }

  /** A command can close its own directory and open it again later; those of others it cannot write either. */
  #noteClosed(path: ByteText): void {
    const node = nodeAt(this.#root, path);
    if (typeof node === "object" && node.kind === "directory" && node.uid === Deno.uid()) {
      this.#gaps.add("there are directories that cannot be listed");
    }
  }
}

function levels(path: ByteText): number {
  let count = 1;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) count++;
  return count;
}
