import { assertEquals, assertMatch } from "@std/assert";
import { callerSessionId } from "../../src/session/session_id.ts";

/** The ids that processes print which one shell starts. */
async function idsFrom(shell: string): Promise<readonly string[]> {
  const module = new URL("../../src/session/session_id.ts", import.meta.url).href;
  const code = `import { callerSessionId } from ${
    JSON.stringify(module)
  }; console.log(callerSessionId());`;
  const { stdout } = await new Deno.Command("bash", {
    args: ["-c", shell, Deno.execPath(), "eval", "--quiet", "--no-lock", code],
    cwd: new URL("../..", import.meta.url),
    stdin: "null",
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout).trim().split("\n");
}

Deno.test("callerSessionId() is an id, and the same each time", () => {
  assertMatch(callerSessionId(), /^s[0-9a-hjkmnp-tv-z]{7}$/);
  assertEquals(callerSessionId(), callerSessionId());
});

Deno.test("callerSessionId() is the same for the commands of one caller, and another for another's", async () => {
  const [ids, others] = await Promise.all([
    idsFrom('"$0" "$@"; "$0" "$@"; true'),
    idsFrom('"$0" "$@"; true'),
  ]);
  assertEquals(ids.length, 2);
  assertEquals(ids[0], ids[1]);
  assertEquals(others[0] === ids[0], false);
});
