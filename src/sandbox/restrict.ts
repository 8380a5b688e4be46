/**
 * Restrict the calling thread for ever: no new privileges, no capabilities, a Landlock domain, a seccomp filter.
 * Every process that this thread starts inherits all four; the other threads of the process stay as they were.
 *
 * Runs in the jail's worker only. Every call here is blocking: on a pool thread it would restrict that thread instead.
 */
import { SystemCallError } from "../errors.ts";
import { close, open, prctl, syscall } from "./linux/ffi.ts";
import { installListener } from "./linux/notify.ts";
import { openResolved, readKernelFile } from "./linux/files.ts";
import {
  CAP_LAST,
  CAPABILITY_VERSION_3,
  CLONE_FS,
  ERRNO,
  LANDLOCK_FS,
  LANDLOCK_RULE_PATH_BENEATH,
  LANDLOCK_SCOPE,
  OPEN,
  PR,
  SECCOMP,
  SECUREBITS_LOCKED,
} from "./linux/uapi.ts";
import { type Access, grantedRights, pathBeneathAttribute, rulesetAttribute } from "./landlock.ts";

/** One path that the jail may use; already resolved, no symbolic link in it. */
export interface PathGrant extends Access {
  readonly path: string;
  readonly directory: boolean;
  readonly device: boolean;
}

/** What to impose. */
export interface Restriction {
  readonly landlockAbi: number;
  readonly net: "none" | "all";
  readonly grants: readonly PathGrant[];
  /** Files and directories that may be executed; null for everything that may be read. Links in them grant nothing. */
  readonly executable: readonly string[] | null;
  /** The seccomp program (seccomp.ts). */
  readonly filter: Uint8Array<ArrayBuffer>;
  /** Whether the filter gets a listener. */
  readonly supervised: boolean;
}

/** What `/proc/thread-self/status` says of a thread or process. */
export interface Proof {
  readonly noNewPrivs: number;
  readonly seccomp: number;
  readonly capEff: string;
}

/** What opening a path answers when it is no longer what it was. */
const GONE = new Set([-ERRNO.ENOENT, -ERRNO.ENOTDIR, -ERRNO.ELOOP, -ERRNO.EACCES]);

function check(call: string, result: number, about: string): number {
  if (result >= 0) return result;
  throw new SystemCallError(
    call,
    -result,
    `Cannot restrict the jail: ${call} (${about}) failed with errno ${-result}`,
  );
}

function dropCapabilities(): void {
  for (let capability = 0; capability <= CAP_LAST; capability++) {
    const result = prctl(PR.CAPBSET_DROP, capability);
    // An ordinary user lacks CAP_SETPCAP; no_new_privs then keeps the bounding set from ever being used.
    if (result === -ERRNO.EPERM || result === -ERRNO.EINVAL) break;
    check("prctl", result, `PR_CAPBSET_DROP ${capability}`);
  }
  const securebits = prctl(PR.SET_SECUREBITS, SECUREBITS_LOCKED);
  if (securebits !== -ERRNO.EPERM) check("prctl", securebits, "PR_SET_SECUREBITS");
  check("prctl", prctl(PR.CAP_AMBIENT, PR.CAP_AMBIENT_CLEAR_ALL), "PR_CAP_AMBIENT_CLEAR_ALL");
}

function clearCapabilities(): void {
  // struct __user_cap_header_struct { version, pid } and two empty __user_cap_data_struct, linux/capability.h.
  const header = new Uint32Array([CAPABILITY_VERSION_3, 0]);
  check("capset", syscall("capset", header, new Uint32Array(6)), "empty sets");
}

function applyLandlock(restriction: Restriction): void {
  const abi = restriction.landlockAbi;
  // Only a policy with "best-effort" gets this far without Landlock (plan.ts).
  if (abi === 0) return;
  const attribute = rulesetAttribute(abi, restriction.net);
  const ruleset = check(
    "landlock_create_ruleset",
    syscall("landlock_create_ruleset", attribute, attribute.byteLength, 0),
    `ABI ${abi}`,
  );
  try {
    const executes = restriction.executable === null;
    for (const grant of restriction.grants) {
      addRule(ruleset, grant.path, grantedRights(grant, { ...grant, abi, executes }));
    }
    for (const path of restriction.executable ?? []) addRule(ruleset, path, LANDLOCK_FS.EXECUTE);
    check("landlock_restrict_self", syscall("landlock_restrict_self", ruleset, 0), `ABI ${abi}`);
  } finally {
    close(ruleset);
  }
}

/**
 * A domain below the jail's own, whose signals reach neither it nor what is only in it. Every layer denies REFER unless it
 * grants it (`linux/landlock.h`), so this one grants it everywhere: what may be renamed and linked is the jail's to say.
 */
function applySignalDomain(): void {
  const attribute = new BigUint64Array([LANDLOCK_FS.REFER, 0n, LANDLOCK_SCOPE.SIGNAL]);
  const ruleset = check(
    "landlock_create_ruleset",
    syscall("landlock_create_ruleset", attribute, attribute.byteLength, 0),
    "signals",
  );
  const root = open("/", OPEN.PATH);
  try {
    const rule = pathBeneathAttribute(LANDLOCK_FS.REFER, check("openat", root, "/"));
    const added = syscall("landlock_add_rule", ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0);
    check("landlock_add_rule", added, "/");
    check("landlock_restrict_self", syscall("landlock_restrict_self", ruleset, 0), "signals");
  } finally {
    close(root);
    close(ruleset);
  }
}

function addRule(ruleset: number, path: string, rights: bigint): void {
  // The kernel refuses a rule without rights.
  if (rights === 0n) return;
  // A link would be one that a command has put in the place of what was planned: following it would grant its target.
  const fd = openResolved(path, OPEN.PATH);
  // A path that is gone since it was planned grants nothing, which is the safe side.
  if (GONE.has(fd)) return;
  check("openat", fd, path);
  try {
    const rule = pathBeneathAttribute(rights, fd);
    const result = syscall("landlock_add_rule", ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0);
    check("landlock_add_rule", result, path);
  } finally {
    close(fd);
  }
}

/** @returns the listener, null without one. */
function applySeccomp({ filter, supervised }: Restriction): number | null {
  // struct sock_fprog { u16 len; struct sock_filter *filter }, linux/filter.h.
  const program = new BigUint64Array(2);
  new DataView(program.buffer).setUint16(0, filter.byteLength / 8, true);
  program[1] = Deno.UnsafePointer.value(Deno.UnsafePointer.of(filter));
  const about = "SECCOMP_SET_MODE_FILTER";
  if (supervised) return check("seccomp", installListener(program), `${about}, listener`);
  check("seccomp", syscall("seccomp", SECCOMP.SET_MODE_FILTER, 0, program), about);
  return null;
}

/** Read the proof of a thread or process back from its `status` file; null when it cannot be read. */
export function readProof(path: string): Proof | null {
  return parseProof(readKernelFile(path) ?? "");
}

/** Read the proof from the text of a `status` file (proc(5)); null when something is missing. */
export function parseProof(text: string): Proof | null {
  const field = (name: string) => text.match(new RegExp(`^${name}:\\s*(\\w+)$`, "m"))?.[1];
  const [noNewPrivs, seccomp, capEff] = [field("NoNewPrivs"), field("Seccomp"), field("CapEff")];
  if (noNewPrivs === undefined || seccomp === undefined || capEff === undefined) return null;
  return { noNewPrivs: Number(noNewPrivs), seccomp: Number(seccomp), capEff };
}

/** True when the facts are those of a jailed thread: no new privileges, a filter, no effective capability. */
export function proves(proof: Proof | null): proof is Proof {
  return proof !== null && proof.noNewPrivs === 1 && proof.seccomp === 2 &&
    /^0+$/.test(proof.capEff);
}

/**
 * Apply the restriction.
 *
 * @param beside started in the jail's file system domain, before commands get a domain below it; null for nothing.
 * @returns the filter's listener, which the other threads of the process see under the same number; null without one.
 * @throws {SystemCallError} when a call fails.
 */
export function restrictThread(
  restriction: Restriction,
  beside: (() => void) | null = null,
): number | null {
  if (restriction.supervised) {
    // A working directory and umask of its own: it makes sockets where commands ask for them (jail_worker.ts).
    check("unshare", syscall("unshare", CLONE_FS), "CLONE_FS");
  }
  check("prctl", prctl(PR.SET_NO_NEW_PRIVS, 1), "PR_SET_NO_NEW_PRIVS");
  dropCapabilities();
  applyLandlock(restriction);
  clearCapabilities();
  if (beside !== null) {
    beside();
    applySignalDomain();
  }
  return applySeccomp(restriction);
}

/**
 * Read the restriction of this thread back.
 *
 * @throws {SystemCallError} when the kernel does not report what was asked for.
 */
export function proveThread(): Proof {
  const proof = readProof("/proc/thread-self/status");
  if (!proves(proof)) {
    throw new SystemCallError(
      "seccomp",
      0,
      `Cannot prove the jail: the kernel reports ${JSON.stringify(proof)}`,
    );
  }
  return proof;
}
