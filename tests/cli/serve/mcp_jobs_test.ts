import { assertEquals, assertMatch } from "@std/assert";
import { jailTest } from "../../sandbox/require_sandbox.ts";
import { TestPlace } from "../../session/test_session.ts";
import { McpConnection } from "./mcp_client.ts";
import { until } from "../../sandbox/observe.ts";

jailTest("debrief mcp runs calls at the same time, from the same state", async () => {
  await using mcp = await McpConnection.open();
  const work = mcp.place.at("work");
  // Each ends only when the other has begun.
  const meet = (mine: string, other: string) => {
    const wait = `until [ -e ${work}/${other} ]; do sleep 0.05; done`;
    return mcp.call("run", { command: `cd /usr; touch ${work}/${mine}; ${wait}; pwd` });
  };
  const both = await Promise.all([meet("a", "b"), meet("b", "a")]);
  assertEquals(both.map(({ data }) => data.output), ["/usr\n", "/usr\n"]);
  assertEquals((await mcp.call("run", { command: "pwd" })).data.output, `${work}\n`);
});

jailTest(
  "debrief mcp feeds a command: stdin ends, openStdin takes more, else there is nothing",
  async () => {
    await using mcp = await McpConnection.open();
    const cat = await mcp.call("run", { command: "cat; echo end", stdin: "text" });
    assertEquals(cat.data.output, "textend\n");
    assertEquals((await mcp.call("run", { command: "cat" })).data.output, "");
    const { data } = await mcp.call("run", {
      command: "read a; read b; echo $a $b",
      stdin: "1\n",
      openStdin: true,
      background: true,
    });
    assertEquals([data.block, data.job.state, data.exit_status], [null, "running", null]);
    assertEquals((await mcp.call("send", { id: data.job.id, text: "2\n" })).data.taken, true);
    const waited = await mcp.call("jobs", { id: data.job.id, waitMs: 60_000 });
    const { jobs: [job], block } = waited.data;
    assertEquals([job.state, job.outcome, block.exit_code], ["ended", "success", 0]);
    assertEquals((await mcp.call("output", { id: data.job.id })).text, "1:1 2");
    const late = await mcp.call("send", { id: data.job.id, text: "3\n" });
    assertEquals(late.isError, true);
    assertMatch(late.text, /it has ended$/);
  },
);

jailTest("debrief mcp lists, reads and kills what runs in the background", async () => {
  await using mcp = await McpConnection.open();
  const command = "echo ready; exec sleep 300";
  const { data, text } = await mcp.call("run", { command, background: true, note: "serves" });
  const { id } = data.job;
  assertMatch(text, new RegExp(`^--- debrief \\d{9} ✓ started in the background, ${id}\\n`));
  assertMatch(text, /→ the tools output, send, kill and jobs take its id\n/);
  let page = await mcp.call("output", { id });
  while (page.data.lines.length === 0) page = await mcp.call("output", { id });
  assertEquals(page.data.lines, [{ stream: "stdout", line: 1, text: "ready", kind: "line" }]);
  const listed: { id: string; state: string }[] = (await mcp.call("jobs")).data.jobs;
  assertEquals(listed.map((job) => [job.id, job.state]), [[id, "running"]]);
  const killed = await mcp.call("kill", { id });
  assertEquals([killed.data.job.state, killed.data.block.outcome], ["ended", "killed"]);
  assertMatch(killed.text, /✗ killed \(killed on request\)/);
  const [record] = mcp.place.records();
  assertEquals([record?.agent_note, record?.exit_code], ["serves", null]);
  const unknown = await mcp.call("kill", { id: "c0000000" });
  assertMatch(unknown.text, /^Cannot find the command "c0000000"/);
});

jailTest(
  "debrief mcp ends what runs in the background with the session, and records it",
  async () => {
    using place = new TestPlace();
    const mcp = await McpConnection.open({ place });
    await mcp.call("run", { command: "sleep 300", background: true });
    await mcp.client.close();
    await until(() => place.records().length > 0);
    const [record] = place.records();
    assertEquals([record?.outcome.kind, record?.error], ["killed", "ended: the session ended"]);
  },
);

jailTest("debrief mcp says what a command asks that waits for input", async () => {
  await using mcp = await McpConnection.open();
  const command = "printf 'Go on? '; read answer; echo $answer";
  const seen: (string | undefined)[] = [];
  const call = mcp.call("run", { command, openStdin: true }, {
    onprogress: ({ message }) => seen.push(message),
  });
  let jobs: { id: string }[] = [];
  while (jobs.length === 0) jobs = (await mcp.call("jobs")).data.jobs;
  const id = jobs[0]!.id;
  const waited = await mcp.call("jobs", { id, waitMs: 60_000 });
  assertEquals(waited.data.jobs[0].waits, { asks: "Go on?" });
  assertMatch(waited.text, /waits for input: Go on\?/);
  await until(() => seen.join("").includes("[waits for input: Go on?]"));
  await mcp.call("send", { id, text: "yes\n" });
  assertMatch((await call).data.output, /^Go on\? yes\n$/);
});
