import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path/posix";

const ROOT = join(import.meta.dirname!, "../..");

/** What is copied: what is published, and the stand-ins, since JSR may be out of reach. */
const COPIED = ["deno.json", "deno.lock", "LICENSE", "README.md", "CHANGELOG.md", "src", "docs"];

/** What `deno publish --dry-run` says of a copy of the package. */
function dryRun(root: string): { readonly success: boolean; readonly text: string } {
  const { success, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty", "--no-check=remote"],
    cwd: root,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "null",
  }).outputSync();
  return { success, text: new TextDecoder().decode(stderr) };
}

Deno.test("the library can be published: every public type is explicit, no file is missing", () => {
  const root = Deno.makeTempDirSync({ prefix: "debrief-publish-" });
  try {
    for (const name of [...COPIED, "policies", "links"]) {
      const { success } = new Deno.Command("cp", { args: ["-r", join(ROOT, name), root] })
        .outputSync();
      assertEquals(success, true, name);
    }
    // A release takes the links away, and then needs JSR; here they stand for it.
    const config = JSON.parse(Deno.readTextFileSync(join(root, "deno.json")));
    config.publish.include.push("links");
    Deno.writeTextFileSync(join(root, "deno.json"), JSON.stringify(config));
    const { success, text } = dryRun(root);
    assertEquals([success, text.includes("warning[")], [true, false], text);
    assertStringIncludes(text, "src/mod.ts");
    assertEquals(text.includes("src/cli/"), false);

    const mod = join(root, "src/mod.ts");
    const slow = "export const slow = [1].map(String);\n";
    Deno.writeTextFileSync(mod, Deno.readTextFileSync(mod) + slow);
    const refused = dryRun(root);
    assertEquals(refused.success, false);
    assertStringIncludes(refused.text, "missing-explicit-type");
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
