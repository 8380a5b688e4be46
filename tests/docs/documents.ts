/** The documents of the repository and their fenced examples. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Directory of `deno.json`. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** A fenced block. */
export interface Example {
  /** Words of the info string. */
  readonly info: readonly string[];
  /** Line of the opening fence, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Paths of all documents, relative to the root. */
export function documents(): readonly string[] {
  const inDocs = [...Deno.readDirSync(join(ROOT, "docs"))].map(({ name }) => `docs/${name}`);
  return ["README.md", "SECURITY.md", "CONTRIBUTING.md", ...inDocs]
    .filter((path) => path.endsWith(".md")).sort();
}

/** Text of a document. */
export function readDocument(path: string): string {
  return Deno.readTextFileSync(join(ROOT, path));
}

/** The fenced blocks of a Markdown text, in order. */
export function examplesOf(text: string): readonly Example[] {
  const found: Example[] = [];
  let open: { fence: string; info: readonly string[]; line: number; lines: string[] } | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const [, fence = "", info = ""] = /^(`{3,})\s*(.*)$/.exec(line) ?? [];
    if (open !== null && fence.startsWith(open.fence) && info === "") {
      found.push({ info: open.info, line: open.line, text: open.lines.join("\n") });
      open = null;
    } else if (open !== null) {
      open.lines.push(line);
    } else if (fence !== "") {
      open = { fence, info: info.split(" ").filter(Boolean), line: index + 1, lines: [] };
    }
  }
  if (open !== null) throw new Error(`Cannot read line ${open.line}: its fence is never closed`);
  return found;
}
