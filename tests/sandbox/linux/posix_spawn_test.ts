import { assertEquals, assertThrows } from "@std/assert";
import { close, open, read, syscall } from "../../../src/sandbox/linux/ffi.ts";
import { environmentBlock, prepareSpawn, Spawner } from "../../../src/sandbox/linux/posix_spawn.ts";
import { OPEN, POSIX_SPAWN } from "../../../src/sandbox/linux/uapi.ts";
import { openPipe } from "../../../src/sandbox/open_pipe.ts";
import { exited } from "../../../src/sandbox/supervise.ts";

const FLAGS = POSIX_SPAWN.SETSIGDEF | POSIX_SPAWN.SETSIGMASK | POSIX_SPAWN.SETSID;
// Opened once: no test of this file leaks it.
prepareSpawn();

Deno.test("Spawner gives each child its own directory, descriptors, arguments and environment", async () => {
  const idle = open("/dev/null", OPEN.RDWR);
  using spawner = new Spawner(FLAGS);
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
      environment: environmentBlock({ PATH: "/usr/bin:/bin", ...env }),
      cwd,
      fds: error ? [idle, idle, output.write] : [idle, output.write, idle],
    };
    const pid = spawner.spawn(request);
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
  using spawner = new Spawner(FLAGS);
  const request = { argv: ["true"], environment: "", fds: [] };
  assertEquals(spawner.spawn({ ...request, path: "/bin/true", cwd: "/absent" }), -2);
  assertEquals(spawner.spawn({ ...request, path: "/absent", cwd: "/" }), -2);
  assertThrows(() => spawner.spawn({ ...request, path: "/bin/true", cwd: "/\0" }), TypeError);
  await exited(spawner.spawn({ ...request, path: "/bin/true", cwd: "/" }), 60_000);
});
