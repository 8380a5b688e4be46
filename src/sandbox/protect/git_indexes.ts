/**
 * The indexes of repositories: they are commands' to write, and judged by the names in them (git_index.ts). Only what has
 * changed since the last look is read.
 */
import {
  type ByteText,
  cBytes,
  LIST,
  listEntries,
  nodeAt,
  NodeComparison,
  openBeneath,
  readBeneath,
} from "../linux/beneath.ts";
import { close } from "../linux/ffi.ts";
import { ABSENT } from "./file_state.ts";
import { type ConfigEntry, parseGitConfig } from "./git_config.ts";
import { type HashBytes, strayName } from "./git_index.ts";
import { putBack } from "./put_back.ts";
import { FRESH_MS } from "./repository_walk.ts";

/** Bytes of an index that are read: about 700,000 files. */
const MAX_INDEX = 1 << 26;
/** Bytes of a configuration that are read. */
const MAX_CONFIG = 1 << 20;
/** Names of indexes; with `core.splitIndex` most entries are in a shared one. */
const INDEX = /^(?:index|sharedindex\.[0-9a-f]+)$/;
/** First letters of these. */
const FIRST = new Set([..."is"].map((letter) => letter.charCodeAt(0)));

/** What a look came to. */
export interface IndexFindings {
  /** Paths that were removed, with why, relative to the root. */
  readonly removed: { readonly path: ByteText; readonly why: string }[];
  /** Paths that were not looked at. */
  readonly gaps: ByteText[];
}

/** See above; beneath one open directory. */
export class GitIndexes {
  readonly #root: number;
  readonly #comparison = new NodeComparison();
  /** What directories and indexes were at the last look. */
  readonly #seen = new Map<ByteText, readonly number[]>();
  /** Those of the user's that are too large to be looked at. */
  readonly #large = new Set<ByteText>();
  readonly #names = new Map<ByteText, readonly ByteText[]>();

  constructor(root: number) {
    this.#root = root;
  }

  /** Take what a repository's own directory holds now for the user's. */
  trust(directory: ByteText): void {
    for (const path of this.#paths(directory)) {
      this.#remember(path);
      const node = nodeAt(this.#root, path);
      if (typeof node === "object" && node.size > MAX_INDEX) this.#large.add(path);
    }
  }

  /** Look at what has changed in a repository's own directory, and remove an index with names that git never writes. */
  check(directory: ByteText, findings: IndexFindings): void {
    for (const path of this.#paths(directory)) {
      if (this.#isSame(path)) continue;
      const why = this.#problemOf(path, directory);
      if (why === null) this.#remember(path);
      else if (why === TOO_LARGE && this.#large.has(path)) findings.gaps.push(path);
      else {
        const { problem } = putBack(this.#root, path, { state: ABSENT });
        findings.removed.push({
          path,
          why: problem === null ? why : `${why}, not removed: ${problem}`,
        });
      }
    }
  }

  #paths(directory: ByteText): readonly ByteText[] {
    const known = this.#names.get(directory);
    if (known !== undefined && this.#isSame(directory)) return known;
    const fd = openBeneath(this.#root, directory, LIST);
    if (fd < 0) return [];
    const entries = listEntries(fd, { wanted: (first) => FIRST.has(first) }) ?? [];
    close(fd);
    const names = entries.map(({ name }) => name).filter((name) => INDEX.test(name));
    const paths = names.map((name) => directory === "" ? name : `${directory}/${name}`);
    this.#names.set(directory, paths);
    this.#remember(directory);
    return paths;
  }

  #isSame(path: ByteText): boolean {
    const words = this.#seen.get(path);
    return words !== undefined && this.#comparison.isSame(this.#root, cBytes(path), words);
  }

  #remember(path: ByteText): void {
    const node = nodeAt(this.#root, path);
    const isOld = typeof node === "object" && node.changedMs < Date.now() - FRESH_MS;
    if (isOld) this.#seen.set(path, node.words);
    else this.#seen.delete(path);
  }

  /** Why an index must go; null when it may stay. */
  #problemOf(path: ByteText, directory: ByteText): string | null {
    const node = nodeAt(this.#root, path);
    if (typeof node === "number") return null;
    // Git would follow a link to one that nobody looks at.
    if (node.kind !== "file") return "it is no file";
    if (node.size > MAX_INDEX) return TOO_LARGE;
    const bytes = readBeneath(this.#root, path, MAX_INDEX);
    if (bytes === null) return null;
    const stray = this.#hashes(directory).map((hash) => strayName(bytes, hash))
      .find((name) => name !== null);
    return stray === undefined
      ? null
      : `it names ${JSON.stringify(stray)}; git reset makes it anew`;
  }

  /** How long object names are; both where the configuration does not say. */
  #hashes(directory: ByteText): readonly HashBytes[] {
    const common = directory.replace(/(?:^|\/)worktrees\/[^/]+$/, "");
    const bytes = readBeneath(
      this.#root,
      common === "" ? "config" : `${common}/config`,
      MAX_CONFIG,
    );
    const entries = bytes === null ? null : parseGitConfig(new TextDecoder().decode(bytes));
    if (entries === null) return [20, 32];
    return [entries.findLast(isObjectFormat)?.value === "sha256" ? 32 : 20];
  }
}

/** A command could hide names behind padding, so only the user's own index may be so large. */
const TOO_LARGE = "it is too large to be looked at; git reset makes it anew";

function isObjectFormat({ section, subsection, key }: ConfigEntry): boolean {
  return section === "extensions" && subsection === null && key === "objectformat";
}
