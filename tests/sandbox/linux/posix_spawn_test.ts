import { assertEquals, assertThrows } from "@std/assert";
import { close, open, read, syscall } from "../../../src/sandbox/linux/ffi.ts";
import { prepareSpawn, Spawner, SpawnMemory } from "../../../src/sandbox/linux/posix_spawn.ts";
import { OPEN } from "../../../src/sandbox/linux/uapi.ts";
import { openPipe } from "../../../src/sandbox/open_pipe.ts";
import { exited } from "../../../src/sandbox/supervise.ts";

// Opened once: no test of this file leaks it.
prepareSpawn();
/** Referenced until the end. */
const held = new Set<unknown>();

Deno.test("Spawner gives each child its own directory, descriptors, arguments and environment", async () => {
  const idle = open("/dev/null", OPEN.RDWR);
  using spawner = new Spawner();
  const memory = new SpawnMemory();
  const long = "x".repeat(70_000);
  const cases: readonly {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly arg: string;
    /** Whether the output is descriptor 2. */
    readonly error: boolean;
  }[] = [
    { cwd: "/usr", env: { A: "1" }, arg: "a", error: false },
    { cwd: "/usr", env: { A: "1" }, arg: "b", error: false },
    { cwd: "/usr", env: { A: "" }, arg: "b", error: true },
    { cwd: "/", env: {}, arg: "", error: true },
    { cwd: "/usr", env: { A: long }, arg: long, error: false },
    { cwd: "/usr", env: { A: "1", B: "2" }, arg: "a", error: false },
  ];
  for (const { cwd, env, arg, error } of cases) {
    const output = openPipe();
    const said = 'exec 2>&1; echo "$(pwd) ${#A} ${A-none} ${B-none} ${#1}" | cut -c 1-60';
    const request = {
      path: "/bin/sh",
      argv: ["sh", "-c", error ? said.replace("2>&1", ">&2") : said, "sh", arg],
      env: { PATH: "/usr/bin:/bin", ...env },
      cwd,
      fds: error ? [idle, idle, output.write] : [idle, output.write, idle],
    };
    const prepared = memory.prepare(request);
    const pid = spawner.spawn(prepared);
    held.add(prepared);
    close(output.write);
    const bytes = new Uint8Array(100);
    const text = new TextDecoder().decode(bytes.subarray(0, read(output.read, bytes)));
    const { A, B } = env;
    const want = `${cwd} ${A?.length ?? 0} ${A ?? "none"} ${B ?? "none"} ${arg.length}\n`;
    assertEquals(text.trim().slice(0, 60), want.trim().slice(0, 60));
    assertEquals(syscall("getsid", pid), pid);
    await exited(pid, 60_000);
    close(output.read);
  }
  close(idle);
});

Deno.test("Spawner starts the next child after one that could not be started", async () => {
  using spawner = new Spawner();
  const memory = new SpawnMemory();
  const start = (path: string, cwd: string, argv = ["true"]) => {
    const prepared = memory.prepare({ argv, env: { A: "1" }, fds: [], path, cwd });
    const pid = spawner.spawn(prepared);
    held.add(prepared);
    return pid;
  };
  assertEquals(start("/bin/true", "/absent"), -2);
  assertEquals(start("/absent", "/"), -2);
  for (const [path, cwd, ...argv] of [["/bin/true", "/\0"], ["/\ud800", "/"], ["/x", "/", "\0"]]) {
    assertThrows(() => start(path!, cwd!, argv), TypeError, "Cannot pass text");
  }
  await exited(start("/bin/true", "/"), 60_000);
});

Deno.test("SpawnMemory.prepare refuses an environment that the kernel could not be given exactly", () => {
  const request = { path: "/bin/true", argv: ["true"], cwd: "/", fds: [] };
  const memory = new SpawnMemory();
  // Halves that would be a pair with nothing between them, and a text that would be two.
  const unfit: readonly Record<string, string>[] = [
    { A: "x\0B=y" },
    { "A\0": "x" },
    { A: "\ud83d", "\ude00": "x" },
  ];
  for (const env of unfit) {
    assertThrows(() => memory.prepare({ ...request, env }), TypeError, "Cannot pass text");
  }
});

Deno.test("what Spawner is given stays where it is, however much memory comes and goes meanwhile", async () => {
  using spawner = new Spawner();
  const memory = new SpawnMemory();
  const output = openPipe();
  const script = 'echo "$A $1"; pwd';
  const prepared = memory.prepare({
    path: "/bin/sh",
    argv: ["sh", "-c", script, "sh", "argument"],
    env: { A: "environment" },
    cwd: "/usr",
    fds: [output.write, output.write, output.write],
  });
  // More than a young generation, so that everything that nobody references has been given to others.
  let churn: Uint8Array[] = [];
  for (let round = 0; round < 2000; round++) {
    churn = [...churn.slice(-50), new Uint8Array(100_000).fill(round), new Uint8Array(32).fill(65)];
  }
  const pid = spawner.spawn(prepared);
  held.add(prepared);
  close(output.write);
  await exited(pid, 60_000);
  const bytes = new Uint8Array(100);
  const text = new TextDecoder().decode(bytes.subarray(0, read(output.read, bytes)));
  assertEquals([text, churn.length], ["environment argument\n/usr\n", 52]);
  close(output.read);
});
