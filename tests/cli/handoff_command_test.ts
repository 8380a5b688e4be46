/** `debrief handoff`, end to end. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief } from "./run_debrief.ts";

jailTest(
  "debrief handoff sums up a task: goal, open ends, changed files, what is left",
  async () => {
    using place = new TestPlace();
    Deno.removeSync(place.at("work/.git"), { recursive: true });
    new Deno.Command("git", { args: ["init", "--quiet"], cwd: place.at("work") }).outputSync();
    const run = (...words: readonly string[]) =>
      runDebrief(["--task", "t-1", "--quiet", ...words], { place });
    await run("--goal", "a release", "--note", "it works", "-c", "touch made; exit 3");
    await run("--timeout", "200ms", "-c", "sleep 60");
    await runDebrief(["--task", "t-2", "--quiet", "-c", "echo other"], { place });
    const text = await runDebrief(["handoff", "--task", "t-1", "--require", "npm test"], { place });
    assertEquals([text.code, text.stderr], [0, ""]);
    for (
      const part of [
        "- Goal: a release\n",
        "- 2 commands: 1 failed, 1 timeout\n",
        "- no exit status: `sleep 60` (c",
        "exit status 3; expected: it works\n",
        "- required and did not run: `npm test`\n",
        "- ?? `made`\n",
        "1 changed file is not committed.",
      ]
    ) assertStringIncludes(text.stdout, part);
    assertEquals(text.stdout.includes("echo other"), false);
    const json = await runDebrief(["handoff", "--json"], { place });
    const report = JSON.parse(json.stdout);
    // Without a filter: what the newest command belongs to.
    assertEquals([report.version, report.task, report.commands], [1, "t-2", 1]);
  },
  { programs: ["git"] },
);

Deno.test("debrief handoff sums up an empty journal, and takes no words", async () => {
  using place = new TestPlace();
  const { code, stdout } = await runDebrief(["handoff"], { place });
  assertEquals(code, 0);
  assertMatch(stdout, /^# Handoff\n[^]*- 0 commands\n[^]*Nothing is open\.\n$/);
  const wrong = await runDebrief(["handoff", "word"], { place });
  assertEquals(wrong.code, 2);
});
