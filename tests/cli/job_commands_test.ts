/** Background commands as they are typed into a session. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief, startDebrief, waitForText } from "./run_debrief.ts";

jailTest("a session starts, feeds, reads and ends a job by commands that are typed", async () => {
  using place = new TestPlace();
  const child = startDebrief([], { place });
  const input = child.stdin.getWriter();
  const type = (line: string) => input.write(new TextEncoder().encode(`${line}\n`));
  const rest: ReadableStream<Uint8Array> = child.stdout;
  await type(
    "debrief run --background --note 'greets' -c 'printf name?; read x; echo hello $x; sleep 300'",
  );
  const started = await waitForText(rest, "end ---");
  const id = /started in the background, (c\w{7})/.exec(started)?.[1] ?? "none";
  assertMatch(started, /running, \d+ms, 0 B, pid \d+: printf name/);
  const asking = await waitForText(rest, "end ---");
  assertMatch(asking, /waits for input\n.*waits for input: name\?: printf/);
  await type(`debrief send ${id} you`);
  assertStringIncludes(await waitForText(rest, "end ---"), `sent to ${id}`);
  let output = "";
  while (!output.includes("hello you")) {
    await type(`debrief output ${id}`);
    output = await waitForText(rest, "end ---");
  }
  assertStringIncludes(output, "name?hello you\n");
  await type("debrief jobs --json");
  const [line = ""] = (await waitForText(rest, "end ---")).split("\n");
  assertEquals([JSON.parse(line).id, JSON.parse(line).state], [id, "running"]);
  await type(`debrief kill ${id.slice(0, 4)}`);
  assertMatch(
    await waitForText(rest, "end ---"),
    /killed \(killed on request\).*\n(.*\n)*expected: greets/,
  );
  await input.close();
  await Promise.all([rest.cancel(), child.stderr.cancel()]);
  await child.status;
  const record = place.records().find(({ command_id }) => command_id === id);
  assertEquals([record?.outcome.kind, record?.agent_note], ["killed", "greets"]);
});

jailTest("commands of a session say what is wrong with their words", async () => {
  using place = new TestPlace();
  const rows = [
    { in: "debrief kill c0000000", want: 'Cannot find the job "c0000000": none runs' },
    { in: "debrief send", want: "Cannot choose a job: its id is needed" },
    { in: "debrief jobs now", want: 'Cannot use "now": debrief jobs takes no words' },
    { in: "debrief run --background", want: "Cannot run nothing in the background" },
  ];
  const { stdout, code } = await runDebrief([], {
    place,
    stdin: rows.map((row) => `${row.in}\n`).join(""),
  });
  for (const { want } of rows) assertStringIncludes(stdout, want);
  assertEquals(code, 2);
});

jailTest(
  "a job's commands are refused outside of a session, and by a script within one",
  async () => {
    using place = new TestPlace();
    for (
      const args of [["jobs"], ["send", "c1", "x"], ["kill", "c1"], ["--background", "-c", "ls"]]
    ) {
      const { code, stderr } = await runDebrief(args, { place });
      assertEquals(code, 2);
      assertStringIncludes(stderr, "here: a session carries it out");
    }
    const { stdout } = await runDebrief([], {
      place,
      stdin: "debrief run --background -- sleep 300\n" +
        "debrief() { echo imitated; }\ndebrief jobs\n(debrief jobs)\n",
    });
    assertStringIncludes(stdout, "1 job, 1 running");
    assertEquals(stdout.split("imitated").length, 2, "only the subshell's");
  },
);
