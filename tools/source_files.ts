import { join } from "node:path";

/** What holds no sources of ours. */
const SKIPPED = new Set(["node_modules", "dist", "coverage"]);

/**
 * Paths, relative to the root and sorted, of the files below the given folders that match. A folder
 * that does not exist has none.
 */
export async function sourceFiles(
  root: string,
  { folders, pattern }: { folders: readonly string[]; pattern: RegExp },
): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => walk(root, folder)));
  return found.flat().filter((path) => pattern.test(path)).sort();
}

async function walk(root: string, folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await entriesOf(join(root, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile) files.push(path);
    else if (entry.isDirectory && !SKIPPED.has(entry.name) && !entry.name.startsWith(".")) {
      files.push(...await walk(root, path));
    }
  }
  return files;
}

async function entriesOf(path: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
