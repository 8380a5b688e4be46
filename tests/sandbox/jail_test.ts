import { assert, assertEquals, assertRejects } from "@std/assert";
import { JailError } from "../../src/sandbox/jail.ts";
import { syscall } from "../../src/sandbox/linux/ffi.ts";
import { readKernelFile } from "../../src/sandbox/linux/files.ts";
import { CLOSE_RANGE_CLOEXEC } from "../../src/sandbox/linux/uapi.ts";
import { hasChildren } from "../../src/sandbox/process_tree.ts";
import { openDescriptors } from "./open_descriptors.ts";
import { jailTest } from "./require_sandbox.ts";
import { TestJail } from "./test_jail.ts";

/** The value of one field of a `status` file (proc(5)). */
function field(status: string, name: string): string {
  const line = status.split("\n").find((line) => line.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`no field ${name}`);
  return line.slice(name.length + 1).trim();
}

/** `Seccomp` of each thread of this process, by thread id. */
function filteredThreads(): readonly { readonly tid: string; readonly seccomp: string }[] {
  return [...Deno.readDirSync("/proc/self/task")]
    .map(({ name }) => ({ tid: name, status: readKernelFile(`/proc/self/task/${name}/status`) }))
    .flatMap(({ tid, status }) =>
      status === null ? [] : [{ tid, seccomp: field(status, "Seccomp") }]
    );
}

function capabilities(status: string): readonly string[] {
  return ["CapInh", "CapPrm", "CapEff", "CapAmb"].map((name) => field(status, name));
}

const NO_CAPABILITY = "0000000000000000";

jailTest("a command in a Jail has no new privileges, a filter and no capability", async () => {
  await using jailed = await TestJail.start();
  const run = await jailed.run(["cat", "/proc/self/status"]);
  assertEquals(field(run.stdout, "NoNewPrivs"), "1");
  assertEquals(field(run.stdout, "Seccomp"), "2");
  assertEquals(capabilities(run.stdout), Array(4).fill(NO_CAPABILITY));
  assertEquals(run.proof, { noNewPrivs: 1, seccomp: 2, capEff: NO_CAPABILITY });
  assertEquals(jailed.jail.proof, run.proof);
  const own = readKernelFile("/proc/self/status")!;
  assertEquals([field(own, "NoNewPrivs"), field(own, "Seccomp")], ["0", "0"]);
});

jailTest("a Jail empties all capability sets of root", async () => {
  await using jailed = await TestJail.start();
  const { stdout } = await jailed.run(["cat", "/proc/self/status"]);
  assertEquals([...capabilities(stdout), field(stdout, "CapBnd")], Array(5).fill(NO_CAPABILITY));
  const own = readKernelFile("/proc/self/status")!;
  assert(field(own, "CapEff") !== NO_CAPABILITY && field(own, "CapBnd") !== NO_CAPABILITY);
}, { root: true });

jailTest("a Jail leads its command to a session, default signals and an empty mask", async () => {
  await using jailed = await TestJail.start();
  const run = await jailed.sh('read -r stat </proc/self/stat; echo "$stat"; cat /proc/self/status');
  const [pid, , , , group, session] = run.stdout.split("\n", 1)[0]!.split(" ");
  assertEquals([pid, group, session], Array(3).fill(String(run.pid)));
  for (const name of ["SigIgn", "SigBlk"]) assertEquals(field(run.stdout, name), NO_CAPABILITY);
  // The control: Deno itself ignores SIGPIPE (13), which a child would inherit.
  const ignored = BigInt(`0x${field(readKernelFile("/proc/self/status")!, "SigIgn")}`);
  assertEquals((ignored >> 12n) & 1n, 1n);
});

jailTest("a Jail gives descriptors 0, 1, 2 and the state descriptor only", async () => {
  await using jailed = await TestJail.start();
  using _open = Deno.openSync(jailed.tree.at("state/key"));
  // As the shell does first of all: whoever started this process may have left something open.
  syscall("close_range", 3, 0xffffffff, CLOSE_RANGE_CLOEXEC);
  // `ls` itself holds one more, for the directory that it reads.
  const list = ["ls", "/proc/self/fd"];
  assertEquals((await jailed.run(list)).stdout.split("\n").filter(Boolean), ["0", "1", "2", "3"]);
  const withState = await jailed.run(list, { withState: true });
  assertEquals(withState.stdout.split("\n").filter(Boolean), ["0", "1", "2", "3", "4"]);
  const script = "echo out; echo err >&2; echo state >&3; readlink /proc/self/fd/0";
  const { stdout, stderr, state } = await jailed.sh(script, { withState: true });
  assertEquals([stdout, stderr, state], ["out\n/dev/null\n", "err\n", "state\n"]);
  const without = await jailed.sh("(echo state >&3) 2>/dev/null || echo closed");
  assertEquals(without.stdout, "closed\n");
});

jailTest("a Jail restricts its own thread and no other, also after 50 commands", async () => {
  await using jailed = await TestJail.start();
  const restricted = () => filteredThreads().filter(({ seccomp }) => seccomp !== "0");
  const before = restricted();
  assertEquals(before.map(({ seccomp }) => seccomp), ["2"]);
  for (let count = 0; count < 50; count++) await jailed.run(["true"]);
  assertEquals(restricted(), before);
  assert(filteredThreads().length > 1);
  // The main thread and what it starts stay free.
  Deno.writeTextFileSync(jailed.tree.at("outside/new"), "free\n");
  const { stdout } = await new Deno.Command("cat", { args: [jailed.tree.at("state/key")] })
    .output();
  assertEquals(new TextDecoder().decode(stdout), "secret\n");
});

jailTest("a Jail is refused when its forbidden file is within reach", async () => {
  const access = [{ read: true, write: false }, { read: false, write: true }];
  for (const { read, write } of access) {
    const error = await assertRejects(
      () =>
        TestJail.start({
          order: (plan, tree) => {
            const path = tree.at("state/key");
            const grant = { path, read, write, list: false, directory: false, device: false };
            return { grants: [...plan.grants, grant] };
          },
        }),
      JailError,
    );
    assertEquals(error.message, `Cannot prove the jail: probe child answered ${read ? 41 : 43}`);
  }
});

jailTest("a Jail is refused when there is no forbidden file to prove it with", async () => {
  const error = await assertRejects(
    () => TestJail.start({ order: (_, tree) => ({ forbidden: tree.at("state/absent") }) }),
    JailError,
  );
  assertEquals(error.message.startsWith("Cannot prove the jail: "), true, error.message);
});

jailTest("a Jail is refused when the probe cannot run", async () => {
  const error = await assertRejects(
    () => TestJail.start({ order: () => ({ grants: [] }) }),
    JailError,
  );
  assertEquals(error.message.startsWith("Cannot prove the jail: "), true, error.message);
});

jailTest(
  "a Jail that fails its proof leaves neither thread nor process nor descriptor",
  async () => {
    // The forbidden file can be read, which shows only when the watchdog has been started.
    const failing = () =>
      TestJail.start({
        order: (_, tree) => ({ forbidden: tree.at("work/file"), watched: true }),
        prepare: (tree) => tree.add("work/file", ""),
      });
    const threads = () =>
      filteredThreads().filter(({ seccomp }) => seccomp === "2").map(({ tid }) => tid);
    // The first one may open what the process keeps.
    await assertRejects(() => failing(), JailError);
    // Threads of earlier jails may be ending: what counts is that none comes to stay.
    const before = { threads: new Set(threads()), descriptors: openDescriptors() };
    assertEquals(hasChildren(), false);
    for (let round = 0; round < 3; round++) await assertRejects(() => failing(), JailError);
    assertEquals(hasChildren(), false);
    while (
      threads().some((tid) => !before.threads.has(tid)) || openDescriptors() > before.descriptors
    ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  },
);

jailTest("Jail.close ends the thread", async () => {
  const before = new Set(filteredThreads().map(({ tid }) => tid));
  const jailed = await TestJail.start();
  const own = filteredThreads().find(({ tid, seccomp }) => seccomp === "2" && !before.has(tid));
  assert(own !== undefined);
  await jailed[Symbol.asyncDispose]();
  while (filteredThreads().some(({ tid }) => tid === own.tid)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

jailTest("Jail.spawn answers, also when the thread has ended", async () => {
  await using jailed = await TestJail.start();
  assertEquals((await jailed.run(["true"])).status?.kind, "exited");
  const order = { argv: ["true"], searchPath: "/usr/bin", env: {}, cwd: "/", fds: [] };
  const pending = jailed.jail.spawn(order);
  jailed.jail.close();
  for (const reply of [await pending, await jailed.jail.spawn(order)]) {
    assertEquals(reply, {
      kind: "failed",
      message: "Cannot use the jail: closed",
      heldUp: false,
    });
  }
});
