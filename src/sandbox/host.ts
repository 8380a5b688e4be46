/** What this machine can enforce, asked of the kernel itself. */
import { close, open, syscall } from "./linux/ffi.ts";
import { readKernelFile } from "./linux/files.ts";
import { ERRNO, LANDLOCK_CREATE_RULESET_VERSION, OPEN, SECCOMP } from "./linux/uapi.ts";
import { type Architecture, syscallNumbers } from "./linux/syscalls.ts";

/** Facts about the host that a plan depends on. */
export interface Host {
  readonly architecture: Architecture;
  readonly kernel: string;
  /** Highest Landlock ABI of the running kernel, 0 when Landlock is absent or disabled. */
  readonly landlockAbi: number;
  /** True when seccomp filters can be installed. */
  readonly seccomp: boolean;
  /** True when a filter can hand calls to a supervisor that no signal takes them away from (Linux 5.19). */
  readonly supervision: boolean;
  readonly uid: number;
}

/**
 * Ask the kernel.
 *
 * @param pretendAbi an older Landlock ABI to act as if it were the kernel's, for tests of what older kernels lack; a
 * value above the kernel's own changes nothing.
 * @throws {RangeError} on an architecture that has no system call table, and on anything but Linux.
 */
export function probeHost(pretendAbi = Infinity): Host {
  if (Deno.build.os !== "linux") {
    throw new RangeError(`Cannot jail on "${Deno.build.os}": Linux only`);
  }
  const architecture = Deno.build.arch;
  syscallNumbers(architecture);
  const abi = syscall("landlock_create_ruleset", 0, 0, LANDLOCK_CREATE_RULESET_VERSION);
  const actions = readKernelFile("/proc/sys/kernel/seccomp/actions_avail") ?? "";
  return {
    architecture: architecture as Architecture,
    kernel: readKernelFile("/proc/sys/kernel/osrelease")?.trim() ?? "unknown",
    landlockAbi: Math.max(0, Math.min(abi, pretendAbi)),
    seccomp: actions.includes("errno"),
    supervision: actions.includes("user_notif") && knowsKillableWait(),
    uid: syscall("getuid"),
  };
}

/** A filter that cannot be read answers EFAULT, flags that are unknown EINVAL before that. */
function knowsKillableWait(): boolean {
  const flags = SECCOMP.FILTER_FLAG_NEW_LISTENER | SECCOMP.FILTER_FLAG_WAIT_KILLABLE_RECV;
  return syscall("seccomp", SECCOMP.SET_MODE_FILTER, flags, 0) === -ERRNO.EFAULT;
}

/** True when a path can be opened for reading by this thread. */
export function isReadable(path: string): boolean {
  const fd = open(path, OPEN.RDONLY | OPEN.NONBLOCK);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
