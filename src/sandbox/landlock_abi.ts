/**
 * What each Landlock ABI brought, what the default policy needs it for, and what stands in for it on kernels without it.
 * The plan, `debrief doctor` and the table of the reference are made from this one list.
 */
import type { PermissionName } from "../policy/policy.ts";

/** What a jail promises besides the rules of a policy. */
export type GuardName = "signals" | "devices" | "execution" | "protected";

/** One ABI. Names of rights and kernel versions: `linux/landlock.h` and landlock(7). */
export interface AbiRow {
  readonly abi: number;
  /** First release of Linux that has it. */
  readonly kernel: string;
  /** Names of `linux/landlock.h` without their prefix. */
  readonly brings: string;
  readonly need: string;
  /** What holds without it, null when nothing does. */
  readonly substitute: string | null;
  /** What cannot be enforced without it, by the kernel backend. */
  readonly without: readonly (PermissionName | GuardName)[];
}

/** The ABIs, oldest first. A newer one than the last is used as the last. */
export const ABI_TABLE: readonly AbiRow[] = [
  {
    abi: 1,
    kernel: "5.13",
    brings: "EXECUTE, READ_FILE, READ_DIR, WRITE_FILE, REMOVE_*, MAKE_*",
    need: "files by path",
    substitute: null,
    without: ["read", "write"],
  },
  {
    abi: 2,
    kernel: "5.19",
    brings: "REFER",
    need: "moving and linking files from one directory to another",
    substitute: "the kernel refuses both (EXDEV), so that mv copies and ln fails",
    without: [],
  },
  {
    abi: 3,
    kernel: "6.2",
    brings: "TRUNCATE",
    need: "files outside the grants are not emptied",
    substitute: null,
    without: ["write"],
  },
  {
    abi: 4,
    kernel: "6.7",
    brings: "BIND_TCP, CONNECT_TCP",
    need: "no TCP connections",
    substitute: "seccomp decides about sockets before Landlock is asked",
    without: [],
  },
  {
    abi: 5,
    kernel: "6.10",
    brings: "IOCTL_DEV",
    need: "no ioctl on devices in a granted directory",
    substitute: "a policy that names its devices one by one, as the built-in ones do, needs none",
    without: ["devices"],
  },
  {
    abi: 6,
    kernel: "6.12",
    brings: "SCOPE_SIGNAL, SCOPE_ABSTRACT_UNIX_SOCKET",
    need: "no signals to the user's other processes",
    substitute: null,
    without: ["signals"],
  },
  {
    abi: 7,
    kernel: "6.15",
    brings: "LOG_* (audit)",
    need: "nothing",
    substitute: "not needed",
    without: [],
  },
];

/** The lowest ABI under which the kernel backend keeps all of what the default policy promises. */
export const REQUIRED_ABI = Math.max(
  ...ABI_TABLE.filter(({ without }) => without.some((name) => name !== "devices"))
    .map(({ abi }) => abi),
);

/** The row by which a kernel misses something, null when it has all that the name needs. */
export function missingAbi(name: PermissionName | GuardName, abi: number): AbiRow | null {
  return ABI_TABLE.find((row) => row.abi > abi && row.without.includes(name)) ?? null;
}

/** Why a kernel cannot enforce something, in words. */
export function describeMissing(
  row: AbiRow,
  host: { readonly kernel: string; readonly landlockAbi: number },
): string {
  const has = host.landlockAbi === 0 ? "has no Landlock" : `has Landlock ABI ${host.landlockAbi}`;
  return `kernel ${host.kernel} ${has}, ${row.abi} (Linux ${row.kernel}: ${row.brings}) is needed`;
}
