import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  CommandService,
  type Follower,
  RefusedOrder,
} from "../../../src/cli/serve/command_service.ts";
import { UsageError } from "../../../src/errors.ts";
import { MAX_JOBS } from "../../../src/session/session_jobs.ts";
import { jailTest } from "../../sandbox/require_sandbox.ts";
import { TestPlace, TestSession } from "../../session/test_session.ts";

const never = new AbortController().signal;
const quiet: Follower = { emit: () => {}, flow: null, signal: never };

jailTest(
  "CommandService runs one after the other where commands cannot run at the same time",
  async () => {
    await using session = new TestSession({ keepsState: false });
    const service = new CommandService(session.session);
    assertEquals((await service.status()).parallel, false);
    const abort = new AbortController();
    const order: string[] = [];
    const follower: Follower = {
      ...quiet,
      emit: (event) => event.kind === "output" && order.push(event.text),
    };
    const first = service.start({ command: "sleep 0.2; echo 1; true" }, follower);
    const second = service.start({ command: "echo 2; cd /" }, follower);
    const third = service.start({ command: "sleep 300" }, { ...quiet, signal: abort.signal });
    await (await second).ended;
    assertEquals([(await (await first).ended).exitStatus, order], [0, ["1\n", "2\n"]]);
    abort.abort();
    assertEquals((await (await third).ended).record.error, "cancelled");
    const pwd = await (await service.start({ command: "pwd" }, quiet)).ended;
    assertEquals(pwd.record.stdout_tail, `${session.place.at("work")}\n`);
    for (const more of [{ background: true }, { stdin: "x" }, { openStdin: true }]) {
      const refused = service.start({ command: "true", ...more }, quiet);
      await assertRejects(() => refused, UsageError, "only a session with a supervised jail can");
    }
    assertEquals(session.place.records().length, 4);
  },
);

jailTest(
  "CommandService runs so many commands at a time, and only shortens time limits",
  async () => {
    await using session = new TestSession({ timeoutMs: 700 });
    const service = new CommandService(session.session);
    const timed = await service.start({ command: "sleep 300", timeoutMs: 3_600_000 }, quiet);
    const shorter = await service.start({ command: "sleep 300", timeoutMs: 300 }, quiet);
    assertEquals((await timed.ended).record.error, "timed out after 0.7 s");
    assertEquals((await shorter.ended).record.error, "timed out after 0.3 s");
    const orders = Array.from(
      { length: MAX_JOBS },
      () => ({ argv: ["sleep", "300"], background: true }),
    );
    await Promise.all(orders.map((order) => service.start(order, quiet)));
    const full = await assertRejects(() => service.start({ argv: ["true"] }, quiet), RefusedOrder);
    assertEquals(full.code, "too-many");
    const [job] = service.jobs.filter(({ state }) => state === "running");
    assert(job !== undefined);
    assertEquals((await service.kill(job.id)).block?.outcome, "killed");
    assertEquals((await (await service.start({ argv: ["true"] }, quiet)).ended).exitStatus, 0);
    assertEquals(assertThrows(() => service.job("c0000000"), RefusedOrder).code, "unknown-target");
  },
);

jailTest("CommandService refuses more input than can wait, before anything runs", async () => {
  await using session = new TestSession();
  const service = new CommandService(session.session);
  const stdin = "ä".repeat(1 << 20);
  const refused = service.start({ argv: ["cat"], stdin }, quiet);
  await assertRejects(() => refused, UsageError, "Cannot use 2097152 bytes as stdin");
  assertEquals(session.place.records(), []);
});

jailTest("CommandService means its own session's commands by the beginning of an id", async () => {
  using place = new TestPlace();
  for (let count = 0; count < 3; count++) {
    await using other = new TestSession({ place });
    await other.run("echo of another session");
  }
  const [foreign] = place.records();
  await using session = new TestSession({ place });
  const service = new CommandService(session.session);
  // Every id begins so: the others are not even counted.
  assertEquals(
    assertThrows(() => service.output("c", {}), UsageError).message.includes("at least"),
    true,
  );
  const first = await (await service.start({ command: "echo mine" }, quiet)).ended;
  const id = first.record.command_id;
  const next = await (await service.start({ command: "true", parent: id.slice(0, 7) }, quiet))
    .ended;
  assertEquals(next.record.parent_command_id, id);
  assertEquals(service.output(id.slice(0, 7), {}).lines.map(({ text }) => text), ["mine"]);
  const hidden = assertThrows(() => service.output(foreign!.command_id, {}), RefusedOrder);
  assertEquals(hidden.code, "unknown-target");
});
