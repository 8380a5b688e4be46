import { assertEquals, assertRejects } from "@std/assert";
import { dirname, join } from "node:path";
import { checkDocs } from "../../tools/check_docs.ts";

const SOUND = {
  "README.md": "[guide](docs/guide.md) `src/cli/flags.ts` `--json`",
  "docs/guide.md": "[readme](../README.md), `docs/guide.md`, [source](../src/cli/flags.ts)",
  "src/cli/flags.ts": `export const FLAGS = [{ name: "json" }, { name: "policy" }];`,
};

Deno.test("checkDocs() accepts documents whose references exist", async () => {
  await withTree(SOUND, async (root) => assertEquals(await checkDocs(root), []));
});

Deno.test("checkDocs() reports dead links, files and flags with their place", async () => {
  const files = {
    ...SOUND,
    "README.md": "[gone](docs/gone.md)\n\n`src/gone.ts` `--gone`\n",
    "docs/guide.md": "[gone](guide/gone.md)\n```\ndebrief --gone x\n```\n",
    "NOTES.md": "[not checked](gone.md)",
  };
  await withTree(files, async (root) =>
    assertEquals(await checkDocs(root), [
      "README.md:1: docs/gone.md does not exist",
      "README.md:3: src/gone.ts does not exist",
      "README.md:3: --gone is not in src/cli/flags.ts",
      "docs/guide.md:1: guide/gone.md does not exist",
      "docs/guide.md:3: --gone is not in src/cli/flags.ts",
    ]));
});

Deno.test("checkDocs() fails on a flag table of another shape", async () => {
  const files = { ...SOUND, "src/cli/flags.ts": "export const flags = [];" };
  await withTree(files, async (root) => {
    await assertRejects(() => checkDocs(root), Error, "no FLAGS in it");
  });
});

async function withTree(
  files: Record<string, string>,
  run: (root: string) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "debrief-docs-" });
  try {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), text);
    }
    await run(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
