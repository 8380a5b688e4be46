import { assertEquals } from "@std/assert";
import { syscall } from "../../src/sandbox/linux/ffi.ts";
import { posixSpawn, prepareSpawn } from "../../src/sandbox/linux/posix_spawn.ts";
import { RLIMIT } from "../../src/sandbox/linux/uapi.ts";
import { ProcessBounder } from "../../src/sandbox/resource_limits.ts";
import { exited } from "../../src/sandbox/supervise.ts";

// Opened once: no test of this file leaks it.
prepareSpawn();
const NONE = { fileBytes: 0, openFiles: 0, processes: 0 };

function limitsOf(pid: number, resource: number): readonly bigint[] {
  const limits = new BigUint64Array(2);
  assertEquals(syscall("prlimit64", pid, resource, 0, limits), 0);
  return [...limits];
}

Deno.test("ProcessBounder lowers soft and hard limits and raises neither", async () => {
  const bounder = new ProcessBounder();
  const request = { argv: ["sleep", "60"], env: {}, cwd: "/", fds: [] };
  const pid = posixSpawn({ path: "/bin/sleep", ...request });
  try {
    const before = limitsOf(pid, RLIMIT.FSIZE);
    bounder.bound(pid, NONE);
    assertEquals(limitsOf(pid, RLIMIT.FSIZE), before);
    bounder.bound(pid, { ...NONE, fileBytes: 1 << 20 });
    assertEquals(limitsOf(pid, RLIMIT.FSIZE), [1n << 20n, 1n << 20n]);
    syscall("prlimit64", pid, RLIMIT.NOFILE, new BigUint64Array([50n, 80n]), 0);
    const cases = [
      { in: 90, want: [50n, 80n] },
      { in: 60, want: [50n, 60n] },
      { in: 1 << 20, want: [50n, 60n] },
      { in: 50, want: [50n, 50n] },
      { in: 40, want: [40n, 40n] },
    ];
    for (const { in: openFiles, want } of cases) {
      bounder.bound(pid, { ...NONE, openFiles });
      assertEquals(limitsOf(pid, RLIMIT.NOFILE), want, `${openFiles}`);
    }
    const [soft = 0n] = limitsOf(pid, RLIMIT.NPROC);
    bounder.bound(pid, { ...NONE, processes: 1000 });
    const [lowered = 0n] = limitsOf(pid, RLIMIT.NPROC);
    // Beyond what runs here already.
    assertEquals(lowered > 1000n || lowered === soft, true, `${lowered}`);
  } finally {
    syscall("kill", pid, 9);
    await exited(pid, 60_000);
  }
});
