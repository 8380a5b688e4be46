/** The protection of a temporary workspace, and what is left of it. */
import { ProtectedPaths } from "../../../src/sandbox/protect/protected_paths.ts";
import type { TempTree } from "../temp_tree.ts";

/** Protect the tree's `work`, unless another directory is named. */
export function protect(
  tree: TempTree,
  options: { except?: string; paths?: readonly string[]; work?: string; shared?: boolean } = {},
) {
  const work = tree.at(options.work ?? "work");
  return new ProtectedPaths({
    roots: [work],
    anchors: [work],
    paths: (options.paths ?? []).map((path) => tree.at(path)),
    excepted: options.except === undefined ? [] : [tree.at(options.except)],
    isWritable: (path) => path === work || path.startsWith(`${work}/`),
    home: tree.at("home"),
    ...(options.shared ? { shared: tree.at("shared") } : {}),
  });
}

/** A file's text or a link's target, null for nothing. */
export function read(tree: TempTree, path: string): string | null {
  try {
    const target = tree.at(path);
    return Deno.lstatSync(target).isSymlink
      ? `-> ${Deno.readLinkSync(target)}`
      : Deno.readTextFileSync(target);
  } catch {
    return null;
  }
}

/** What was put back, each once, relative to `work`. */
export function reported(tree: TempTree, restored: readonly string[]): string[] {
  return [...new Set(restored)].map((path) => path.replace(`${tree.at("work")}/`, "")).sort();
}
