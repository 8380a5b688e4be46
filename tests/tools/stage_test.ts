import { assertEquals } from "@std/assert";
import { join } from "node:path/posix";
import { BUNDLE_DIR } from "../../tools/bundle.ts";
import { stage, STAGE_DIR } from "../../tools/stage.ts";

Deno.test("stage() gives every file of the bundle the same time, and leaves the bundle's own", async () => {
  const root = Deno.makeTempDirSync({ prefix: "debrief-stage-" });
  try {
    const [bundle, staged] = [join(root, BUNDLE_DIR), join(root, STAGE_DIR, BUNDLE_DIR)];
    Deno.mkdirSync(bundle, { recursive: true });
    for (
      const [name, seconds] of [["main.js", 1_700_000_000], ["x_worker.ts", 1_600_000_000]] as const
    ) {
      Deno.writeTextFileSync(join(bundle, name), name);
      Deno.utimeSync(join(bundle, name), seconds, seconds);
    }
    // Of an earlier build.
    Deno.mkdirSync(staged, { recursive: true });
    Deno.writeTextFileSync(join(staged, "old.js"), "");
    await stage(root);
    const files = [...Deno.readDirSync(staged)].map(({ name }) => name).sort();
    assertEquals(files, ["main.js", "x_worker.ts"]);
    const times = files.map((name) => Deno.statSync(join(staged, name)).mtime?.toISOString());
    assertEquals(times, Array(2).fill("1980-01-01T00:00:00.000Z"));
    assertEquals(Deno.statSync(join(bundle, "main.js")).mtime?.getTime(), 1_700_000_000_000);
    assertEquals(Deno.readTextFileSync(join(staged, "x_worker.ts")), "x_worker.ts");
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
