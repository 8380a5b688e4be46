import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { prctl, syscall } from "../../src/sandbox/linux/ffi.ts";
import { PR } from "../../src/sandbox/linux/uapi.ts";
import {
  commandLine,
  descendants,
  hasChildren,
  killTree,
  processEntry,
  processIds,
  reapOrphans,
} from "../../src/sandbox/process_tree.ts";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";
import { until } from "./observe.ts";

/** As the shell does first of all: what daemonises becomes a child of this process. */
function becomeSubreaper(): void {
  prctl(PR.SET_CHILD_SUBREAPER, 1);
}

/** Waits until a script of the jail has left this many lines in a file, each a process id. */
async function pidsIn(path: string, count: number): Promise<readonly number[]> {
  for (;;) {
    try {
      const lines = Deno.readTextFileSync(path).split("\n").slice(0, -1);
      if (lines.length >= count) return lines.map(Number);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function living(): readonly number[] {
  return descendants().map((process) => process.pid);
}

jailTest(
  "descendants finds what daemonised and what began a session, and killTree ends it",
  async () => {
    becomeSubreaper();
    await using jailed = await TestJail.start();
    const quiet = "</dev/null >/dev/null 2>&1";
    const script = `
    (sleep 1000 ${quiet} & echo $! >>pids)
    setsid sh -c 'echo $$ >>pids; exec sleep 1000' ${quiet} &
    setsid sh -c "setsid sh -c 'echo \\$\\$ >>pids; trap \\"\\" TERM HUP; while :; do sleep 1; done' & exit" ${quiet} &
    wait %2 %3 2>/dev/null; exit 0`;
    const run = jailed.sh(script, { timeoutMs: 2000, graceMs: 10 });
    const pids = await pidsIn(jailed.tree.at("work/pids"), 3);
    assertEquals(pids.filter((pid) => !living().includes(pid)), []);
    // Each is in a session that is not the command's.
    assertEquals(new Set(pids.map((pid) => syscall("getsid", pid))).size, 3);
    assertEquals(killTree(), true);
    assertEquals(living(), []);
    await run;
  },
);

jailTest(
  "descendants finds a process whose first thread has ended, and killTree ends it",
  async () => {
    becomeSubreaper();
    await using jailed = await TestJail.start();
    jailed.tree.add(
      "work/headless.py",
      `import ctypes, os, threading, time
kept = bytearray(b"x") * (16 << 20)
threading.Thread(target=lambda: time.sleep(1000)).start()
print(os.getpid(), file=open("pids", "w"), flush=True)
ctypes.CDLL(None).syscall(93 if os.uname().machine == "aarch64" else 60, 0)
`,
    );
    await jailed.sh("python3 headless.py </dev/null >/dev/null 2>&1 &");
    const [pid] = await pidsIn(jailed.tree.at("work/pids"), 1) as [number];
    await until(() => processEntry(pid)?.state === "Z");
    const found = descendants().find((process) => process.pid === pid);
    assert(found !== undefined && found.pages * 4096 > 16 << 20, JSON.stringify(found));
    assertStringIncludes(commandLine(pid), "headless.py");
    assertEquals(killTree(), true);
    assertEquals(living(), []);
  },
);

jailTest("killTree leaves what is kept, with all that descends from it", async () => {
  becomeSubreaper();
  await using jailed = await TestJail.start();
  const quiet = "</dev/null >/dev/null 2>&1";
  const nested = `sh -c 'echo $$ >>pids; sleep 1000 & echo $! >>pids; wait' ${quiet} &`;
  await jailed.sh(nested);
  const kept = await pidsIn(jailed.tree.at("work/pids"), 2);
  await jailed.sh(nested);
  const all = await pidsIn(jailed.tree.at("work/pids"), 4);
  const keep = new Set([kept[0]!]);
  assertEquals(killTree({ keep }), true);
  assertEquals(all.map((pid) => living().includes(pid)), [true, true, false, false]);
  assertEquals(descendants(keep), []);
  assertEquals(killTree(), true);
  assertEquals(living(), []);
});

jailTest("killTree ends a script that forks as fast as it can", async () => {
  becomeSubreaper();
  await using jailed = await TestJail.start();
  // Bounded by the number of processes that one round adds, not by luck: each lives for a second at most.
  const script = "echo up; while :; do sleep 1 & sleep 1 & sleep 0.005; done";
  const run = jailed.sh(script, { timeoutMs: 300, graceMs: 50 });
  assertEquals((await run).timedOut, true);
  assertEquals([killTree(), living()], [true, []]);
});

jailTest("killTree ends chains of processes that fork and exit at once", async () => {
  becomeSubreaper();
  await using jailed = await TestJail.start();
  const chain = [
    "import os, signal",
    "for s in (signal.SIGHUP, signal.SIGTERM): signal.signal(s, signal.SIG_IGN)",
    "for _ in range(3):",
    "  if os.fork() == 0: break",
    "else: os._exit(0)",
    "while True:",
    "  os.setsid()",
    "  if os.fork(): os._exit(0)",
  ].join("\n");
  const seen = new Set<number>();
  await jailed.run(["python3", "-c", chain]);
  while (seen.size < 10) {
    for (const pid of living()) seen.add(pid);
    // `setsid` is answered on this thread.
    await new Promise((resolve) => setTimeout(resolve));
  }
  assertEquals(killTree(), true);
  assertEquals([living(), hasChildren()], [[], false]);
}, { programs: ["python3"] });

Deno.test("processIds leaves out an id that was cut off", () => {
  assertEquals(processIds(""), []);
  assertEquals(processIds("12 345 "), [12, 345]);
  assertEquals(processIds("12 345 6"), [12, 345]);
  assertEquals(processIds("1"), []);
});

jailTest("reapOrphans reaps what has ended, and hasChildren sees it", async () => {
  becomeSubreaper();
  await using jailed = await TestJail.start();
  reapOrphans();
  const { stdout } = await jailed.sh("sleep 0.5 >/dev/null 2>&1 & echo $!");
  const orphan = Number(stdout);
  await until(() => living().length === 0);
  assertEquals([hasChildren(), syscall("kill", orphan, 0)], [true, 0]);
  reapOrphans(new Set([orphan]));
  assertEquals(syscall("kill", orphan, 0), 0);
  reapOrphans();
  assertEquals([hasChildren(), syscall("kill", orphan, 0)], [false, -3]);
});

jailTest("commandLine shows the words of a process", async () => {
  await using jailed = await TestJail.start();
  const words = ["sleep", "1000", "0.5", "x".repeat(300)];
  let shown = "";
  await jailed.sh('echo up; exec -a "$@" 2>/dev/null || exec "$@"', { timeoutMs: 1 });
  const run = jailed.run(["sh", "-c", "echo up; read -r _ </dev/zero", ...words], {
    timeoutMs: 300,
    onOutput: () => shown = commandLine(descendants()[0]!.pid),
  });
  await run;
  assert(shown.startsWith("sh -c echo up; read -r _ </dev/zero sleep 1000 0.5 xxx"), shown);
  assertEquals(shown.length, 200);
  assertEquals(commandLine(0), "(gone)");
});
