import { assertEquals } from "@std/assert";
import { dirname, join } from "node:path/posix";
import { checkExports } from "../../tools/check_exports.ts";

const FILES: Readonly<Record<string, string>> = {
  "main.ts": `import { used } from "./src/a.ts"; used();\n(await import("./src/b.ts")).lazy();\n`,
  "src/a.ts": `export function used() {}\nexport const forgotten = 1;\nexport interface Shape {}\n`,
  "src/b.ts": `export async function lazy() {}\nexport class OnlyHere {}\nnew OnlyHere();\n`,
  // A word in a file that does not import the other is another word.
  "src/c.ts": `export {};\nconst forgotten = 2, OnlyHere = 3;\n`,
  "src/mod.ts": `export { published } from "./d.ts";\nexport const toAll = 1;\n`,
  "src/d.ts": `export const published = 1;\n`,
  "tests/a_test.ts": `import { tested } from "../src/e.ts";\ntested();\n`,
  "src/e.ts": `export const tested = () => {};\n`,
};

Deno.test("checkExports() names exports that no importing file uses, types apart", async () => {
  const root = Deno.makeTempDirSync({ prefix: "debrief-exports-" });
  try {
    for (const [path, text] of Object.entries(FILES)) {
      Deno.mkdirSync(dirname(join(root, path)), { recursive: true });
      Deno.writeTextFileSync(join(root, path), text);
    }
    assertEquals(await checkExports(root), [
      "src/a.ts: nothing else uses the export forgotten",
      "src/b.ts: nothing else uses the export OnlyHere",
    ]);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
