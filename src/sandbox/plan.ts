/** A policy compiled for this host and session: what a run imposes and what `explain` shows are this one object. */
import { type PermissionName, PERMISSIONS, type Policy, type Rule } from "../policy/policy.ts";
import { coversPath } from "../policy/match.ts";
import { findWritableFile } from "../policy/writable_file.ts";
import { Exclusions } from "./exclusions.ts";
import { grantTree, type Watched } from "./grants.ts";
import type { Host } from "./host.ts";
import { realPath } from "./linux/files.ts";
import type { PathGrant } from "./restrict.ts";

/** How a permission is enforced: by the kernel, by checks of Debrief's own, or not at all. */
export type EnforcementLabel = "kernel" | "checked" | "unsupported";

/** A rule that this host or this version cannot enforce, and why. */
export interface Unsupported {
  readonly permission: PermissionName;
  readonly reason: string;
  /** `file:line` of the rule. */
  readonly at: string;
}

/** The compiled policy. */
export interface Plan {
  /** What it was compiled from. */
  readonly policy: Policy;
  /** The ABI whose rights are used. */
  readonly landlockAbi: number;
  /** Whether commands may open network connections. */
  readonly net: "none" | "all";
  /** Files and directories that commands may use. */
  readonly grants: readonly PathGrant[];
  /** Files whose replacement outdates the plan. */
  readonly watched: readonly Watched[];
  /** How each permission is enforced. */
  readonly labels: Readonly<Record<PermissionName, EnforcementLabel>>;
  /** Rules that cannot be enforced here. */
  readonly unsupported: readonly Unsupported[];
}

/** What a plan is made from besides the policy. */
export interface PlanContext {
  readonly host: Host;
  /** Paths that no policy can grant: the state directory with journal, key, lock and spool. */
  readonly hidden: readonly string[];
  /** Paths that every command may read: the session's copies of records and outputs. */
  readonly readable: readonly string[];
}

/** The lowest ABI under which all of what the default policy promises is the kernel's work: signals need 6 (Linux 6.12). */
export const REQUIRED_ABI = 6;

/** Never writable: what lies there are settings of the kernel, not files. */
const KERNEL_FILES = ["/proc", "/sys"];
/** Writable one by one only, not through a wide grant. */
const DEVICES = "/dev";
/** Those that a wide grant means nevertheless: writing to them changes nothing. */
const HARMLESS_DEVICES = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];

function place(rule: Rule): string {
  return `${rule.source.file}:${rule.source.line}`;
}

/**
 * What a permission must leave out. What may not be read may not be written either, nor may entries beside it: renamed
 * or linked, it would be another file for the next plan, which would grant it.
 */
function deniedPaths(policy: Policy, permission: "read" | "write"): readonly string[] {
  const read = policy.read.deny.map((rule) => rule.pattern);
  if (permission === "read") return read;
  return [...read, ...policy.write.deny.map((rule) => rule.pattern), ...KERNEL_FILES];
}

/** True when a link on the way to a path lies where commands may write: they could make it lead anywhere. */
function isMovable(policy: Policy, path: string): boolean {
  const writable = findWritableFile(policy, [path]);
  return writable !== null && writable.path !== realPath(path);
}

function compilePaths(
  policy: Policy,
  permission: "read" | "write",
  hidden: readonly string[],
): { readonly grants: PathGrant[]; readonly watched: Watched[] } {
  const denied = deniedPaths(policy, permission);
  const narrow = new Exclusions([...denied, ...hidden]);
  const wide = permission === "write" ? new Exclusions([...denied, ...hidden, DEVICES]) : narrow;
  const grants: PathGrant[] = [];
  const watched: Watched[] = [];
  if (permission === "write" && policy.write.allow.some((rule) => rule.pattern === "/")) {
    for (const path of HARMLESS_DEVICES) {
      grants.push(...grantTree(path, { exclusions: narrow, read: false, write: true }).paths);
    }
  }
  for (const rule of policy[permission].allow) {
    const path = realPath(rule.pattern);
    if (path === null || (path !== rule.pattern && isMovable(policy, rule.pattern))) continue;
    const exclusions = path === "/" ? wide : narrow;
    const granted = grantTree(path, {
      exclusions,
      read: permission === "read",
      write: permission === "write",
    });
    grants.push(...granted.paths);
    watched.push(...granted.watched);
  }
  return { grants, watched };
}

function merge(grants: readonly PathGrant[]): readonly PathGrant[] {
  const merged = new Map<string, PathGrant>();
  for (const grant of grants) {
    const known = merged.get(grant.path);
    merged.set(
      grant.path,
      known
        ? {
          ...grant,
          read: known.read || grant.read,
          write: known.write || grant.write,
          list: known.list || grant.list,
        }
        : grant,
    );
  }
  return [...merged.values()];
}

function findUnsupported(policy: Policy, host: Host): readonly Unsupported[] {
  const found: Unsupported[] = [];
  const add = (permission: PermissionName, reason: string, rule?: Rule) =>
    found.push({
      permission,
      reason,
      at: rule
        ? place(rule)
        : `${policy[permission].source.file}:${policy[permission].source.line}`,
    });
  if (host.landlockAbi < REQUIRED_ABI) {
    const has = host.landlockAbi === 0 ? "has no Landlock" : `has Landlock ABI ${host.landlockAbi}`;
    const reason = `kernel ${host.kernel} ${has}, ${REQUIRED_ABI} (Linux 6.12) is needed`;
    for (const permission of ["read", "write"] as const) add(permission, reason);
  }
  if (!host.seccomp) add("net", `kernel ${host.kernel} has no seccomp filters`);
  const everything = policy.net.allow.find((rule) => rule.pattern === "*");
  for (
    const rule of [
      ...(everything ? [] : policy.net.allow),
      ...policy.net.deny.filter((rule) => rule.pattern !== "*"),
    ]
  ) {
    add("net", `net by host is not enforced by this version: only "true" and "false" are`, rule);
  }
  for (const rule of policy.write.allow) {
    const path = realPath(rule.pattern) ?? rule.pattern;
    if (KERNEL_FILES.some((kernel) => coversPath(kernel, path))) {
      add("write", "files of the kernel are never writable", rule);
    }
  }
  return found;
}

/**
 * Compile a policy. Reads the file system (real paths, directories that must be split) but changes nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { loadPolicy, planJail, probeHost } from "@debrief/debrief";
 *
 * const TMP = Deno.makeTempDirSync();
 * const variables = { WORKSPACE: TMP, HOME: "/nonexistent", TMP };
 * const configDir = "/nonexistent";
 * const policy = loadPolicy({ choice: "readonly", envChoice: null, configDir, variables, trustPolicy: false });
 * const plan = planJail(policy, { host: probeHost(), hidden: [], readable: [] });
 * assertEquals(plan.net, "none");
 * assertEquals(plan.grants.some(({ path, write }) => path === "/usr" && write), false);
 * ```
 */
export function planJail(policy: Policy, context: PlanContext): Plan {
  const { host } = context;
  const read = compilePaths(policy, "read", context.hidden);
  const write = compilePaths(policy, "write", context.hidden);
  const extra = context.readable.flatMap((path) =>
    grantTree(path, { exclusions: new Exclusions([]), read: true, write: false }).paths
  );
  const unsupported = findUnsupported(policy, host);
  const label = (permission: PermissionName): EnforcementLabel => {
    if (unsupported.some((entry) => entry.permission === permission)) return "unsupported";
    // The parse tree decides which programs may be named; what a program then executes is for read and write to bound.
    return permission === "run" ? "checked" : "kernel";
  };
  const all = policy.net.allow.some((rule) => rule.pattern === "*") && policy.net.deny.length === 0;
  return {
    policy,
    landlockAbi: host.landlockAbi,
    net: all ? "all" : "none",
    grants: merge([...read.grants, ...write.grants, ...extra]),
    watched: [...read.watched, ...write.watched],
    labels: Object.fromEntries(PERMISSIONS.map((name) => [name, label(name)])) as Record<
      PermissionName,
      EnforcementLabel
    >,
    unsupported,
  };
}

/** Refusals that stop a run, in words; empty when the plan may run. */
export function refusals(plan: Plan): readonly string[] {
  if (plan.policy.enforcement === "best-effort") return [];
  return plan.unsupported.map((entry) => `${entry.permission} (${entry.at}): ${entry.reason}`);
}
