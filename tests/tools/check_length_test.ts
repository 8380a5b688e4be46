import { assertEquals } from "@std/assert";
import { checkLength } from "../../tools/check_length.ts";

Deno.test("checkLength() reports files of 300 lines and more, whatever the last line ends with", async () => {
  const root = await Deno.makeTempDir({ prefix: "debrief-length-" });
  try {
    await Deno.mkdir(`${root}/src/deep`, { recursive: true });
    await Deno.mkdir(`${root}/docs`);
    await Deno.writeTextFile(`${root}/src/deep/short.ts`, "x\n".repeat(299));
    await Deno.writeTextFile(`${root}/src/deep/long.ts`, "x\n".repeat(299) + "x");
    await Deno.writeTextFile(`${root}/docs/long.md`, "x\n".repeat(400));
    assertEquals(await checkLength(root), [
      "src/deep/long.ts: 300 lines, at most 299 are allowed",
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
