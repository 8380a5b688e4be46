/**
 * Working trees of submodules: git finds them by `core.worktree`, following links. A link in the place of one could lead a
 * checkout into a repository's own directory, where what it writes are hooks.
 */
import { resolve } from "node:path/posix";
import { isWithin } from "../../policy/paths.ts";
import { type ByteText, fromByteText, nodeAt } from "../linux/beneath.ts";
import { ABSENT } from "./file_state.ts";
import { parseGitConfig } from "./git_config.ts";
import { textOf } from "./protected_entry.ts";
import { type Part, pathOf, placeIn } from "./protected_part.ts";
import { putBack } from "./put_back.ts";

const MODULE = /(?:^|\/)\.git\/(?:.*\/)?modules\/./;

/** Links on the way to submodules' working trees, relative to a part's root. */
function linkedTrees({ tree, gitDirectories }: Part): readonly ByteText[] {
  const links = new Set<ByteText>();
  for (const directory of gitDirectories.keys()) {
    if (!MODULE.test(directory)) continue;
    const state = tree.entry(`${directory}/config`)?.state;
    const text = state === undefined ? null : textOf(state);
    const found = parseGitConfig(text ?? "")?.findLast(({ section, subsection, key }) =>
      section === "core" && subsection === null && key === "worktree"
    )?.value;
    const place = found ? resolve(tree.path, fromByteText(directory), found) : "";
    if (!isWithin(place, tree.path)) continue;
    const link = firstLink(tree.root, placeIn(tree, place));
    if (link !== null) links.add(link);
  }
  return [...links];
}

function firstLink(root: number, path: ByteText): ByteText | null {
  const names = path.split("/");
  for (let depth = 1; depth <= names.length; depth++) {
    const here = names.slice(0, depth).join("/");
    const node = nodeAt(root, here);
    if (typeof node === "number") return null;
    if (node.kind === "link") return here;
  }
  return null;
}

/** Take the links that are there now for the user's. */
export function trustLinks(parts: readonly Part[]): void {
  for (const part of parts) for (const link of linkedTrees(part)) part.links.add(link);
}

/** Remove the links that commands have put there. @returns what was removed, in words. */
export function removeLinkedTrees(part: Part): readonly string[] {
  return linkedTrees(part).filter((link) => !part.links.has(link)).map((link) => {
    const { problem } = putBack(part.tree.root, link, { state: ABSENT });
    const what = problem === null ? "a link" : `a link, not removed: ${problem}`;
    return `${pathOf(part.tree, link)} (${what} in the place of a submodule's files)`;
  });
}
