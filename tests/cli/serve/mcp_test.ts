import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { jailTest } from "../../sandbox/require_sandbox.ts";
import { TestPlace } from "../../session/test_session.ts";
import { finished, startDebrief, waitForText } from "../run_debrief.ts";
import { McpConnection } from "./mcp_client.ts";
import { until } from "../../sandbox/observe.ts";

const READ_ONLY = JSON.stringify({ extends: "readonly" });

for (const revision of ["2025", "2026"] as const) {
  jailTest(`debrief mcp serves the ${revision} revision: tools, a result, a failure`, async () => {
    await using mcp = await McpConnection.open({ revision });
    const { tools } = await mcp.client.listTools();
    assertEquals(
      tools.filter(({ title, description, outputSchema, annotations }) =>
        !title || !description || !outputSchema || !annotations
      ),
      [],
    );
    const ran = await mcp.call("run", { command: "echo out; echo err >&2", note: "two lines" });
    assertEquals(ran.isError, false);
    assertEquals([ran.data.output, ran.data.exit_status], ["out\nerr\n", 0]);
    assertEquals([ran.data.block.outcome, ran.data.block.expected], ["success", "two lines"]);
    assertMatch(ran.text, /^out\nerr\n--- debrief \d{9} ✓ ok, exit 0/);
    const failed = await mcp.call("run", { argv: ["sh", "-c", "exit 3"] });
    assertEquals([failed.isError, failed.data.exit_status], [true, 3]);
    assertMatch(failed.text, /✗ failed, exit 3/);
  });
}

jailTest(
  "debrief mcp is an error where nothing ran, or no exit was seen, and says why",
  async () => {
    await using mcp = await McpConnection.open({ args: ["--timeout", "500ms"] });
    const cases = [
      { in: { command: "echo (" }, want: [2, "syntax-error", null] },
      { in: { command: `echo x > ${mcp.place.at("outside/x")}` }, want: [1, "denied-sandbox", 1] },
      { in: { argv: ["no-such-program"] }, want: [127, "not-found", null] },
      { in: { command: "sleep 60" }, want: [124, "timeout", null] },
      // Longer than the session's: it can only be shortened.
      { in: { command: "sleep 60", timeoutMs: 3_600_000 }, want: [124, "timeout", null] },
    ];
    for (const { in: given, want } of cases) {
      const { data, isError } = await mcp.call("run", given);
      const { outcome, exit_code } = data.block;
      assertEquals([isError, data.exit_status, outcome, exit_code], [true, ...want]);
    }
  },
);

jailTest(
  "debrief mcp answers arguments that it cannot use with an error that names them",
  async () => {
    await using mcp = await McpConnection.open();
    const cases = [
      { tool: "run", in: { comand: "ls" }, want: /^Cannot call run: comand is no field of it$/ },
      { tool: "run", in: {}, want: /exactly one of command and argv is accepted$/ },
      { tool: "run", in: { command: "ls", argv: ["ls"] }, want: /exactly one of command and argv/ },
      { tool: "run", in: { command: 7 }, want: /command is no string/ },
      { tool: "run", in: { argv: [] }, want: /argv is empty/ },
      { tool: "run", in: { command: "ls", timeoutMs: 0 }, want: /timeoutMs is below 1/ },
      { tool: "run", in: { command: "ls", parent: "../x" }, want: /parent is no id/ },
      { tool: "run", in: { command: "ls", cwd: "/root/.ssh" }, want: /commands may not read it/ },
      { tool: "run", in: { command: "ls", cwd: "nosuch" }, want: /it is not a directory/ },
      {
        tool: "run",
        in: { command: "ls", env: { LD_PRELOAD: "x" } },
        want: /variable "LD_PRELOAD"/,
      },
      { tool: "run", in: { command: "ls", env: { A: "\0" } }, want: /holds what no variable can/ },
      { tool: "jobs", in: { waitMs: 5 }, want: /^Cannot use waitMs without id$/ },
      { tool: "kill", in: { id: "c1", signal: "STOP" }, want: /signal is no / },
      { tool: "output", in: {}, want: /id is missing/ },
      { tool: "output", in: { id: "c0000000" }, want: /no record of this session has this id/ },
      { tool: "aims", in: { deadline: "soon" }, want: /^Cannot use deadline "soon"/ },
    ];
    for (const { tool, in: given, want } of cases) {
      const { text, isError } = await mcp.call(tool, given);
      assertMatch(text, want);
      assertEquals(isError, true);
    }
    await assertRejects(() => mcp.call("nosuch"), Error, "Unknown tool: nosuch");
    assertEquals(mcp.place.records(), []);
    const ran = await mcp.call("run", { command: 'pwd; echo "$A"', cwd: "/usr", env: { A: "b" } });
    assertEquals(ran.data.output, "/usr\nb\n");
    assertEquals(
      (await mcp.call("run", { command: "pwd" })).data.output,
      `${mcp.place.at("work")}\n`,
    );
  },
);

jailTest("debrief mcp reports output as progress while the command runs", async () => {
  await using mcp = await McpConnection.open();
  const go = mcp.place.at("work/go");
  const seen: { progress: number; message?: string | undefined }[] = [];
  const onprogress = (one: typeof seen[number]) => {
    seen.push(one);
    Deno.writeTextFileSync(go, "");
  };
  // It ends only when its first line has arrived.
  const command = "echo first; until [ -e go ]; do sleep 0.05; done; echo last";
  const ran = await mcp.call("run", { command }, { onprogress });
  assertEquals([seen[0]?.progress, seen[0]?.message], [6, "first\n"]);
  assertEquals(ran.data.output, "first\nlast\n");
});

jailTest("debrief mcp ends and records a command that the client cancels", async () => {
  await using mcp = await McpConnection.open();
  const { place } = mcp;
  const abort = new AbortController();
  const call = mcp.call("run", { command: "touch begun; sleep 300; true" }, {
    signal: abort.signal,
  });
  await until(() => [...Deno.readDirSync(place.at("work"))].some(({ name }) => name === "begun"));
  abort.abort();
  await assertRejects(() => call);
  await until(() => place.records().length > 0);
  const [record] = place.records();
  assertEquals([record?.error, record?.exit_code], ["cancelled", null]);
  assertEquals((await mcp.call("run", { command: "echo on" })).data.output, "on\n");
});

jailTest("debrief mcp ends its commands when the client goes away", async () => {
  using place = new TestPlace();
  const mcp = await McpConnection.open({ place });
  const call = mcp.call("run", { command: "touch begun; sleep 300; true" }).catch(() => null);
  await until(() => [...Deno.readDirSync(place.at("work"))].some(({ name }) => name === "begun"));
  await mcp.client.close();
  await call;
  await until(() => place.records().length > 0);
  assertEquals(place.records().map(({ error }) => error), ["cancelled"]);
  await until(() => place.leftovers().length === 0);
});

jailTest("debrief mcp reads a kept output page by page, of its own session only", async () => {
  using place = new TestPlace();
  const other = startDebrief(["-c", "echo of another session"], { place });
  await other.stdin.close();
  assertEquals((await finished(other)).code, 0);
  const [foreign] = place.records();
  await using mcp = await McpConnection.open({ place });
  const { data } = await mcp.call("run", { command: "seq 3000" });
  assert(data.block.truncated !== null);
  const id = data.block.output_id;
  const page = await mcp.call("output", { id, from: 1500, to: 1501 });
  assertEquals(page.text, "1500:1500\n1501:1501");
  const whole = await mcp.call("output", { id });
  assertEquals([whole.data.lines.length, whole.data.next], [1000, {
    stream: "stdout",
    line: 1001,
  }]);
  assertMatch(whole.text, /\nmore follows: stream stdout, from 1001$/);
  const found = await mcp.call("output", { id, grep: "^299.$", around: 1 });
  assertMatch(found.text, /^2989-2989\n2990:2990\n/);
  const refused = await mcp.call("output", { id: foreign!.command_id });
  assertEquals(refused.isError, true);
  assertMatch(refused.text, /no record of this session has this id/);
});

jailTest(
  "debrief mcp takes goal, deadline, budget and task by flag and by tool, and reports them",
  async () => {
    const args = ["--goal", "first", "--task", "t1", "--budget", "50k"];
    await using mcp = await McpConnection.open({ args });
    const { data } = await mcp.call("status");
    assertEquals([data.aims.goal, data.aims.task, data.aims.budget.tokens], [
      "first",
      "t1",
      50_000,
    ]);
    assertEquals([data.cwd, data.policy], [mcp.place.at("work"), "default"]);
    await mcp.call("run", { command: "true" });
    const set = await mcp.call("aims", { goal: "second", task: "t2", deadline: "30m" });
    assertEquals([set.data.goal, set.data.task, set.data.calls], ["second", "t2", 1]);
    await mcp.call("run", { command: "true" });
    await mcp.call("run", { command: "true", task: "t3" });
    assertEquals(mcp.place.records().map(({ task_id }) => task_id), ["t1", "t2", "t3"]);
    const after = (await mcp.call("status")).data.aims;
    assertEquals([after.goal, after.calls, after.deadline.written], ["second", 3, "30m"]);
  },
);

jailTest("debrief mcp says of its tools what the policy lets commands do", async () => {
  using place = new TestPlace();
  const hintsUnder = async (args: readonly string[]) => {
    await using mcp = await McpConnection.open({ place, args });
    const { tools } = await mcp.client.listTools();
    return tools.find(({ name }) => name === "run")?.annotations;
  };
  const policy = place.write("readonly.jsonc", READ_ONLY);
  assertEquals(await hintsUnder(["--policy", policy]), {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  });
  const open = place.write("open.jsonc", JSON.stringify({ extends: "default", net: true }));
  assertEquals(await hintsUnder(["--policy", open]), {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
});

jailTest(
  "debrief mcp writes nothing but its protocol to standard output, and goes on after bad lines",
  async () => {
    using place = new TestPlace();
    const child = startDebrief(["mcp"], { place });
    const stderr = new Response(child.stderr).text();
    const writer = child.stdin.getWriter();
    const send = (text: string) => writer.write(new TextEncoder().encode(text + "\n"));
    await send("garbage");
    await writer.write(new Uint8Array([0x22, 0xff, 0x22, 0x0a]));
    await send('{"jsonrpc": "2.0"}');
    await send("x".repeat(9 << 20));
    const clientInfo = { name: "t", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    await send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
    const stdout = await waitForText(child.stdout, '"id":1}\n');
    await writer.close();
    const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(lines.map(({ id, error }) => [id, error?.message ?? null]), [
      [null, "the line is no JSON"],
      [null, "the line is not UTF-8"],
      [null, "the line is no message of JSON-RPC 2.0"],
      [null, "the line has 9437184 bytes: at most 8388608 are accepted"],
      [1, null],
    ]);
    const { code } = await child.status;
    assertEquals([code, await stderr, await Array.fromAsync(child.stdout)], [0, "", []]);
  },
);
