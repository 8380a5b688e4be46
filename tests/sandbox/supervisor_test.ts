import { assert, assertEquals, assertRejects } from "@std/assert";
import { syscall } from "../../src/sandbox/linux/ffi.ts";
import { readKernelFile } from "../../src/sandbox/linux/files.ts";
import { jailTest } from "./require_sandbox.ts";
import { NotSpawned, TestJail } from "./test_jail.ts";
import { exists, until } from "./observe.ts";

jailTest("Supervision.onChild hears of each command before it executes anything", async () => {
  await using jailed = await TestJail.start();
  const heard: { pid: number; program: string; session: number }[] = [];
  const own = readKernelFile("/proc/self/comm");
  jailed.supervision.onChild = (pid) =>
    heard.push({
      pid,
      program: readKernelFile(`/proc/${pid}/comm`) === own ? "own" : "other",
      session: syscall("getsid", pid),
    });
  // Neither a session that a command begins nor an orphan is a command.
  const first = await jailed.sh("setsid sh -c 'setsid true' & wait; (setsid true &)");
  const second = await jailed.run(["true"]);
  assertEquals(heard.map(({ pid }) => pid), [first.pid, second.pid]);
  assert(heard.every(({ pid, session }) => session !== pid));
});

jailTest("a command is not started when Supervision.onChild fails", async () => {
  await using jailed = await TestJail.start();
  jailed.supervision.onChild = () => {
    throw new Error("no limits");
  };
  const error = await assertRejects(() => jailed.sh("echo started >file"), NotSpawned);
  assertEquals([error.errno, Deno.readTextFileSync(jailed.tree.at("work/file"))], [1, "inside\n"]);
  jailed.supervision.onChild = null;
  assertEquals((await jailed.sh("cat file")).stdout, "inside\n");
});

jailTest("a Supervisor serves what is left of its jail when the thread has ended", async () => {
  await using jailed = await TestJail.start();
  const job = `(trap '' HUP TERM; while [ ! -e go ]; do sleep 0.02; done
    chmod 611 file && echo granted; chmod 777 ../outside/file || echo refused; : >done) >said 2>/dev/null </dev/null &`;
  await jailed.sh(job);
  jailed.jail.close();
  Deno.writeTextFileSync(jailed.tree.at("work/go"), "");
  await until(() => exists(jailed.tree.at("work/done")));
  assertEquals(Deno.readTextFileSync(jailed.tree.at("work/said")), "granted\nrefused\n");
  await jailed.supervision.close();
});

jailTest("Supervision.close leaves nobody to answer, which is a refusal", async () => {
  await using jailed = await TestJail.start();
  const job =
    "(while [ ! -e go ]; do sleep 0.02; done; chmod 611 file || echo refused; : >done) >said 2>/dev/null </dev/null &";
  await jailed.sh(job);
  await jailed.supervision.close();
  Deno.writeTextFileSync(jailed.tree.at("work/go"), "");
  await until(() => exists(jailed.tree.at("work/done")));
  assertEquals(Deno.readTextFileSync(jailed.tree.at("work/said")), "refused\n");
  assertEquals(Deno.statSync(jailed.tree.at("work/file")).mode! & 0o777 & 0o100, 0);
});
