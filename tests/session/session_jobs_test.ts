/** Commands in the background of a session, beside those in the foreground. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { UsageError } from "../../src/errors.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import type { Job, JobRequest } from "../../src/session/job.ts";
import { MAX_JOBS } from "../../src/session/session_jobs.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestSession } from "./test_session.ts";
import { lives, until } from "../sandbox/observe.ts";

const encoder = new TextEncoder();

function start(
  { session }: TestSession,
  source: string,
  request: Partial<JobRequest> = {},
): Promise<Job> {
  return session.start({ text: { kind: "script", source }, ...request });
}

function text(job: Job, stream: "stdout" | "stderr" = "stdout"): string {
  return [...job.output({ stream })].map((line) => `${line.text}\n`).join("");
}

jailTest(
  "Session.start runs a command beside others, from a copy of the session's state",
  async () => {
    await using session = new TestSession();
    await session.run("mkdir sub; cd sub; export A=1; f() { echo from f; }");
    const job = await start(
      session,
      "cd /; export A=2; pwd; echo $A; f; read line; echo got $line",
    );
    await until(() => text(job).includes("from f"));
    const beside = await session.run("pwd; echo $A");
    assertEquals(beside.stdout, `${session.place.at("work/sub")}\n1\n`);
    assertEquals(beside.record.jobs, [], "a job is not what a command left running");
    assertEquals([job.view.state, job.view.command.startsWith("cd /; export")], ["running", true]);
    assertEquals(await job.send(encoder.encode("hello\n")), true);
    const { record, block, exitStatus } = await job.ended;
    assertEquals([record.command_id, block.command_id, exitStatus], [job.id, job.id, 0]);
    assertEquals(record.stdout_tail, "/\n2\nfrom f\ngot hello\n");
    assertEquals(text(job), "/\n2\nfrom f\ngot hello\n");
    assertEquals(
      (await session.run("pwd; echo $A")).stdout,
      `${session.place.at("work/sub")}\n1\n`,
    );
    assertEquals(
      session.place.records().map(({ command_id }) => command_id).includes(job.id),
      true,
    );
  },
);

jailTest("Job.endInput is the end of its input; a job without input reads nothing", async () => {
  await using session = new TestSession();
  const job = await start(session, "cat; echo end");
  await job.send(encoder.encode("a\n"));
  job.endInput();
  assertEquals((await job.ended).record.stdout_tail, "a\nend\n");
  assertThrows(() => job.send(encoder.encode("b")), UsageError, "it has ended");
  const none = await start(session, "cat; echo end", { input: "none" });
  assertEquals((await none.ended).record.stdout_tail, "end\n");
  const wide = await start(session, "sleep 0.2; cat | wc -c");
  const sent = wide.send(new Uint8Array(900_000));
  assertThrows(() => wide.send(new Uint8Array(900_000)), UsageError, "wait");
  assertEquals(await sent, true);
  wide.endInput();
  assertEquals((await wide.ended).record.stdout_tail.trim(), "900000");
});

jailTest(
  "Job.kill ends all of a job, also what made a session of its own, and nothing else",
  async () => {
    await using session = new TestSession({
      policyText: '{"extends":"default","limits":{"grace":"100ms"}}',
    });
    const left = await session.run("sleep 171 >/dev/null 2>&1 & true");
    const script = "(setsid sh -c 'setsid sleep 172 & sleep 173 & wait' &) ; " +
      "until [ $(pgrep -cfx 'sleep 17[23]') = 2 ]; do :; done; echo up; sleep 174";
    const job = await start(session, script);
    const other = await start(session, "sleep 175");
    await until(() => text(job) === "up\n");
    const beside = session.run("sleep 0.5; echo fine");
    job.kill();
    const { record, exitStatus } = await job.ended;
    assertEquals([record.outcome.kind, record.error, exitStatus], [
      "killed",
      "ended: killed on request",
      137,
    ]);
    assertEquals((await beside).stdout, "fine\n");
    assertEquals((await session.run("pgrep -fx 'sleep 17[2-4]'; true")).stdout, "");
    assertEquals([lives(left.record.jobs[0]!.pid), lives(other.view.pid)], [true, true]);
  },
);

jailTest("the end of a command in the foreground spares jobs and what they started", async () => {
  await using session = new TestSession({
    policyText: '{"extends":"default","limits":{"grace":"100ms"}}',
  });
  const job = await start(
    session,
    "(setsid sleep 181 &); (trap '' TERM; sleep 182) & echo up; wait; echo end",
  );
  await until(() => text(job) === "up\n");
  const timedOut = await session.run("(setsid sleep 183 &); sleep 184", { timeoutMs: 150 });
  assertEquals(timedOut.record.outcome.kind, "timeout");
  const next = await session.run("pgrep -fx 'sleep 18[1-4]' | wc -l; true");
  assertEquals(next.stdout, "2\n");
  assertEquals([job.isRunning, next.record.jobs], [true, []]);
});

jailTest("a job's signals reach it, and its leftovers end with it", async () => {
  await using session = new TestSession();
  const job = await start(
    session,
    "trap 'echo usr1' USR1; echo up; sleep 191 & while :; do wait; done",
  );
  await until(() => text(job) === "up\n");
  job.kill(10);
  await until(() => text(job).includes("usr1"));
  job.kill(9);
  assertEquals((await job.ended).record.outcome.kind, "killed");
  const over = await start(session, "(setsid sleep 192 &); sleep 193 & echo started");
  const { record } = await over.ended;
  assertEquals(record.outcome.kind, "success");
  assertEquals(record.jobs.map(({ state }) => state), ["ended", "ended"]);
  assertEquals((await session.run("pgrep -fx 'sleep 19[1-3]'; true")).stdout, "");
});

jailTest("Session.close ends jobs and records why", async () => {
  const session = new TestSession();
  const job = await start(session, "trap '' TERM; (setsid sleep 201 &); sleep 202; sleep 202");
  const { pid } = job.view;
  await session[Symbol.asyncDispose]();
  const { record } = await job.ended;
  assertEquals([record.outcome, record.error], [
    { kind: "killed", reason: "the session ended" },
    "ended: the session ended",
  ]);
  assertEquals(lives(pid), false);
  await assertRejects(() => start(session, "true"), TypeError, "session closed");
});

jailTest("a job that cannot start is recorded at once", async () => {
  await using session = new TestSession({
    policyText: '{"extends":"default","run":{"deny":["sleep"]}}',
  });
  const rows = [
    { in: "sleep 1", want: "denied-policy" },
    { in: "echo 'open", want: "syntax-error" },
    { in: "nosuch-program", want: "not-found" },
    { in: "exit 3", want: "failed" },
  ];
  for (const { in: source, want } of rows) {
    const job = await start(session, source);
    assertEquals((await job.ended).record.outcome.kind, want, source);
  }
  assertEquals((await session.run("echo on")).stdout, "on\n");
});

jailTest("a job hears of what it was refused, and nobody else does", async () => {
  await using session = new TestSession();
  const outside = session.place.at("outside");
  const job = await start(session, `read x; chmod 777 ${outside}; echo tried`);
  const beside = session.run("sleep 0.4; echo fine; false");
  await job.send(encoder.encode("\n"));
  const denied = (await job.ended).record.denials.map(({ resource }) => resource);
  assertEquals(denied.includes(outside), true);
  assertEquals((await beside).record.denials, []);
});

jailTest(
  "a session bounds its jobs, and a job's redacted output and block are those of any command",
  async () => {
    await using session = new TestSession();
    const secret = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
    const events: SessionEvent["kind"][] = [];
    const shown: string[] = [];
    const job = await session.session.start(
      { text: { kind: "script", source: `echo token ${secret}; read x` } },
      (event) => {
        events.push(event.kind);
        if (event.kind === "output") shown.push(event.text);
      },
    );
    await until(() => text(job).includes("token"));
    assertEquals([text(job), job.view.command].some((it) => it.includes(secret)), false);
    const jobs = [job];
    while (jobs.length < MAX_JOBS) jobs.push(await start(session, "read x"));
    await assertRejects(() => start(session, "true"), UsageError, `${MAX_JOBS} jobs run already`);
    for (const one of jobs) one.endInput();
    await Promise.all(jobs.map(({ ended }) => ended));
    assertStringIncludes(shown.join(""), "token");
    assert(!shown.join("").includes(secret));
    assertEquals([events[0], events.at(-1)], ["started", "finished"]);
    assertEquals((await start(session, "true")).id.length, 8);
    assertEquals(session.session.jobs.find(job.id), job);
  },
);

jailTest("a job is not ended by the time limit of commands, unless it is waited for", async () => {
  await using session = new TestSession({ timeoutMs: 150 });
  const job = await start(session, "sleep 0.5; echo whole");
  const waited = await start(session, "sleep 10", { background: false });
  assertEquals((await waited.ended).record.outcome.kind, "timeout");
  assertEquals((await job.ended).record.stdout_tail, "whole\n");
});
