import { assertEquals } from "@std/assert";
import { dirname, join, normalize } from "node:path/posix";
import { documents, readDocument } from "./documents.ts";

/** What a heading is linked by, as public forges make it. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-");
}

/** A document's lines outside of its examples. */
function proseLines(path: string): readonly string[] {
  return readDocument(path).replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "").split("\n");
}

function headings(path: string, level = /^#{1,6} (.+)$/): readonly string[] {
  return proseLines(path).flatMap((line) => level.exec(line)?.[1] ?? []);
}

/** Links with an anchor, as the document that they lead to and the anchor. */
function anchorLinks(path: string): readonly (readonly [string, string])[] {
  const found = proseLines(path).join("\n").matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g);
  return [...found].filter(([, target = ""]) => !target.includes(":")).map((
    [, target = "", anchor = ""],
  ) => [target === "" ? path : normalize(join(dirname(path), target)), anchor]);
}

Deno.test("anchorOf() makes the anchors that forges make", () => {
  const cases = [
    { in: "First command", want: "first-command" },
    { in: "As an agent's shell", want: "as-an-agents-shell" },
    { in: "`debrief doctor`, or: 2_0", want: "debrief-doctor-or-2_0" },
  ];
  for (const { in: heading, want } of cases) assertEquals(anchorOf(heading), want);
});

Deno.test("every anchor that a document links to is a heading there", () => {
  const all = documents().flatMap((path) => anchorLinks(path).map((link) => [path, ...link]));
  assertEquals(all.length > 10, true);
  const dead = all.filter(([, target = "", anchor = ""]) =>
    !headings(target).map(anchorOf).includes(anchor)
  );
  assertEquals(dead, []);
});

Deno.test("the contents of docs/guide.md name every section, in order", () => {
  const contents = anchorLinks("docs/guide.md").map(([, anchor]) => anchor);
  const sections = headings("docs/guide.md", /^## (.+)$/).map(anchorOf);
  assertEquals(contents.slice(0, sections.length), sections);
});
