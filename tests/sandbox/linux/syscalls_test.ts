import { assertEquals, assertThrows } from "@std/assert";
import { syscallNumbers } from "../../../src/sandbox/linux/syscalls.ts";

Deno.test("syscallNumbers has the numbers of the kernel's tables", () => {
  // Spread over the tables, so that a name too many or too few moves one of them; null where there is no such call.
  const cases: readonly { in: string; x86_64: number; aarch64: number | null }[] = [
    { in: "read", x86_64: 0, aarch64: 63 },
    { in: "write", x86_64: 1, aarch64: 64 },
    { in: "open", x86_64: 2, aarch64: null },
    { in: "io_setup", x86_64: 206, aarch64: 0 },
    { in: "ioctl", x86_64: 16, aarch64: 29 },
    { in: "mount", x86_64: 165, aarch64: 40 },
    { in: "sched_yield", x86_64: 24, aarch64: 124 },
    { in: "socket", x86_64: 41, aarch64: 198 },
    { in: "connect", x86_64: 42, aarch64: 203 },
    { in: "clone", x86_64: 56, aarch64: 220 },
    { in: "execve", x86_64: 59, aarch64: 221 },
    { in: "kill", x86_64: 62, aarch64: 129 },
    { in: "fcntl", x86_64: 72, aarch64: 25 },
    { in: "chmod", x86_64: 90, aarch64: null },
    { in: "ptrace", x86_64: 101, aarch64: 117 },
    { in: "personality", x86_64: 135, aarch64: 92 },
    { in: "prctl", x86_64: 157, aarch64: 167 },
    { in: "setxattr", x86_64: 188, aarch64: 5 },
    { in: "exit_group", x86_64: 231, aarch64: 94 },
    { in: "keyctl", x86_64: 250, aarch64: 219 },
    { in: "openat", x86_64: 257, aarch64: 56 },
    { in: "unshare", x86_64: 272, aarch64: 97 },
    { in: "recvmmsg", x86_64: 299, aarch64: 243 },
    { in: "wait4", x86_64: 61, aarch64: 260 },
    { in: "prlimit64", x86_64: 302, aarch64: 261 },
    { in: "process_vm_readv", x86_64: 310, aarch64: 270 },
    { in: "seccomp", x86_64: 317, aarch64: 277 },
    { in: "bpf", x86_64: 321, aarch64: 280 },
    { in: "rseq", x86_64: 334, aarch64: 293 },
    { in: "kexec_file_load", x86_64: 320, aarch64: 294 },
    { in: "pidfd_send_signal", x86_64: 424, aarch64: 424 },
    { in: "io_uring_setup", x86_64: 425, aarch64: 425 },
    { in: "pidfd_open", x86_64: 434, aarch64: 434 },
    { in: "clone3", x86_64: 435, aarch64: 435 },
    { in: "openat2", x86_64: 437, aarch64: 437 },
    { in: "landlock_create_ruleset", x86_64: 444, aarch64: 444 },
    { in: "set_mempolicy_home_node", x86_64: 450, aarch64: 450 },
    { in: "cachestat", x86_64: 451, aarch64: 451 },
    { in: "fchmodat2", x86_64: 452, aarch64: 452 },
    { in: "statmount", x86_64: 457, aarch64: 457 },
    { in: "mseal", x86_64: 462, aarch64: 462 },
    { in: "removexattrat", x86_64: 466, aarch64: 466 },
  ];
  for (const { in: name, x86_64, aarch64 } of cases) {
    assertEquals(syscallNumbers("x86_64").get(name), x86_64, name);
    assertEquals(syscallNumbers("aarch64").get(name) ?? null, aarch64, name);
  }
});

Deno.test("syscallNumbers gives each number once", () => {
  for (const architecture of ["x86_64", "aarch64"]) {
    const numbers = syscallNumbers(architecture);
    assertEquals(new Set(numbers.values()).size, numbers.size, architecture);
    assertEquals([...numbers.keys()].filter((name) => !/^[a-z_0-9]+$/.test(name)), []);
  }
});

Deno.test("syscallNumbers refuses an architecture without a table", () => {
  for (const architecture of ["riscv64", "i386", "", "constructor"]) {
    assertThrows(
      () => syscallNumbers(architecture),
      RangeError,
      `Cannot jail on architecture "${architecture}": x86_64 and aarch64 are known`,
    );
  }
});
