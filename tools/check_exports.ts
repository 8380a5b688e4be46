/**
 * Fails on an export of `src` or of a test's helper that no other file uses. Types count as used: they name what a
 * function takes and gives.
 * Usage: `deno run -A tools/check_exports.ts [ROOT]`
 */
import { join } from "node:path";
import { moduleGraph } from "./module_graph.ts";
import { sourceFiles } from "./source_files.ts";

const FOLDERS = ["src", "tests", "tools", "bench"];

/** Whose exports are looked at: a tool is a program, and the library is all of `src/mod.ts`. */
const CHECKED = /^(?:src|tests)\/(?!mod\.ts$)/;

/** What a file gives to others, by name; one to a line, as the formatter writes it. */
const EXPORT = /^export (?:async )?(?:const|let|function\*?|(?:abstract )?class|enum) (\w+)/gm;

/** Every export of the tree below `root` that nothing uses, as `file: reason`. */
export async function checkExports(root: string): Promise<string[]> {
  const pattern = /\.tsx?$/;
  const files = [
    ...await sourceFiles(root, { folders: FOLDERS, pattern }),
    ...await sourceFiles(root, { folders: [""], pattern: /^main\.ts$/ }),
  ];
  const texts = new Map(
    await Promise.all(
      files.map(async (file) => [file, await Deno.readTextFile(join(root, file))] as const),
    ),
  );
  // A file's own imports name what they take, so the word has to stand in a file that imports this one.
  const importers = Map.groupBy(await moduleGraph(root, files), ({ to }) => to);
  const unused: string[] = [];
  for (const [file, text] of texts) {
    if (!CHECKED.test(file)) continue;
    const users = (importers.get(file) ?? []).map(({ from }) => texts.get(from) ?? "");
    for (const [, name = ""] of text.matchAll(EXPORT)) {
      const word = new RegExp(`\\b${name}\\b`);
      if (!users.some((user) => word.test(user))) {
        unused.push(`${file}: nothing else uses the export ${name}`);
      }
    }
  }
  return unused.sort();
}

if (import.meta.main) {
  const root = Deno.args[0] ?? new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const unused = await checkExports(root);
  for (const line of unused) console.error(line);
  if (unused.length > 0) Deno.exit(1);
}
