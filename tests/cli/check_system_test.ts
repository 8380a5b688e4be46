import { assertEquals, assertMatch } from "@std/assert";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

Deno.test("every other system than Linux is refused with a message, whatever is asked for", async () => {
  using place = new TestPlace();
  const refused = [
    { args: ["-c", "echo ran"], system: "darwin" },
    { args: ["--help"], system: "windows" },
    { args: ["doctor"], system: "freebsd" },
  ];
  for (const { args, system } of refused) {
    const { code, stdout, stderr } = await runDebrief(args, {
      place,
      env: { DEBRIEF_SYSTEM: system },
    });
    assertEquals([code, stdout], [125, ""], stderr);
    assertMatch(stderr, new RegExp(`^debrief: Cannot run on "${system}": [^\\n]*\\n$`));
  }
  const here = await runDebrief(["--help"], { place, env: { DEBRIEF_SYSTEM: "linux" } });
  assertEquals([here.code, here.stderr], [0, ""]);
});
