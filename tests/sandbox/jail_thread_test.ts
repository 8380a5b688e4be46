import { assert, assertEquals } from "@std/assert";
import { close, open } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";
import { exited } from "../../src/sandbox/supervise.ts";
import { exists, until } from "./observe.ts";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

/** Keeps a supervisor, and the jail's own thread, busy until it is told to end. */
const BUSY = `import os, socket
at = 0
while not os.path.exists("enough"):
    one = socket.socket(socket.AF_UNIX); one.bind("socket"); one.close(); os.unlink("socket")
    os.chmod("file", 0o600)
    at += 1
    if at == 3: open("busy", "w").close()
open("done", "w").write(str(at))
`;

jailTest(
  "commands start while others have sockets bound and modes changed all the time",
  async () => {
    await using jailed = await TestJail.start();
    Deno.writeTextFileSync(jailed.tree.at("work/busy.py"), BUSY);
    await jailed.sh("for i in 1 2 3; do mkdir $i; : >$i/file; done");
    await jailed.sh(
      "for i in 1 2 3; do (cd $i; exec python3 ../busy.py >said 2>&1 </dev/null) & done",
    );
    await until(() => [1, 2, 3].every((at) => exists(jailed.tree.at(`work/${at}/busy`))));
    for (let round = 0; round < 20; round++) {
      const { stdout } = await jailed.sh(`echo ${round}`);
      assertEquals(stdout, `${round}\n`);
    }
    await jailed.sh("for i in 1 2 3; do : >$i/enough; done");
    await until(() => [1, 2, 3].every((at) => exists(jailed.tree.at(`work/${at}/done`))));
    assertEquals(Deno.readTextFileSync(jailed.tree.at("work/1/said")), "");
  },
);

jailTest("Jail.spawn keeps the order of orders that are given at once", async () => {
  await using jailed = await TestJail.start();
  const order = { searchPath: "/usr/bin:/bin", env: {}, cwd: "/", fds: [] };
  const names = Array.from({ length: 20 }, (_, index) => `/no/such/program/${index}`);
  const replies = await Promise.all(
    names.map((name) => jailed.jail.spawn({ argv: [name], ...order })),
  );
  assertEquals(replies.map((reply) => reply.kind === "not-spawned" && reply.path), names);
  assert(jailed.jail.isAlive);
});

jailTest("Jail.spawn starts a command with more than a pipe holds", async () => {
  await using jailed = await TestJail.start();
  const env = Object.fromEntries(["A", "B", "C"].map((name) => [name, name.repeat(100_000)]));
  const { stdout } = await jailed.sh('echo "${#A} ${#B} ${#C} ${#1}"', {
    env: { PATH: "/bin", ...env },
    args: ["x".repeat(100_000)],
  });
  assertEquals(stdout, "100000 100000 100000 100000\n");
});

jailTest("a start that is held up is left to the event loop, whose watch frees it", async () => {
  await using jailed = await TestJail.start();
  // What holds it up is the supervisor itself: it stops the new process before that executes anything.
  const held: number[] = [];
  jailed.supervision.onChild = (pid) => {
    if (held.length === 0) Deno.kill(pid, "SIGSTOP");
    held.push(pid);
  };
  const { stdout } = await jailed.sh("echo started");
  assertEquals([stdout, held.length], ["started\n", 1]);
});

jailTest("a start that is open when its jail is closed has still what it was given", async () => {
  await using jailed = await TestJail.start();
  const held = Promise.withResolvers<number>();
  jailed.supervision.onChild = (pid) => {
    Deno.kill(pid, "SIGSTOP");
    held.resolve(pid);
  };
  const said = jailed.tree.at("work/said");
  const value = "v".repeat(5000);
  const sink = open("/dev/null", OPEN.RDWR);
  const reply = jailed.jail.spawn({
    argv: ["/bin/sh", "-c", 'echo "$VALUE $(pwd)" >"$1"', "sh", said],
    searchPath: "",
    env: { PATH: "/usr/bin:/bin", VALUE: value },
    cwd: jailed.tree.at("work"),
    fds: [sink, sink, sink],
  });
  const pid = await held.promise;
  // Left to the event loop by then, and not yet looked after.
  await new Promise((resolve) => setTimeout(resolve, 50));
  jailed.jail.close();
  assertEquals((await reply).kind, "failed");
  // So much that whatever nobody references has been given to others.
  for (let round = 0; round < 3000; round++) {
    for (const length of [16, 64, 300, 5100, 100_000]) new Uint8Array(length).fill(65);
    if (round % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  Deno.kill(pid, "SIGCONT");
  await until(() => exists(said) && Deno.readTextFileSync(said).endsWith("\n"));
  assertEquals(Deno.readTextFileSync(said), `${value} ${jailed.tree.at("work")}\n`);
  await exited(pid, 60_000);
  close(sink);
});
