import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { RequestError } from "../../src/client/connection.ts";
import { DebriefClient } from "../../src/client/debrief_client.ts";
import { debriefWords, processEnvironment } from "../cli/run_debrief.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";

function start(place: TestPlace, flags: readonly string[] = []): Promise<DebriefClient> {
  return DebriefClient.start({
    program: debriefWords([]),
    flags,
    cwd: place.at("work"),
    env: processEnvironment({ place }),
  });
}

jailTest("DebriefClient.run() gives output as it comes, then the end", async () => {
  using place = new TestPlace();
  await using client = await start(place);
  assertEquals([client.hello.protocol, client.hello.cwd], [1, place.at("work")]);
  const command = client.run({
    // It goes on only when its first line was read.
    command: "echo one; read line; echo $line >&2; exit 3",
    openStdin: true,
    note: "two lines",
  });
  const seen: string[] = [];
  for await (const { stream, text } of command) {
    seen.push(`${stream} ${text}`);
    if (seen.length === 1) await command.write("two\n");
  }
  assertEquals(seen, ["stdout one\n", "stderr two\n"]);
  const { exit_status, record, block } = await command.ended;
  assertEquals([exit_status, block.outcome, block.expected], [3, "failed", "two lines"]);
  assertEquals(record.command_id, await command.started);
  assertThrows(() => command[Symbol.asyncIterator](), TypeError, "it was iterated before");
  const { stdout, stderr } = await client.run("echo out; echo err >&2").collect();
  assertEquals([stdout, stderr], ["out\n", "err\n"]);
});

jailTest("DebriefClient.run() runs commands beside each other; a signal cancels one", async () => {
  using place = new TestPlace();
  await using client = await start(place);
  const abort = new AbortController();
  const long = client.run({ command: "echo begun; sleep 300; true", signal: abort.signal });
  for await (const { text } of long) {
    assertEquals(text, "begun\n");
    break;
  }
  assertEquals((await client.run(`echo beside`).collect()).stdout, "beside\n");
  abort.abort();
  const { record } = await long.ended;
  assertEquals([record.error, record.exit_code], ["cancelled", null]);
  assertThrows(() => client.run({ command: "true", signal: abort.signal }), DOMException);
});

jailTest("DebriefClient feeds, lists and kills what runs in the background", async () => {
  using place = new TestPlace();
  await using client = await start(place, ["--task", "t1"]);
  const cat = client.run({ argv: ["cat"], background: true });
  const bytes = new Uint8Array(100_000).fill(0x61);
  assertEquals((await cat.write(bytes)).taken, true);
  await cat.closeStdin();
  assertEquals((await cat.ended).record.bytes.stdout, 100_000);
  const [line] = (await cat.output({ head: 1 })).lines;
  assert(line?.text.startsWith("aaaa"));
  const sleep = client.run({ argv: ["sleep", "300"], background: true });
  const id = await sleep.started;
  const { jobs } = await client.jobs();
  assertEquals(jobs.map((job) => [job.id === id, job.state]), [[false, "ended"], [
    true,
    "running",
  ]]);
  assertEquals((await sleep.kill()).block?.outcome, "killed");
  assertEquals((await client.aims({ goal: "g" })).task, "t1");
  assertEquals((await client.status()).aims.goal, "g");
});

jailTest(
  "DebriefClient tells requests that were not carried out from commands that failed",
  async () => {
    using place = new TestPlace();
    await using client = await start(place);
    const refused = client.run({ command: "ls", cwd: "/root/.ssh" });
    const error = await assertRejects(
      () => refused.ended,
      RequestError,
      "commands may not read it",
    );
    assertEquals(error.code, "refused");
    await assertRejects(() => refused.started, RequestError);
    await assertRejects(() => refused.collect(), RequestError);
    assertEquals((await client.run("false").ended).exit_status, 1);
  },
);

jailTest(
  "DebriefClient.close() ends what runs and is final; a lost server is an error",
  async () => {
    using place = new TestPlace();
    const client = await start(place);
    const command = client.run({ command: "echo begun; sleep 300; true" });
    for await (const _ of command) break;
    await client.close();
    assertEquals((await command.ended).record.error, "cancelled");
    assertEquals(place.records().length, 1);
    const late = await assertRejects(() => client.run("true").ended, RequestError);
    assertEquals(late.code, "lost");
    await client[Symbol.asyncDispose]();
    const unusable = await assertRejects(() => start(place, ["--policy", "nosuch"]), RequestError);
    assert(unusable.message.includes("ended with status 2: debrief: Cannot use the policy"));
    const absent = DebriefClient.start({ program: [place.at("nosuch")] });
    await assertRejects(() => absent, Deno.errors.NotFound);
  },
);

jailTest(
  "DebriefClient holds a command up while its output is not taken, and loses nothing",
  async () => {
    using place = new TestPlace();
    await using client = await start(place, ["--pass-through"]);
    const turn = "printf '%65535d\\n' $i; printf . >> progress";
    const command = client.run(`for i in {1..400}; do ${turn}; done`);
    const output = command[Symbol.asyncIterator]();
    const first = await output.next();
    assert(!first.done);
    let length = first.value.text.length;
    const size = () => Deno.statSync(place.at("work/progress")).size;
    for (let last = -1; last !== size();) {
      last = size();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    assert(size() < 200, `held up after ${size()} turns`);
    for await (const { text } of output) length += text.length;
    assertEquals([length, (await command.ended).exit_status], [400 * 65_536, 0]);
  },
);

jailTest("DebriefClient.run() tells what a command asks, so that it can be answered", async () => {
  using place = new TestPlace();
  await using client = await start(place);
  const asked: (string | null)[] = [];
  const command = client.run({
    command: "printf 'Name? '; read name; echo hello $name",
    openStdin: true,
    onWaiting: (waits) => {
      if (waits === null) return;
      asked.push(waits.asks);
      void command.write("Ada\n");
    },
  });
  assertEquals((await command.collect()).stdout, "Name? hello Ada\n");
  assertEquals(asked, ["Name?"]);
});
