/**
 * What the user's own links among protected paths lead to: a hook that is a link to a script, a configuration kept
 * elsewhere. Whoever runs the link runs that.
 */
import type { ByteText } from "../linux/beneath.ts";
import { realPathOfMaybeAbsent } from "../exclusions.ts";
import type { FileState } from "./file_state.ts";
import { type Part, pathOf, sizeOf } from "./protected_part.ts";

/** Rounds for links in directories that links lead to; the kernel follows 40 in one path. */
const MAX_ROUNDS = 8;

function linksIn(path: ByteText, state: FileState): readonly ByteText[] {
  if (state.kind === "link") return [path];
  if (state.kind !== "directory") return [];
  return [...state.entries].flatMap(([name, inner]) => linksIn(`${path}/${name}`, inner));
}

/**
 * Protect them.
 *
 * @param add protects a real path as a whole.
 */
export function addLinkedPlaces(parts: readonly Part[], add: (path: string) => void): void {
  for (let round = 0, size = -1; round < MAX_ROUNDS && size !== sizeOf(parts); round++) {
    size = sizeOf(parts);
    const places = parts.flatMap(({ tree }) =>
      tree.entries.filter(({ kind }) => kind !== "git")
        .flatMap(({ path, state }) => linksIn(path, state))
        .map((link) => realPathOfMaybeAbsent(pathOf(tree, link)))
    );
    for (const place of new Set(places)) add(place);
  }
}
