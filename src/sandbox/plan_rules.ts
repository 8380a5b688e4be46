/** How each rule of a policy, and what a jail promises besides, is enforced on this host. */
import { formatLocation } from "../policy/denial.ts";
import { coversPath } from "../policy/match.ts";
import { type PermissionName, PERMISSIONS, type Policy, type Rule } from "../policy/policy.ts";
import type { Host } from "./host.ts";
import { type AbiRow, describeMissing, type GuardName, missingAbi } from "./landlock_abi.ts";
import { realPath } from "./linux/files.ts";
import { DEVICES, KERNEL_FILES, type PathPlan } from "./plan_paths.ts";

/** How something is enforced: by the kernel, by checks of Debrief's own, or not at all. */
export type EnforcementLabel = "kernel" | "checked" | "unsupported";

/** One rule with how it is enforced. */
export interface PlannedRule {
  readonly rule: Rule;
  readonly enforced: EnforcementLabel;
  /** Why it is no more than `checked` or `unsupported`; of the kernel's rules what is worth knowing, or null. */
  readonly reason: string | null;
}

/** What a jail promises under every policy. */
export interface Guard {
  readonly name: GuardName;
  readonly enforced: EnforcementLabel;
  readonly reason: string | null;
}

/** A rule that this host or this version cannot enforce, and why. */
export interface Unsupported {
  readonly permission: PermissionName | GuardName;
  readonly reason: string;
  /** `file:line` of the rule; null for what no rule states. */
  readonly at: string | null;
}

/** The enforcement part of a plan. */
export interface RulePlan {
  readonly rules: readonly PlannedRule[];
  readonly guards: readonly Guard[];
  readonly labels: Readonly<Record<PermissionName, EnforcementLabel>>;
  readonly unsupported: readonly Unsupported[];
}

const GUARDS: readonly GuardName[] = ["signals", "devices"];
/** The parse tree decides which programs may be named; what these then start is for read and write to bound. */
const RUN_REASON =
  "decided on the parse tree: what a program starts itself is bounded by read and write";

/** What of a permission cannot be enforced at all, in words. */
function flawOf(permission: PermissionName, host: Host): string | null {
  const unsupervised = host.supervision ? null : describeUnsupervised(host);
  if (permission === "net") {
    return host.seccomp ? unsupervised : `kernel ${host.kernel} has no seccomp filters`;
  }
  const row = missingAbi(permission, host.landlockAbi);
  if (row) return describeMissing(row, host);
  return permission === "write" ? unsupervised : null;
}

/** Modes, owners, times and attributes of files, and every address of a socket, are a supervisor's to decide. */
function describeUnsupervised({ kernel }: Host): string {
  return `kernel ${kernel} cannot hand system calls to a supervisor, Linux 5.19 is needed`;
}

/** What of one rule cannot be enforced, in words. */
function flawOfRule(rule: Rule): string | null {
  if (rule.permission !== "write" || rule.effect === "deny") return null;
  const path = realPath(rule.pattern) ?? rule.pattern;
  return KERNEL_FILES.some((kernel) => coversPath(kernel, path))
    ? "files of the kernel are never writable"
    : null;
}

/** A directory that holds devices is granted with them; without IOCTL_DEV their ioctls come along. */
function grantsDevices({ grants }: PathPlan): boolean {
  return grants.some(({ path, directory, read, write }) =>
    directory && (read || write) && (coversPath(path, DEVICES) || coversPath(DEVICES, path))
  );
}

function planGuard(name: GuardName, host: Host, paths: PathPlan): Guard {
  const row: AbiRow | null = missingAbi(name, host.landlockAbi);
  const needed = name !== "devices" || grantsDevices(paths);
  return row && needed
    ? { name, enforced: "unsupported", reason: describeMissing(row, host) }
    : { name, enforced: "kernel", reason: row && row.substitute };
}

/** Decide how each rule is enforced. */
export function planRules(
  policy: Policy,
  { host, paths }: { readonly host: Host; readonly paths: PathPlan },
): RulePlan {
  const unsupported: Unsupported[] = [];
  const rules: PlannedRule[] = [];
  for (const permission of PERMISSIONS) {
    const { allow, deny, source } = policy[permission];
    const flaw = flawOf(permission, host);
    if (flaw !== null) unsupported.push({ permission, reason: flaw, at: formatLocation(source) });
    for (const rule of [...allow, ...deny]) {
      const own = flawOfRule(rule);
      if (own !== null) {
        unsupported.push({ permission, reason: own, at: formatLocation(rule.source) });
      }
      const reason = own ?? flaw;
      if (reason !== null) rules.push({ rule, enforced: "unsupported", reason });
      else if (permission === "run") rules.push({ rule, enforced: "checked", reason: RUN_REASON });
      else rules.push({ rule, enforced: "kernel", reason: paths.notes.get(rule) ?? null });
    }
  }
  const guards = GUARDS.map((name) => planGuard(name, host, paths));
  for (const { name, enforced, reason } of guards) {
    if (enforced === "unsupported") {
      unsupported.push({ permission: name, reason: reason ?? "", at: null });
    }
  }
  const labels = Object.fromEntries(
    PERMISSIONS.map((name) => [name, labelOf(name, unsupported)]),
  ) as Record<PermissionName, EnforcementLabel>;
  return { rules, guards, labels, unsupported };
}

function labelOf(
  permission: PermissionName,
  unsupported: readonly Unsupported[],
): EnforcementLabel {
  if (unsupported.some((entry) => entry.permission === permission)) return "unsupported";
  return permission === "run" ? "checked" : "kernel";
}
