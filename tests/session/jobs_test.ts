/** Processes that a command leaves running. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "./test_session.ts";
import { lives, until } from "../sandbox/observe.ts";

jailTest(
  "a session lists what a command left running, keeps it for the next one and ends it when it is closed",
  async () => {
    using place = new TestPlace();
    const session = new TestSession({ place });
    const first = await session.run(
      // Listed under their own names only once they have executed their programs.
      "setsid sleep 70 >/dev/null 2>&1 & a=$!; sleep 71 >/dev/null 2>&1 & b=$!; " +
        'for p in $a $b; do until grep -q "^sleep" /proc/$p/cmdline; do :; done; done',
    );
    const pids = first.record.jobs.map(({ pid }) => pid);
    assertEquals(first.record.jobs.map(({ command, state }) => `${command} ${state}`).sort(), [
      "sleep 70 running",
      "sleep 71 running",
    ]);
    assertEquals(first.block.notices, []);
    const second = await session.run("true; :");
    assertEquals(second.record.jobs, []);
    assertEquals(pids.filter(lives).length, 2);
    await session[Symbol.asyncDispose]();
    assertEquals(pids.filter(lives), []);
  },
);

jailTest("a command of its own leaves nothing running", async () => {
  await using session = new TestSession({ keepsState: false });
  const { record } = await session.run("setsid sleep 72 & (sleep 73; echo never) & true");
  assertEquals(record.jobs.every(({ state }) => state === "ended"), true);
  assertEquals(record.jobs.filter(({ pid }) => lives(pid)), []);
});

jailTest("the end of one command spares the jobs of earlier ones", async () => {
  await using session = new TestSession({
    policyText: '{"extends":"default","limits":{"grace":"100ms"}}',
  });
  const { record } = await session.run("sleep 74 >/dev/null 2>&1 & true");
  const timedOut = await session.run("(trap '' TERM; sleep 75; sleep 75) & sleep 75", {
    timeoutMs: 150,
  });
  assertEquals(timedOut.record.outcome.kind, "timeout");
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), 100);
  await session.run("sleep 75", { signal: cancel.signal });
  assertEquals(record.jobs.map(({ pid }) => lives(pid)), [true]);
  assertEquals((await session.run("pgrep -fx 'sleep 7[5]'; true")).stdout, "");
});

jailTest(
  "a job may print after its command has ended, and the block says what becomes of it",
  async () => {
    await using session = new TestSession();
    const { block, record } = await session.run(
      "(sleep 0.2; seq 100000; echo x >after; sleep 76) & true",
    );
    assertStringIncludes(
      block.notices.join(),
      "what a background process prints from now on is lost",
    );
    // The subshell shows its shell's whole command line; the script is what says something.
    assertEquals(
      record.jobs.map(({ command }) => command).some((text) => text.includes("builtin")),
      false,
    );
    await until(() => {
      try {
        return Deno.readTextFileSync(session.place.at("work/after")) === "x\n";
      } catch {
        return false;
      }
    });
    const next = await session.run("echo next; true");
    assertEquals([next.stdout, next.block.notices], ["next\n", []]);
  },
);

jailTest("a job that ended is forgotten, so that its process id may come again", async () => {
  await using session = new TestSession();
  const { record } = await session.run("sleep 0.7 >/dev/null 2>&1 & true");
  const [job] = record.jobs;
  assert(job !== undefined);
  assertEquals([...session.context.running], [job.pid]);
  await until(() => !lives(job.pid));
  await session.run("true; :");
  assertEquals([...session.context.running], []);
});
