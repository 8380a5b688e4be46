import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { examplesOf, readDocument, ROOT } from "./documents.ts";

/** What a checkout holds besides the repository's own directories. */
const FOREIGN = new Set([".git", "dist", "node_modules", "coverage"]);

/** Paths of an indented tree; those of directories end in a slash. */
function pathsOf(tree: string): readonly string[] {
  const above: string[] = [];
  return tree.split("\n").map((line) => {
    const [, indent = "", name = ""] = /^( *)(\S+)/.exec(line) ?? [];
    above.splice(indent.length / 2, Infinity, name);
    return above.join("");
  });
}

/** Directories of the repository. Packages below `links/std` are of one kind and named by none. */
function directories(path = ""): readonly string[] {
  return [...Deno.readDirSync(join(ROOT, path))].flatMap(({ name, isDirectory }) => {
    if (!isDirectory || FOREIGN.has(name)) return [];
    const below = `${path}${name}/`;
    return path === "links/std/" ? [] : [below, ...directories(below)];
  });
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(join(ROOT, path)).isDirectory === path.endsWith("/");
  } catch {
    return false;
  }
}

const [tree] = examplesOf(readDocument("docs/architecture.md"))
  .filter(({ info }) => info[0] === "tree").map(({ text }) => pathsOf(text));

Deno.test("the tree in docs/architecture.md names what exists", () => {
  assertEquals(tree?.filter((path) => !isThere(path)), []);
});

/** Tests mirror the source, so their directories need no naming. */
function isMirror(path: string): boolean {
  return path.startsWith("tests/") && isThere(path.replace(/^tests/, "src"));
}

Deno.test("the tree in docs/architecture.md has every directory", () => {
  const missing = directories().filter((path) => !tree?.includes(path));
  assertEquals(missing.filter((path) => !isMirror(path)), []);
});
