/**
 * Fails on an import between files of `src` that goes up or sideways, and on a cycle.
 * Usage: `deno run -A tools/check_imports.ts [ROOT]`
 */
import { findViolations } from "./import_rules.ts";
import { moduleGraph } from "./module_graph.ts";
import { sourceFiles } from "./source_files.ts";

/** Every broken import rule of the tree below `root`, as `file:line: reason`. */
export async function checkImports(root: string): Promise<string[]> {
  const pattern = /\.tsx?$/;
  const files = await sourceFiles(root, { folders: ["src"], pattern });
  const main = await sourceFiles(root, { folders: [""], pattern: /^main\.ts$/ });
  return findViolations(await moduleGraph(root, [...main, ...files]));
}

if (import.meta.main) {
  const root = Deno.args[0] ?? new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const violations = await checkImports(root);
  for (const violation of violations) console.error(violation);
  console.error(`${violations.length} broken import rules`);
  if (violations.length > 0) Deno.exit(1);
}
