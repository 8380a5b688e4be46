/** Commands that ask, and nobody answers. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { InputPipe } from "../../src/sandbox/input_pipe.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestSession } from "./test_session.ts";
import { until } from "../sandbox/observe.ts";

const POLICY = '{"extends":"default","limits":{"input":"300ms","grace":"100ms"}}';

async function withPipe(work: (pipe: InputPipe) => Promise<void>): Promise<void> {
  const pipe = new InputPipe();
  try {
    await work(pipe);
  } finally {
    await pipe.close();
  }
}

jailTest(
  "a command that waits at a question is ended by limits.input, and the block says what it asks",
  async () => {
    await using session = new TestSession({ policyText: POLICY });
    await withPipe(async (pipe) => {
      const run = await session.run("echo begun; printf 'Overwrite? [y/N] '; read x; echo never", {
        stdin: pipe.fd,
      });
      const { record, block } = run;
      assertEquals([record.outcome, record.exit_code], [
        { kind: "needs-input", reason: 'asks "Overwrite? [y/N]"' },
        null,
      ]);
      assertEquals(record.error, "ended by the limit of 0.3 s at a question");
      assertEquals([block.level, block.outcome], ["error", "needs-input"]);
      assertEquals(run.exitStatus, 124);
      assertStringIncludes(JSON.stringify(block.next), "ANSWER | COMMAND");
      assertEquals(run.kinds.filter((kind) => kind === "waiting").length, 1);
    });
  },
);

jailTest("a question is redacted, and a program that is known gets its own facts", async () => {
  await using session = new TestSession({ policyText: POLICY });
  const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
  session.place.write(
    "work/npm",
    `#!/bin/bash\nprintf 'use ${secret} for name? '\nread x\n`,
    0o755,
  );
  await withPipe(async (pipe) => {
    const { record } = await session.run("PATH=$PWD:$PATH; npm init", { stdin: pipe.fd });
    assertEquals(record.outcome.kind, "needs-input");
    assertEquals(JSON.stringify(record).includes(secret.slice(4)), false);
    assertStringIncludes(record.outcome.reason, "for name?");
    assertStringIncludes(JSON.stringify(record.suggestions), "`npm init -y` takes the defaults");
  });
});

jailTest(
  "a command that reads without asking has the time limit, and its end says that it waited",
  async () => {
    await using session = new TestSession({ policyText: POLICY });
    await withPipe(async (pipe) => {
      const { record } = await session.run("cat", { stdin: pipe.fd, timeoutMs: 1500 });
      assertEquals(record.outcome, {
        kind: "needs-input",
        reason: "it read input that nobody sent",
      });
      assertEquals(record.error, "timed out after 1.5 s");
      const other = await session.run("sleep 30", { stdin: pipe.fd, timeoutMs: 1500 });
      assertEquals(other.record.outcome.kind, "timeout");
    });
  },
);

jailTest("an answer that comes in time goes on, and nothing is said of it", async () => {
  await using session = new TestSession({
    policyText: '{"extends":"default","limits":{"input":"20s"}}',
  });
  await withPipe(async (pipe) => {
    const asked = Promise.withResolvers<void>();
    const text = { kind: "script", source: "printf 'name? '; read x; echo hello $x" } as const;
    let outcome = "";
    const run = session.session.run({ text, stdin: pipe.fd }, (event) => {
      if (event.kind === "waiting" && event.waits !== null) asked.resolve();
      if (event.kind === "finished") {
        outcome = `${event.record.outcome.kind} ${event.record.stdout_tail}`;
      }
    });
    await asked.promise;
    await pipe.send(new TextEncoder().encode("you\n"));
    await run;
    assertEquals(outcome, "success name? hello you\n");
  });
});

jailTest("a job may ask for as long as it runs", async () => {
  await using session = new TestSession({ policyText: POLICY });
  const text = { kind: "script", source: "printf 'name? '; read x; echo hello $x" } as const;
  const job = await session.session.start({ text });
  await until(() => job.view.waits !== null);
  assertEquals(job.view.waits, { asks: "name?" });
  assertEquals((await session.run("sleep 1; echo later")).stdout, "later\n");
  assertEquals(job.isRunning, true);
  await job.send(new TextEncoder().encode("you\n"));
  assertEquals((await job.ended).record.stdout_tail, "name? hello you\n");
});
