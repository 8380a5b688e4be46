/**
 * Fails on a source file of 300 lines or more.
 * Usage: `deno run -A tools/check_length.ts [ROOT]`
 */
import { join } from "node:path";
import { sourceFiles } from "./source_files.ts";

/** A file that needs more lines than this does more than one job. */
const MAX_LINES = 299;

const FOLDERS = ["src", "tests", "tools", "bench", "links"];

/** Every file of the tree below `root` that is too long, as `file: reason`. */
export async function checkLength(root: string): Promise<string[]> {
  const files = await sourceFiles(root, { folders: FOLDERS, pattern: /\.(tsx?|jsx?|mjs|sh)$/ });
  const long: string[] = [];
  for (const file of files) {
    const lines = (await Deno.readTextFile(join(root, file))).trimEnd().split("\n").length;
    if (lines > MAX_LINES) long.push(`${file}: ${lines} lines, at most ${MAX_LINES} are allowed`);
  }
  return long;
}

if (import.meta.main) {
  const root = Deno.args[0] ?? new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const long = await checkLength(root);
  for (const line of long) console.error(line);
  if (long.length > 0) Deno.exit(1);
}
