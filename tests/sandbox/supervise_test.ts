import process from "node:process";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { SystemCallError } from "../../src/errors.ts";
import { prctl, read, syscall } from "../../src/sandbox/linux/ffi.ts";
import { readKernelFile } from "../../src/sandbox/linux/files.ts";
import { PR } from "../../src/sandbox/linux/uapi.ts";
import { killTree } from "../../src/sandbox/process_tree.ts";
import { closePipes, openPipes, supervise } from "../../src/sandbox/supervise.ts";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

const [SIGTERM, SIGKILL] = [15, 9];

/** True when a process is gone, or ended and not yet reaped. */
function isEnded(pid: number): boolean {
  const stat = readKernelFile(`/proc/${pid}/stat`);
  return stat === null || /\) [ZX] /.test(stat);
}

jailTest(
  "supervise sends TERM first, and keeps the end that the command then chooses",
  async () => {
    await using jailed = await TestJail.start();
    const script = 'trap "echo cleaned; exit 5" TERM; echo up; while :; do sleep 0.01; done';
    const run = await jailed.sh(script, { timeoutMs: 150, graceMs: 10_000 });
    assertEquals(run.stdout, "up\ncleaned\n");
    assertEquals(run.status, { kind: "exited", code: 5, pid: run.pid });
    assertEquals([run.timedOut, run.cancelled], [true, false]);
  },
);

jailTest("supervise reports no timeout for a command that ends in time", async () => {
  await using jailed = await TestJail.start();
  const run = await jailed.sh("exit 3", { timeoutMs: 60_000 });
  assertEquals([run.timedOut, run.cancelled, run.status?.kind], [false, false, "exited"]);
});

jailTest("supervise kills a tree that ignores TERM", async () => {
  await using jailed = await TestJail.start();
  const ignore = "trap '' TERM; sleep 1000 & echo $!; sleep 1000 & echo $!; wait";
  const script = `trap '' TERM; sh -c "${ignore.replaceAll("$", "\\$")}" & echo $!; wait`;
  const run = await jailed.sh(script, { timeoutMs: 200, graceMs: 100 });
  assertEquals(run.status, { kind: "signaled", signal: SIGKILL, pid: run.pid });
  const pids = run.stdout.trim().split("\n").map(Number);
  assertEquals([pids.length, pids.map(isEnded)], [3, [true, true, true]]);
});

jailTest("supervise ends a command whose signal is aborted", async () => {
  await using jailed = await TestJail.start();
  const controller = new AbortController();
  const run = await jailed.sh("echo up; exec sleep 1000", {
    signal: controller.signal,
    timeoutMs: 0,
    onOutput: () => controller.abort(),
  });
  assertEquals(run.status, { kind: "signaled", signal: SIGTERM, pid: run.pid });
  assertEquals([run.timedOut, run.cancelled], [false, true]);
});

jailTest("supervise ends a command whose signal was aborted before it began", async () => {
  await using jailed = await TestJail.start();
  const run = await jailed.sh("exec sleep 1000", { signal: AbortSignal.abort(), timeoutMs: 0 });
  assertEquals(run.status, { kind: "signaled", signal: SIGTERM, pid: run.pid });
  assertEquals(run.cancelled, true);
});

jailTest("supervise does not spin while a cancelled command takes its time", async () => {
  await using jailed = await TestJail.start();
  const controller = new AbortController();
  const script = "trap '' TERM; echo up; exec sleep 1000";
  let before = process.cpuUsage();
  const run = await jailed.sh(script, {
    signal: controller.signal,
    graceMs: 1000,
    onOutput: () => {
      before = process.cpuUsage();
      controller.abort();
    },
  });
  assertEquals(run.cancelled, true);
  // Not how long it took but how much it worked, in microseconds: a second of nothing but waiting.
  const { user, system } = process.cpuUsage(before);
  assert(user + system < 500_000, `${user + system}`);
});

jailTest("supervise does not wait for a grandchild that holds the pipes", async () => {
  await using jailed = await TestJail.start();
  prctl(PR.SET_CHILD_SUBREAPER, 1);
  const run = await jailed.sh("sleep 1000 & echo $!; exit 4", { timeoutMs: 0 });
  assertEquals(run.status, { kind: "exited", code: 4, pid: run.pid });
  assertEquals([run.timedOut, isEnded(Number(run.stdout))], [false, false]);
  killTree();
  assert(isEnded(Number(run.stdout)));
});

jailTest("supervise does not wait for a grandchild that writes without end", async () => {
  await using jailed = await TestJail.start();
  const run = await jailed.sh("while :; do echo x; sleep 0.02; done & exit 0", { timeoutMs: 1000 });
  assertEquals(run.status, { kind: "exited", code: 0, pid: run.pid });
  // The command itself was in time: only its output was still being read.
  assertEquals(run.timedOut, false);
  assert(run.stdout.startsWith("x\n"));
  killTree();
});

jailTest("supervise reads everything that was written before the end", async () => {
  await using jailed = await TestJail.start();
  const size = 5_000_000;
  const script =
    `head -c ${size} /dev/zero | tr "\\0" a; head -c ${size} /dev/zero | tr "\\0" b >&2`;
  const run = await jailed.sh(script);
  assertEquals([run.stdout.length, run.stderr.length], [size, size]);
  assert(/^a+$/.test(run.stdout) && /^b+$/.test(run.stderr));
});

Deno.test("supervise refuses a process that it cannot follow, instead of waiting for ever", async () => {
  const pipes = openPipes(false);
  closePipes(pipes, "write");
  const options = { timeoutMs: 0, graceMs: 0, signal: null, keep: new Set<number>() };
  // Above the highest process id that Linux gives (PID_MAX_LIMIT, 2^22).
  const error = await assertRejects(
    () => supervise(2 ** 22 + 1, pipes, { ...options, onOutput: () => {} }),
    SystemCallError,
    "Cannot follow the process",
  );
  assertEquals([error.call, error.errno], ["pidfd_open", 3]);
  closePipes(pipes, "read");
});

Deno.test("openPipes never lets the reading side wait, and the command's side always", () => {
  const pipes = openPipes(true);
  const [F_GETFL, O_NONBLOCK] = [3, 0o4000];
  for (const ends of [pipes.stdout, pipes.stderr, pipes.state!]) {
    const waits = [ends.read, ends.write].map((fd) =>
      (syscall("fcntl", fd, F_GETFL) & O_NONBLOCK) === 0
    );
    assertEquals(waits, [false, true]);
    // -EAGAIN: what is announced may be gone, because a command can open its own output for reading.
    assertEquals(read(ends.read, new Uint8Array(1)), -11);
  }
  closePipes(pipes, "read");
  closePipes(pipes, "write");
});

jailTest("supervise leaves processes of earlier commands alone", async () => {
  await using jailed = await TestJail.start();
  prctl(PR.SET_CHILD_SUBREAPER, 1);
  const job = Number((await jailed.sh("sleep 1000 >/dev/null 2>&1 & echo $!")).stdout);
  const keep = new Set([job]);
  const script = "trap '' TERM; sleep 1000 & echo $!; wait";
  const run = await jailed.sh(script, { timeoutMs: 100, graceMs: 100, keep });
  assertEquals([isEnded(Number(run.stdout)), isEnded(job)], [true, false]);
  assertEquals(run.timedOut, true);
  assertEquals(killTree(), true);
  assert(isEnded(job));
});
