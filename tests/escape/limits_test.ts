/** What a command may use is bounded, whatever it does, and its record says which bound it met. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import type { Place } from "./place.ts";
import { type Backend, BOTH, bounded, runnerTest } from "./runner.ts";

/** A command that goes beyond a bound, and one that is as the bound allows. */
interface LimitCase {
  readonly limits: Readonly<Record<string, string | number>>;
  readonly beyond: string;
  readonly within: string;
  readonly want: string;
}

const BOMB = "b() { b | b & }; b";

/** A second thread takes so many MiB as it is let, and ends all; the first one is gone by then (SYS_exit). */
const HEADLESS = `import ctypes, os, threading, time
def grow(more):
  def thread():
    a = []
    while more(4 * len(a)): a.append(bytearray(b"x") * (4 << 20))
    time.sleep(0.3)
    os._exit(0)
  threading.Thread(target=thread).start()
  ctypes.CDLL(None).syscall(93 if os.uname().machine == "aarch64" else 60, 0)
`;

/** What the shell measures by itself, or another case of the same bound has. */
const KERNEL_ONLY: ReadonlySet<string> = new Set(["CPU time", "silence", "output"]);

const CASES: Readonly<Record<string, LimitCase>> = {
  "a fork bomb": {
    limits: { processes: 100 },
    beyond: `${BOMB}; sleep 60`,
    within: "for i in 1 2 3 4 5 6 7 8; do sleep 0.2 & done; wait",
    want: "process limit of 100",
  },
  "a fork bomb of daemons": {
    limits: { processes: 100 },
    beyond: "d() { (setsid bash -c 'd; d' >/dev/null 2>&1 &); }; export -f d; d; sleep 60",
    within: "setsid true; sleep 0.3",
    want: "process limit of 100",
  },
  "a memory bomb": {
    limits: { memory: "256M" },
    beyond: "exec python3 -c 'a = []\nwhile True: a.append(bytearray(4 << 20))'",
    within: "python3 -c 'a = bytearray(64 << 20); import time; time.sleep(0.3)'",
    want: "memory limit of 256 MB",
  },
  "memory of many processes": {
    limits: { memory: "256M" },
    beyond:
      "for i in 1 2 3 4 5 6 7 8; do python3 -c 'a = bytearray(64 << 20); import time; time.sleep(60)' & done; wait",
    within: "python3 -c 'a = bytearray(64 << 20)'; python3 -c 'a = bytearray(64 << 20)'",
    want: "memory limit of 256 MB",
  },
  "memory of a process whose first thread has ended": {
    limits: { memory: "256M" },
    beyond: `python3 -c '${HEADLESS}grow(lambda size: True)'`,
    within: `python3 -c '${HEADLESS}grow(lambda size: size < 64)'`,
    want: "memory limit of 256 MB",
  },
  "CPU time": {
    limits: { cpu: "1s" },
    beyond: "while :; do :; done",
    within: "sleep 1.5",
    want: "CPU time limit of 1 s",
  },
  "CPU time of many processes": {
    limits: { cpu: "2s" },
    beyond: "(while :; do :; done) & (while :; do :; done) & wait",
    within: "sleep 1 & sleep 1 & wait",
    want: "CPU time limit of 2 s",
  },
  "silence": {
    limits: { idle: "4s" },
    beyond: "echo one; sleep 60",
    within: "for i in 1 2 3; do echo $i; sleep 0.2; done",
    want: "limit of 4 s without output",
  },
  "output": {
    limits: { output: "1M" },
    beyond: "yes",
    within: "head -c 300000 /dev/zero | tr '\\0' a; head -c 300000 /dev/zero | tr '\\0' b >&2",
    want: "output limit of 1 MB",
  },
  "a file": {
    limits: { fileSize: "1M" },
    beyond: "head -c 2000000 /dev/zero >file; exit $?",
    within: "head -c 1000000 /dev/zero >file",
    want: "file size limit of 1 MB",
  },
};

async function setLimits(
  place: Place,
  { limits, backend }: { readonly limits: LimitCase["limits"]; readonly backend: Backend },
): Promise<void> {
  const policy = { extends: "default", backend, limits: { grace: "300ms", ...limits } };
  await place.write("policy.jsonc", `${JSON.stringify(policy, null, 2)}\n`);
  await place.own();
}

for (const [name, { limits, beyond, within, want }] of Object.entries(CASES)) {
  runnerTest(`${name} is bounded`, async (place, backend) => {
    await setLimits(place, { limits, backend });
    const control = await bounded(place, ["-c", within]);
    assertEquals(control.code, 0, control.stderr);
    const { code, stderr } = await bounded(place, ["-c", beyond]);
    assert(![0, 124].includes(code), `${code}: ${stderr}`);
    assertStringIncludes(stderr, want);
    const [key] = Object.keys(limits);
    assertMatch(stderr, new RegExp(`\`limits\\.${key}\` \\(.*policy\\.jsonc:\\d+\\)`));
    const journal = await Deno.readTextFile(join(place.root, "state/debrief/journal.jsonl"));
    const record = JSON.parse(journal.trim().split("\n").at(-1)!);
    assertEquals(record.outcome, { kind: "killed", reason: want });
    // A file's size is each process's own matter; what Debrief itself ends has no exit.
    if (key !== "fileSize") {
      assertEquals([record.exit_code, record.error], [null, `ended by the ${want}`]);
    }
  }, { programs: ["python3", "setsid"], backends: KERNEL_ONLY.has(name) ? ["kernel"] : BOTH });
}

runnerTest("descriptors of a process are bounded", async (place, backend) => {
  await setLimits(place, { limits: { openFiles: 40 }, backend });
  const open = "python3 -c 'a = [open(\"/dev/null\") for _ in range(60)]'";
  const raise = "ulimit -n 4096 2>/dev/null || echo refused; ulimit -Hn";
  const { code, stdout, stderr } = await bounded(place, ["-c", `${raise}; ${open}`]);
  assertEquals([code, stdout], [1, "refused\n40\n"]);
  assertStringIncludes(stderr, "Too many open files");
  await setLimits(place, { limits: { openFiles: 400 }, backend });
  assertEquals((await bounded(place, ["-c", open])).code, 0);
}, { programs: ["python3"], once: true, backends: BOTH });

// Under bubblewrap nothing that a command left running outlives it.
runnerTest(
  "a fork bomb that was left running ends, and the session goes on",
  async (place, backend) => {
    await setLimits(place, { limits: { processes: 100 }, backend });
    const lines = [
      `(sleep 1; ${BOMB}) >/dev/null 2>&1 & true`,
      "sleep 60; echo not ended",
      "sleep 0.2; echo after",
    ];
    const { code, stdout, stderr } = await bounded(place, [], { stdin: lines.join("\n") });
    assertEquals(code, 0, stderr);
    assertMatch(stdout, /^after$/m);
    assert(!stdout.includes("not ended"), stdout);
    assertStringIncludes(stdout, "killed (process limit of 100)");
  },
);
