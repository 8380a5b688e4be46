/** Who looks after the main thread while that acts for commands. */
import { assertEquals } from "@std/assert";
import { Acting } from "../../src/sandbox/acting.ts";
import { processEntry } from "../../src/sandbox/process_tree.ts";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

Deno.test("Acting.look tells one long act from many short ones", () => {
  const main = new Acting();
  const other = new Acting(main.memory);
  const looks = () => Array.from({ length: 11 }, () => other.look());
  const short = Array.from({ length: 50 }, () => main.during(() => other.look()));
  const long = main.during(looks);
  assertEquals(short.includes(true), false);
  assertEquals(long, [...Array(10).fill(false), true]);
  assertEquals(looks().includes(true), false);
});

Deno.test("Acting.during ends with an error, too", () => {
  const main = new Acting();
  const other = new Acting(main.memory);
  try {
    main.during(() => {
      throw new Error("refused");
    });
  } catch { /* As it must. */ }
  assertEquals(Array.from({ length: 30 }, () => other.look()).includes(true), false);
});

const CONNECT = `import os, socket
open("pid", "w").write(str(os.getpid()))
try: socket.create_connection(("127.0.0.1", 9))
except OSError: print("answered")`;

jailTest("what holds the main thread up is ended by the jail's thread", async () => {
  await using jailed = await TestJail.start({ order: () => ({ watched: true, lookMs: 5 }) });
  try {
    const control = await jailed.run(["python3", "-c", CONNECT]);
    assertEquals(control.stdout, "answered\n", control.stderr);
    // Stands for a lock that others hold: it comes free when its caller is gone.
    const until = performance.now() + 30_000;
    jailed.supervision.lists = () => {
      const pid = Number(Deno.readTextFileSync(jailed.tree.at("work/pid")));
      while (processEntry(pid)?.state !== "Z" && performance.now() < until);
      return false;
    };
    const { status, stdout } = await jailed.run(["python3", "-c", CONNECT], { timeoutMs: 60_000 });
    assertEquals([stdout, status?.kind === "signaled" && status.signal], ["", 9]);
  } finally {
    await jailed.jail.watchdog?.end();
  }
}, { programs: ["python3"] });

jailTest("calls that come while a command starts are answered afterwards", async () => {
  await using jailed = await TestJail.start();
  await jailed.sh(
    "(while [ ! -e enough ]; do chmod 600 file || : >failed; : >went; done; : >done) >/dev/null 2>&1 </dev/null &",
  );
  const held: number[] = [];
  // The start is stopped, so that calls come meanwhile.
  jailed.supervision.onChild = (pid) => {
    if (held.length === 0) Deno.kill(pid, "SIGSTOP");
    held.push(pid);
  };
  const { stdout } = await jailed.sh(
    "rm -f went; until [ -e went ]; do sleep 0.01; done; : >enough; until [ -e done ]; do sleep 0.01; done; [ -e failed ] || echo answered",
  );
  assertEquals([stdout, held.length], ["answered\n", 1]);
});
