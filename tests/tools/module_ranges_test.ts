import { assertEquals } from "@std/assert";
import { moduleName, moduleRanges } from "../../tools/module_ranges.ts";

Deno.test("moduleName() is the same wherever a bundle is made", () => {
  const cases = [
    { in: "../src/errors.ts", want: "src/errors.ts" },
    { in: "../../links/std/cli/mod.ts", want: "links/std/cli/mod.ts" },
    {
      in: "../../../home/me/.cache/deno/npm/registry/diff/9.0.0/lib/a.js",
      want: "npm:diff/lib/a.js",
    },
    { in: "/c/npm/registry/@scope/name/1.0.0-rc.1/b.js", want: "npm:@scope/name/b.js" },
  ];
  for (const { in: source, want } of cases) assertEquals(moduleName(source), want);
});

Deno.test("moduleRanges() gives each module from its first segment to the next module's", () => {
  const sources = ["../src/a.ts", "../src/b.ts"];
  // Line 0: a at column 0 and 16; line 2: b at 1, the shortest segment without a source, a again at 5.
  const map = { sources, mappings: "AAAA,gBAAA;;CCAA,C,GDAA" };
  assertEquals(moduleRanges(map, { line: 3, column: 7 }), [
    { module: "src/a.ts", start: { line: 0, column: 0 }, end: { line: 2, column: 1 } },
    { module: "src/b.ts", start: { line: 2, column: 1 }, end: { line: 2, column: 5 } },
    { module: "src/a.ts", start: { line: 2, column: 5 }, end: { line: 3, column: 7 } },
  ]);
});
