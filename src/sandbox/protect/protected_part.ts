/** One directory that commands write, with the repositories beneath it. */
import { isWithin } from "../../policy/paths.ts";
import { realPathOfMaybeAbsent } from "../exclusions.ts";
import { type ByteText, fromByteText, nodeAt, toByteText } from "../linux/beneath.ts";
import { userHooks } from "./git_directory.ts";
import { GitIndexes, type IndexFindings } from "./git_indexes.ts";
import type { ProtectedTree } from "./protected_tree.ts";
import type { RepositoryWalk } from "./repository_walk.ts";

/** See above. */
export interface Part {
  readonly tree: ProtectedTree;
  /** Null for a directory too wide to be walked: one that holds another root. */
  readonly walk: RepositoryWalk | null;
  /** Repositories' own directories by path, with their identity when they were found. */
  readonly gitDirectories: Map<ByteText, string>;
  /** Those of them that were there before commands ran. */
  readonly own: Set<ByteText>;
  /** Links that the user has put in the place of submodules' working trees. */
  readonly links: Set<ByteText>;
  /** What repositories' indexes were at the last look. */
  readonly indexes: GitIndexes;
  /** Relative places of hooks that configurations name. */
  readonly hooks: Set<string>;
  /** False when the first walk could not see everything: what it has not seen is then no news. */
  complete: boolean;
}

/** A part of which nothing is known yet. */
export function newPart(
  tree: ProtectedTree,
  { walk, home }: { readonly walk: RepositoryWalk | null; readonly home: string },
): Part {
  return {
    ...{ tree, walk, gitDirectories: new Map(), own: new Set(), links: new Set() },
    indexes: new GitIndexes(tree.root),
    hooks: new Set(userHooks(home)),
    complete: true,
  };
}

/** A path beneath a tree's root, made absolute. */
export function absoluteIn({ bytes: own }: ProtectedTree, path: ByteText): ByteText {
  if (path === "") return own;
  return own === "/" ? `/${path}` : `${own}/${path}`;
}

/** An absolute path within a tree, relative to its root. */
export function relativeIn({ bytes: own }: ProtectedTree, path: ByteText): ByteText {
  return path === own ? "" : path.slice(own === "/" ? 1 : own.length + 1);
}

/** An absolute path within a tree, relative to its root. */
export function placeIn(tree: ProtectedTree, path: string): ByteText {
  return relativeIn(tree, toByteText(path));
}

/** A path beneath a tree's root, absolute, as text. */
export function pathOf(tree: ProtectedTree, place: ByteText): string {
  return fromByteText(absoluteIn(tree, place));
}

/**
 * True for what a `.git` file may name of what commands write: what is watched, and no checkout writes to. Git refuses the
 * name `.git`, but would write the hooks of a repository that has another name in a working tree.
 */
export function mayBeNamed(parts: readonly Part[], path: string): boolean {
  const part = parts.find(({ tree }) => isWithin(path, tree.path));
  if (part === undefined || realPathOfMaybeAbsent(path) !== path) return false;
  const place = placeIn(part.tree, path);
  return /(?:^|\/)\.git(?:\/|$)/.test(place) ||
    [...part.own].some((directory) => isWithin(place, directory));
}

/** Where a repository was before it was moved, with its configuration and hooks. */
export function movedFrom({ gitDirectories, tree }: Part, identity: string): ByteText | null {
  for (const [path, known] of gitDirectories) {
    if (known !== identity || identity === "") continue;
    const now = nodeAt(tree.root, path);
    if (typeof now === "number" || now.identity !== known) return path;
  }
  return null;
}

/** Where a working tree's hooks are. */
export interface HooksPlace {
  readonly tree: ByteText;
  readonly hooks: string;
  readonly first: boolean;
}

/** How many paths are protected. */
export function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { tree }) => sum + tree.size, 0);
}

/** What cannot be protected, in words. */
function noticesOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap(({ tree, walk }) => [
    ...tree.notices,
    ...(walk?.gaps ?? []).map((gap) =>
      `not every repository beneath ${tree.path} is protected: ${gap}`
    ),
  ]);
}

/** Look at the indexes of all repositories. @returns what was removed of them, and what cannot be protected, in words. */
export function checkIndexes(parts: readonly Part[]): {
  readonly restored: readonly string[];
  readonly notices: readonly string[];
} {
  const restored: string[] = [];
  const notices = [...noticesOf(parts)];
  for (const { tree, indexes, gitDirectories } of parts) {
    const findings: IndexFindings = { removed: [], gaps: [] };
    for (const directory of gitDirectories.keys()) indexes.check(directory, findings);
    restored.push(...findings.removed.map(({ path, why }) => `${pathOf(tree, path)} (${why})`));
    notices.push(
      ...findings.gaps.map((path) => `${pathOf(tree, path)} is too large to be looked at`),
    );
  }
  return { restored, notices };
}
