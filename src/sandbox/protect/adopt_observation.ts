/**
 * Taking over what another living session has seen. What differs from it is an unfinished change of a command's, not the
 * user's, and whichever session ends last must not bring it back.
 */
import { isWithin } from "../../policy/paths.ts";
import { coversPath } from "../../policy/match.ts";
import { type ByteText, fromByteText, toByteText } from "../linux/beneath.ts";
import { ABSENT, type FileState } from "./file_state.ts";
import { gitDirectoryEntries } from "./git_directory.ts";
import type { Observation } from "./observation.ts";
import type { ProtectedEntry } from "./protected_entry.ts";
import { absoluteIn, type Part, relativeIn } from "./protected_part.ts";
import type { OtherObservation } from "./shared_observations.ts";

/** What the parts of a session hold, for others to read. */
export function observe(parts: readonly Part[], excepted: readonly string[]): Observation {
  const entries = new Map<ByteText, ProtectedEntry>();
  const gitDirectories = new Map<ByteText, string>();
  for (const { tree, gitDirectories: own } of parts) {
    for (const entry of tree.entries) {
      const path = absoluteIn(tree, entry.path);
      entries.set(path, { ...entry, path, holder: absoluteIn(tree, entry.holder) });
    }
    for (const [path, identity] of own) gitDirectories.set(absoluteIn(tree, path), identity);
  }
  return {
    roots: parts.map(({ tree, walk, complete }) => ({
      path: toByteText(tree.path),
      walked: walk !== null && complete,
    })),
    excepted,
    hooks: [...new Set(parts.flatMap(({ hooks }) => [...hooks]))],
    gitDirectories,
    entries,
  };
}

class Adoption {
  readonly changed: ByteText[] = [];
  readonly #parts: readonly Part[];
  readonly #observation: Observation;
  readonly #busy: boolean;
  readonly #excepted: readonly string[];

  constructor(parts: readonly Part[], other: OtherObservation, excepted: readonly string[]) {
    this.#parts = parts;
    this.#observation = other.observation;
    this.#busy = other.busy;
    this.#excepted = excepted;
  }

  adopt(): void {
    if (this.#busy) this.#takeEntries();
    for (const part of this.#parts) {
      for (const path of [...part.gitDirectories.keys()]) this.#questionDirectory(part, path);
      for (const entry of part.tree.entries) this.#questionLink(part, entry);
    }
  }

  /** The innermost root of a path is the one that it belongs to; parts are sorted so. */
  #partOf(path: ByteText): Part | null {
    return this.#parts.find(({ tree }) => isWithin(path, toByteText(tree.path))) ?? null;
  }

  #isExcepted(path: ByteText): boolean {
    const text = fromByteText(path);
    return this.#excepted.some((pattern) => coversPath(pattern, text));
  }

  #require(part: Part, entry: ProtectedEntry): void {
    if (part.tree.require(entry)) this.changed.push(absoluteIn(part.tree, entry.path));
  }

  #takeEntries(): void {
    const { entries, gitDirectories, hooks } = this.#observation;
    for (const { kind, path, holder, state } of entries.values()) {
      const part = this.#partOf(path);
      const place = part === null ? "" : relativeIn(part.tree, path);
      if (part === null || place === "" || this.#isExcepted(path)) continue;
      const inside = isWithin(holder, toByteText(part.tree.path));
      const own = inside ? relativeIn(part.tree, holder) : "";
      this.#require(part, { kind, path: place, holder: own, state });
    }
    for (const [path, identity] of gitDirectories) {
      const part = this.#partOf(path);
      const place = part === null ? "" : relativeIn(part.tree, path);
      // So that it is known again where it is moved to.
      if (!part || this.#isExcepted(path) || part.gitDirectories.has(place)) continue;
      part.gitDirectories.set(place, identity);
    }
    for (const { hooks: own } of this.#parts) for (const place of hooks) own.add(place);
  }

  /** True where the other would have found a repository, had it been there when it looked. */
  #covers(path: ByteText): boolean {
    const { roots, excepted } = this.#observation;
    const text = fromByteText(path);
    const root = roots.find((one) => isWithin(path, one.path));
    return root?.walked === true && !excepted.some((pattern) => coversPath(pattern, text));
  }

  /** A repository that is news to the other may be its command's: nothing in it counts as the user's. */
  #questionDirectory(part: Part, path: ByteText): void {
    const { gitDirectories, entries } = this.#observation;
    const absolute = absoluteIn(part.tree, path);
    if (!this.#covers(absolute) || gitDirectories.has(absolute)) return;
    // Between commands the other itself takes a `.git` that appears where it looks for one for the user's.
    if (!this.#busy && entries.has(absolute)) return;
    const identity = part.gitDirectories.get(path) ?? "";
    const from = [...gitDirectories].find(([, known]) => known === identity && known !== "")?.[0];
    for (const place of gitDirectoryEntries(path)) {
      const now = absoluteIn(part.tree, place.path);
      if (this.#isExcepted(now)) continue;
      const then = from === undefined ? null : from + now.slice(absolute.length);
      const state: FileState = (then === null ? null : entries.get(then)?.state) ?? ABSENT;
      this.#require(part, { ...place, state });
    }
  }

  #questionLink(part: Part, entry: ProtectedEntry): void {
    if (entry.kind !== "git") return;
    const absolute = absoluteIn(part.tree, entry.path);
    if (!this.#covers(absolute) || this.#observation.entries.has(absolute)) return;
    this.#require(part, { ...entry, state: ABSENT });
  }
}

/**
 * Take over what another session has seen: of one whose commands run all of it, of one that rests which repositories
 * there were.
 *
 * @param parts this session's, the innermost root first.
 * @returns absolute paths that were taken for something else until now.
 */
export function adoptObservation(
  parts: readonly Part[],
  other: OtherObservation,
  excepted: readonly string[],
): readonly ByteText[] {
  const adoption = new Adoption(parts, other, excepted);
  adoption.adopt();
  return adoption.changed;
}
