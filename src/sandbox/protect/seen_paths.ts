/** Which paths decide whether protected ones have to be looked at again, and what they were at the last look. */
import { type ByteText, cBytes, type Node, NodeComparison } from "../linux/beneath.ts";
import type { ProtectedEntry } from "./protected_entry.ts";
import { FRESH_MS } from "./repository_walk.ts";

/** One of them. */
interface Seen {
  readonly path: Uint8Array<ArrayBuffer>;
  /** Null when it was changed so lately that a further change might not show. */
  words: readonly number[] | null;
  readonly entries: Set<ProtectedEntry>;
}

/** See above; beneath one open directory. */
export class SeenPaths {
  readonly #root: number;
  readonly #comparison = new NodeComparison();
  readonly #seen = new Map<ByteText, Seen>();
  /** The keys of `#seen` by entry. */
  readonly #paths = new Map<ProtectedEntry, readonly ByteText[]>();

  constructor(root: number) {
    this.#root = root;
  }

  /** What a look at an entry has come upon; nothing when the next comparison has to look. */
  remember(entry: ProtectedEntry, seen: ReadonlyMap<ByteText, Node>): void {
    this.forget(entry);
    const fresh = Date.now() - FRESH_MS;
    const nodes = seen.size > 0 ? seen : new Map<ByteText, Node | null>([[entry.path, null]]);
    this.#paths.set(entry, [...nodes.keys()]);
    for (const [path, node] of nodes) {
      const words = node !== null && node.changedMs < fresh ? node.words : null;
      const known = this.#seen.get(path);
      if (known) {
        known.entries.add(entry);
        known.words = words;
      } else this.#seen.set(path, { path: cBytes(path), words, entries: new Set([entry]) });
    }
  }

  /** Entries that something may have changed of. */
  suspects(): ProtectedEntry[] {
    const found = new Set<ProtectedEntry>();
    for (const { path, words, entries } of this.#seen.values()) {
      if (words !== null && this.#comparison.isSame(this.#root, path, words)) continue;
      for (const entry of entries) found.add(entry);
    }
    return [...found];
  }

  /** The entry is protected no more. */
  forget(entry: ProtectedEntry): void {
    for (const path of this.#paths.get(entry) ?? []) {
      const known = this.#seen.get(path);
      if (known?.entries.delete(entry) && known.entries.size === 0) this.#seen.delete(path);
    }
    this.#paths.delete(entry);
  }
}
