/** Signals to the program itself, and readers that go away. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { finished, runWithDebrief, startDebrief, waitForText } from "./run_debrief.ts";
import { exists, until } from "../sandbox/observe.ts";

/** A number of seconds that no other process sleeps for. */
const LONG = `61.${Deno.pid}`;

/** True while a process of the test sleeps. */
function sleeps(): boolean {
  return [...Deno.readDirSync("/proc")].some(({ name }) => {
    try {
      return /^\d+$/.test(name) &&
        Deno.readTextFileSync(`/proc/${name}/cmdline`).startsWith(`sleep\0${LONG}`);
    } catch {
      // It ended between the two looks.
      return false;
    }
  });
}

/** The shell says that it is up before it has started what sleeps. Ends with the test's own time limit. */
async function untilItSleeps(): Promise<void> {
  await until(sleeps);
}

jailTest(
  "a signal ends debrief -c with its status, the command with its tree, and is recorded",
  async () => {
    const cases = [
      { signal: "SIGINT", want: 130 },
      { signal: "SIGTERM", want: 143 },
      { signal: "SIGHUP", want: 129 },
    ] as const;
    for (const { signal, want } of cases) {
      using place = new TestPlace();
      const script = `echo up; setsid sleep ${LONG} & sleep ${LONG}`;
      const child = startDebrief(["--pass-through", "-c", script], { place });
      await waitForText(child.stdout, "up\n");
      await untilItSleeps();
      child.kill(signal);
      const { code } = await child.status;
      const stderr = await new Response(child.stderr).text();
      await Promise.all([child.stdin.close(), child.stdout.cancel()]);
      assertEquals(code, want, stderr);
      assertStringIncludes(stderr, "cancelled");
      assertEquals(sleeps(), false);
      const [record] = place.records();
      assertEquals([record?.exit_code, record?.error], [null, "cancelled"]);
      assertEquals(place.leftovers(), []);
    }
  },
);

jailTest("a signal before the command has begun ends it all the same", async () => {
  using place = new TestPlace();
  // The journal's directory is made just before the session is there and signals are heard.
  const child = startDebrief(["-c", `sleep ${LONG}`], { place });
  const journal = place.at("state/debrief/journal.jsonl");
  await until(() => exists(journal));
  child.kill("SIGTERM");
  const { code } = await child.status;
  await Promise.all([child.stdin.close(), child.stdout.cancel(), child.stderr.cancel()]);
  assertEquals(code, 143);
  assertEquals(sleeps(), false);
});

jailTest("a session that waits for input ends on a signal", async () => {
  for (const [signal, want] of [["SIGTERM", 143], ["SIGHUP", 129], ["SIGINT", 130]] as const) {
    using place = new TestPlace();
    const child = startDebrief([], { place });
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("echo up\n"));
    await waitForText(child.stdout, "---\n");
    child.kill(signal);
    const { code } = await child.status;
    await Promise.all([
      writer.close().catch(() => {}),
      child.stdout.cancel(),
      child.stderr.cancel(),
    ]);
    assertEquals(code, want);
    assertEquals(place.leftovers(), []);
  }
});

jailTest(
  "a signal during a session's command ends the session with its jobs, and what follows is not run",
  async () => {
    using place = new TestPlace();
    const child = startDebrief(["--pass-through"], { place });
    const writer = child.stdin.getWriter();
    await writer.write(
      new TextEncoder().encode(`setsid sleep ${LONG} &\necho up; sleep 62\ntouch after\n`),
    );
    await waitForText(child.stdout, "up\n");
    await untilItSleeps();
    child.kill("SIGTERM");
    const { code } = await child.status;
    await Promise.all([
      writer.close().catch(() => {}),
      child.stdout.cancel(),
      child.stderr.cancel(),
    ]);
    assertEquals([code, exists(place.at("work/after")), sleeps()], [143, false, false]);
    assertEquals(place.records().map(({ error }) => error), [null, "cancelled"]);
    assertEquals(place.leftovers(), []);
  },
);

jailTest(
  "a reader that goes away ends the command as SIGPIPE would, and the record is written",
  async () => {
    for (const flags of ["", "--pass-through"]) {
      using place = new TestPlace();
      const script = `debrief ${flags} -c 'yes' | head -1; echo "\${PIPESTATUS[*]}"`;
      const { stdout, stderr } = await runWithDebrief(script, { place });
      assertEquals([stdout, stderr], ["y\n141 0\n", ""]);
      assertEquals(place.records().map(({ command, error }) => [command, error]), [[
        ["yes"],
        "cancelled",
      ]]);
      assertEquals(place.leftovers(), []);
    }
  },
);

jailTest("a reader that goes away ends a session, and what follows is not run", async () => {
  using place = new TestPlace();
  const script = `printf 'yes\\ntouch after\\n' | debrief | head -1; echo "\${PIPESTATUS[*]}"`;
  const { stdout } = await runWithDebrief(script, { place });
  assertEquals(stdout, "y\n0 141 0\n");
  assertEquals(exists(place.at("work/after")), false);
  assertEquals(place.records().length, 1);
});

jailTest(
  "a command that writes nothing goes on without a reader, with its own status",
  async () => {
    using place = new TestPlace();
    const script =
      `debrief -c 'sleep 0.3; touch done; exit 7' 2>&1 | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout } = await runWithDebrief(script, { place });
    assertEquals([stdout, exists(place.at("work/done"))], ["7\n", true]);
  },
);

jailTest("closed standard streams are no obstacle", async () => {
  using place = new TestPlace();
  const script = `debrief -c 'cat; echo x; exit 5' <&- >&- 2>&-; echo $?`;
  assertEquals((await runWithDebrief(script, { place })).stdout, "5\n");
});

jailTest(
  "a full disk behind standard output ends the command with a message and a record",
  async () => {
    using place = new TestPlace();
    const { stdout, stderr } = await runWithDebrief(
      `debrief -c 'seq 9; sleep ${LONG}' >/dev/full; echo $?`,
      { place },
    );
    assertEquals(stdout, "125\n");
    assertStringIncludes(stderr, "debrief: Cannot write to descriptor 1: ");
    assertEquals([place.records().length, sleeps()], [1, false]);
  },
);

jailTest("the block goes to a descriptor that the caller opened", async () => {
  using place = new TestPlace();
  const script = `debrief --block fd:7 -c 'echo x' 7>../block; cat ../block`;
  const { stdout, stderr } = await runWithDebrief(script, { place });
  assertEquals(stderr, "");
  assert(/^x\n--- debrief \d{9} \u2713 exit 0, .* ---\n$/.test(stdout), stdout);
});

jailTest(
  "the command gets the program's standard input, and nothing of a session's commands",
  async () => {
    using place = new TestPlace();
    const one = startDebrief(["--block", "off", "-c", "read x; echo [$x]; cat"], { place });
    const output = finished(one);
    await new Blob(["a\nb\n"]).stream().pipeTo(one.stdin);
    assertEquals((await output).stdout, "[a]\nb\n");
    const script = `printf 'read x; echo "[$x]"\\ncat\\necho end\\n' | debrief --block off`;
    assertEquals((await runWithDebrief(script, { place })).stdout, "[]\nend\n");
  },
);

jailTest("a Debrief inside a Debrief prints no block", async () => {
  using place = new TestPlace();
  const { stdout, stderr } = await runWithDebrief(
    "DEBRIEF_DEPTH=1 debrief -c 'echo $DEBRIEF_DEPTH'; DEBRIEF_DEPTH=x debrief --block stdout -c 'echo $DEBRIEF_DEPTH'",
    { place },
  );
  const [inner, outer, block] = stdout.split("\n");
  assertEquals([inner, outer, stderr], ["2", "1", ""]);
  assert(block?.startsWith("--- debrief "));
});
