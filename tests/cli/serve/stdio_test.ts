import { assert, assertEquals, assertMatch } from "@std/assert";
import { jailTest } from "../../sandbox/require_sandbox.ts";
import { TestPlace } from "../../session/test_session.ts";
import { StdioConnection } from "./stdio_client.ts";
import { until } from "../../sandbox/observe.ts";

const names = (path: string) => [...Deno.readDirSync(path)].map(({ name }) => name);

jailTest("debrief stdio says hello, runs what it is told, and ends with its input", async () => {
  await using stdio = new StdioConnection();
  await stdio.send(
    { type: "run", id: "a", command: "echo out; echo err >&2; exit 3", note: "status 3" },
    { type: "run", id: "b", argv: ["sleep", "300"], background: true },
  );
  assertEquals(await stdio.end(), 0);
  const [hello] = stdio.events;
  assertEquals([hello.type, hello.protocol, hello.policy], ["hello", 1, "default"]);
  const of = (id: string) => stdio.events.filter((event) => event.id === id);
  assertEquals(of("a").map(({ type, text }) => [type, text]), [
    ["started", undefined],
    ["stdout", "out\n"],
    ["stderr", "err\n"],
    ["ended", undefined],
  ]);
  const ended = of("a").at(-1);
  assertEquals([ended.exit_status, ended.record.exit_code, ended.block.expected], [
    3,
    3,
    "status 3",
  ]);
  assertEquals(ended.record.command_id, of("a")[0].command_id);
  // What is not waited for ends with the session, and its end is told.
  assertEquals(of("b").at(-1).record.error, "ended: the session ended");
  assertEquals(stdio.place.records().map(({ exit_code }) => exit_code), [3, null]);
});

jailTest("debrief stdio carries out requests at the same time, from the same state", async () => {
  await using stdio = new StdioConnection();
  const work = stdio.place.at("work");
  const meet = (mine: string, other: string) =>
    `cd /usr; touch ${work}/${mine}; until [ -e ${work}/${other} ]; do sleep 0.05; done; pwd`;
  await stdio.send(
    { type: "run", id: "a", command: meet("a", "b") },
    { type: "run", id: "b", command: meet("b", "a") },
  );
  for (const id of ["a", "b"]) {
    assertEquals((await stdio.event({ type: "ended", id })).record.stdout_tail, "/usr\n");
  }
  // An id is free again after its last answer.
  await stdio.send({ type: "run", id: "a", command: "pwd", cwd: "/usr/bin" });
  assertEquals(await stdio.end(), 0);
  const pages = stdio.events.filter(({ type, id }) => type === "stdout" && id === "a");
  assertEquals(pages.map(({ text }) => text), ["/usr\n", "/usr/bin\n"]);
});

jailTest(
  "debrief stdio answers every line, and nothing that is wrong with one loses another",
  async () => {
    await using stdio = new StdioConnection();
    const before = {
      type: "run",
      id: "before",
      command: "read line; echo got $line",
      openStdin: true,
    };
    await stdio.send(before);
    await stdio.send(
      "garbage",
      new Uint8Array([0x22, 0xff, 0x22, 0x0a]),
      "x".repeat(9 << 20),
      "[]",
      { type: "dance", id: "1" },
      { type: "run", id: "2", comand: "ls" },
      { type: "run", id: "" },
      { type: "run", id: 7, command: "ls" },
      { type: "run", id: "3", command: "ls", argv: ["ls"] },
      { type: "run", id: "4", command: "ls", env: { LD_PRELOAD: "x" } },
      { type: "run", id: "5", command: "ls", cwd: "/root/.ssh" },
      { type: "cancel", id: "6", target: "nosuch" },
      { type: "output", id: "7", target: "c0000000" },
      { type: "aims", id: "8", budget: "much" },
      { type: "write_stdin", id: "9", target: "before", text: "a", base64: "YQ==" },
      { type: "write_stdin", id: "10", target: "before", base64: "%" },
      { ...before, command: "echo never" },
      { type: "write_stdin", id: "11", target: "before", base64: btoa("through\n") },
    );
    assertEquals(await stdio.end(), 0);
    const errors = stdio.events.filter(({ type }) => type === "error");
    const found = new Map(errors.map(({ id, code, message }) => [`${id} ${code}`, message]));
    assertEquals([...found.keys()].sort(), [
      "1 unknown-type",
      "10 bad-request",
      "2 bad-request",
      "3 refused",
      "4 refused",
      "5 refused",
      "6 unknown-target",
      "7 unknown-target",
      "8 refused",
      "9 refused",
      "null bad-json",
      "null bad-request",
      "null duplicate-id",
      "null line-too-long",
      "null not-utf-8",
      "null unknown-type",
    ]);
    assertMatch(found.get("2 bad-request"), /comand is no field of it/);
    assertMatch(found.get("4 refused"), /"LD_PRELOAD"/);
    const ended = await stdio.event({ type: "ended", id: "before" });
    assertEquals(ended.record.stdout_tail, "got through\n");
    assertEquals(stdio.place.records().length, 1);
  },
);

jailTest("debrief stdio cancels, kills, feeds, lists and shows what it runs", async () => {
  await using stdio = new StdioConnection();
  const work = stdio.place.at("work");
  await stdio.send(
    { type: "run", id: "a", command: "touch a; sleep 300; true" },
    { type: "run", id: "b", command: "echo ready; sleep 300; true", background: true },
  );
  const { command_id } = await stdio.event({ type: "started", id: "b" });
  await until(() => names(work).includes("a"));
  await stdio.event({ type: "stdout", id: "b" });
  const { result } = await stdio.ask({ type: "jobs", id: "j" });
  assertEquals(result.jobs.map(({ state }: { state: string }) => state), ["running", "running"]);
  const page = await stdio.ask({ type: "output", id: "o", ...{ target: "b" } });
  assertEquals(page.result.lines.map(({ text }: { text: string }) => text), ["ready"]);
  await stdio.send({ type: "cancel", id: "x", target: "a" });
  const cancelled = await stdio.event({ type: "ended", id: "a" });
  assertEquals([cancelled.record.error, cancelled.record.exit_code], ["cancelled", null]);
  assertEquals((await stdio.event({ type: "result", id: "x" })).of, "cancel");
  const killed = await stdio.ask({ type: "kill", id: "k", ...{ target: command_id } });
  assertEquals([killed.result.job.id, killed.result.block.outcome], [command_id, "killed"]);
  const late = await stdio.ask({ type: "write_stdin", id: "w", ...{ target: "b", text: "x" } });
  assertEquals([late.type, late.code], ["error", "refused"]);
  const aims = await stdio.ask({ type: "aims", id: "g", ...{ goal: "done", task: "t9" } });
  assertEquals([aims.result.goal, aims.result.task], ["done", "t9"]);
  const ran = await stdio.ask({ type: "run", id: "t", ...{ argv: ["true"] } });
  assertEquals(ran.record.task_id, "t9");
  assertEquals((await stdio.ask({ type: "status", id: "s" })).result.aims.goal, "done");
});

jailTest(
  "debrief stdio holds commands up while its reader does not read, and loses nothing",
  async () => {
    await using stdio = new StdioConnection({ args: ["--pass-through"] });
    const progress = stdio.place.at("work/progress");
    // 64 KiB a turn, and a byte to count them.
    const turn = "printf '%65535d\\n' $i; printf . >> progress";
    await stdio.send({ type: "run", id: "a", command: `for i in {1..400}; do ${turn}; done` });
    const size = () =>
      names(stdio.place.at("work")).includes("progress") ? Deno.statSync(progress).size : 0;
    // It comes to a halt by itself: the test's own reading is all that moves it on.
    for (let last = -1; last !== size() || last === 0;) {
      last = size();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    assert(size() < 200, `held up after ${size()} turns`);
    const { record } = await stdio.event({ type: "ended", id: "a" });
    assertEquals([record.exit_code, size(), record.bytes.stdout], [0, 400, 400 * 65_536]);
    const texts = stdio.events.filter(({ type }) => type === "stdout");
    assertEquals(texts.reduce((sum, { text }) => sum + text.length, 0), 400 * 65_536);
  },
);

jailTest("debrief stdio ends everything when nobody reads its answers any more", async () => {
  using place = new TestPlace();
  const stdio = new StdioConnection({ place });
  await stdio.send({ type: "run", id: "a", command: "touch a; sleep 300; true" });
  await until(() => names(place.at("work")).includes("a"));
  await stdio.leave();
  assertEquals((await stdio.child.status).code, 128 + 13);
  assertEquals(place.records().map(({ error }) => error), ["cancelled"]);
  await stdio[Symbol.asyncDispose]();
});

jailTest(
  "debrief stdio ends its commands by a signal, in order, and tells their ends",
  async () => {
    await using stdio = new StdioConnection();
    await stdio.send({ type: "run", id: "a", command: "touch a; sleep 300; true" });
    await until(() => names(stdio.place.at("work")).includes("a"));
    stdio.child.kill("SIGTERM");
    assertEquals((await stdio.event({ type: "ended", id: "a" })).exit_status, 143);
    assertEquals((await stdio.child.status).code, 143);
  },
);

jailTest("debrief stdio redacts what it passes on, errors included", async () => {
  await using stdio = new StdioConnection();
  const secret = ["ghp", "_", "R2d2c3po".repeat(4), "ab12"].join("");
  await stdio.send(
    { type: "run", id: "a", command: `echo token ${secret}` },
    { type: "run", id: "b", command: "ls", cwd: `/${secret}` },
  );
  assertEquals(await stdio.end(), 0);
  const error = stdio.events.find(({ type }) => type === "error");
  assertMatch(error.message, /Cannot run in/);
  assert(stdio.events.some(({ type, text }) => type === "stdout" && text.startsWith("token ")));
  assert(!JSON.stringify(stdio.events).includes(secret));
});
