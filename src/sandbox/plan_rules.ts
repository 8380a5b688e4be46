/** How each rule of a policy, and what a jail promises besides, is enforced on this host. */
import { listsPrograms } from "../policy/check.ts";
import { formatLocation } from "../policy/denial.ts";
import { coversDenied, coversPath } from "../policy/match.ts";
import { type PermissionName, PERMISSIONS, type Policy, type Rule } from "../policy/policy.ts";
import { parseRun } from "../policy/run_entry.ts";
import { isSocket } from "../policy/socket_entry.ts";
import { type Backend, PRIVATE_DEVICES } from "./backend.ts";
import type { Host } from "./host.ts";
import { type AbiRow, describeMissing, type GuardName, missingAbi } from "./landlock_abi.ts";
import type { Execution } from "./execution.ts";
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

/** Permissions that hold before a program is started. */
const BEFORE_START: ReadonlySet<PermissionName> = new Set(["env", "run"]);
/** Those that bubblewrap puts into every private `/dev`. */
const STANDARD_DEVICES = ["null", "zero", "full", "random", "urandom", "tty"].map((name) =>
  `${DEVICES}/${name}`
);
const GUARDS: readonly GuardName[] = ["signals", "devices"];
/** Files that a reason lists. */
const MAX_LISTED = 3;
/** The parse tree decides which programs may be named; what these then start is for read and write to bound. */
const RUN_REASON =
  "decided on the parse tree: what a program starts itself is bounded by read and write";

/** What rules are planned for. */
interface RuleContext {
  readonly host: Host;
  readonly paths: PathPlan;
  readonly backend: Backend;
  readonly execution: Execution | null;
  /** Real path of the private directory, in which nothing is protected. */
  readonly temporary?: string;
}

/** Why the backend as a whole enforces nothing, in words. */
function flawOfBackend({ backend }: RuleContext): string | null {
  if (backend.kind === "none") return 'the backend "none" confines nothing';
  return backend.flaw === null ? null : `bubblewrap cannot be used: ${backend.flaw}`;
}

/** What of a permission cannot be enforced at all, in words. */
function flawOf(permission: PermissionName, context: RuleContext): string | null {
  const { host, backend } = context;
  const whole = flawOfBackend(context);
  // What a policy says of env and run is done before anything is started; without a jail it binds nobody.
  if (whole !== null && (backend.kind === "none" || !BEFORE_START.has(permission))) return whole;
  if (BEFORE_START.has(permission)) return null;
  const unsupervised = host.supervision || backend.kind !== "kernel"
    ? null
    : describeUnsupervised(host);
  if (permission === "net") {
    return host.seccomp ? unsupervised : `kernel ${host.kernel} has no seccomp filters`;
  }
  if (backend.kind !== "kernel") return null;
  const row = missingAbi(permission, host.landlockAbi);
  if (row) return describeMissing(row, host);
  return permission === "write" ? unsupervised : null;
}

/** Modes, owners, times and attributes of files, and every address of a socket, are a supervisor's to decide. */
function describeUnsupervised({ kernel }: Host): string {
  return `kernel ${kernel} cannot hand system calls to a supervisor, Linux 5.19 is needed`;
}

/** What of one rule cannot be enforced, in words. */
function flawOfRule(rule: Rule, context: RuleContext): string | null {
  const { permission, effect } = rule;
  if (permission === "net") return flawOfNet(rule, context);
  if ((permission !== "write" && permission !== "read") || effect === "deny") return null;
  const path = realPath(rule.pattern) ?? rule.pattern;
  if (context.backend.kind === "bubblewrap") {
    const flaw = flawOfMount(rule, { path, paths: context.paths });
    if (flaw !== null) return flaw;
  }
  if (permission === "read") return null;
  return KERNEL_FILES.some((kernel) => coversPath(kernel, path))
    ? "files of the kernel are never writable"
    : null;
}

/** What a mount cannot say of one allowed path. */
function flawOfMount(
  { permission }: Rule,
  { path, paths: { grants } }: { readonly path: string; readonly paths: PathPlan },
): string | null {
  const covering = (access: "read" | "write") =>
    grants.some((grant) => grant[access] && coversPath(grant.path, path));
  const device = grants.some((grant) => grant.path === path && grant.device);
  if (device && STANDARD_DEVICES.includes(path)) return null;
  // These are private there.
  if (PRIVATE_DEVICES.some((directory) => coversPath(directory, path))) return null;
  if (permission === "write" && covering("write") && !covering("read")) {
    return "bubblewrap cannot let something be written that may not be read";
  }
  if (permission === "read" && device && !covering("write")) {
    return "bubblewrap cannot let a device be read that may not be written";
  }
  return null;
}

/** Why a deny holds by a check of Debrief's own, in words; null where the kernel does it. */
function checkOf({ effect, permission, pattern }: Rule, { covering }: PathPlan): string | null {
  if (effect !== "deny" || (permission !== "read" && permission !== "write")) return null;
  const open = covering.open.some((path) => path === pattern || coversDenied(pattern, path));
  return open
    ? "in a writable directory: what is there is covered, what a command makes there is removed when it has ended"
    : null;
}

/** What a network of its own cannot say: it reaches everything or nothing. */
function flawOfNet({ effect, pattern }: Rule, { backend }: RuleContext): string | null {
  if (backend.kind !== "bubblewrap" || pattern === "*") return null;
  if (!isSocket(pattern)) return "bubblewrap cannot decide about the network by host";
  return effect === "allow" ? "bubblewrap lets no unix socket be reached" : null;
}

/** A directory that holds devices is granted with them; without IOCTL_DEV their ioctls come along. */
function grantsDevices({ grants }: PathPlan): boolean {
  return grants.some(({ path, directory, read, write }) =>
    directory && (read || write) && (coversPath(path, DEVICES) || coversPath(DEVICES, path))
  );
}

function planGuard(name: GuardName, context: RuleContext): Guard {
  const { host, paths, backend } = context;
  const whole = flawOfBackend(context);
  if (whole !== null) return { name, enforced: "unsupported", reason: whole };
  if (backend.kind === "bubblewrap") return { name, enforced: "kernel", reason: null };
  const row: AbiRow | null = missingAbi(name, host.landlockAbi);
  const needed = name !== "devices" || grantsDevices(paths);
  return row && needed
    ? { name, enforced: "unsupported", reason: describeMissing(row, host) }
    : { name, enforced: "kernel", reason: row && row.substitute };
}

/** That a whole program may be started is the kernel's to say, what it is started with is not. */
function planRunRule(rule: Rule, { execution }: RuleContext): PlannedRule {
  const files = execution?.files.get(rule);
  if (files === undefined || rule.pattern === "*") {
    return { rule, enforced: "checked", reason: RUN_REASON };
  }
  const more = files.length > MAX_LISTED ? `and ${files.length - MAX_LISTED} more` : "";
  const shown = [...files.slice(0, MAX_LISTED), more].filter(Boolean).join(", ");
  const what = shown === ""
    ? "grants nothing: there is no such program that commands cannot write"
    : `the kernel executes ${shown}`;
  return parseRun(rule.pattern).words.length === 0
    ? { rule, enforced: "kernel", reason: what }
    : { rule, enforced: "checked", reason: `${what}; the words are decided on the parse tree` };
}

/** Where `run` is a list. */
function planExecutionGuard({ execution }: RuleContext): Guard {
  const name = "execution" as const;
  if (execution === null) return { name, enforced: "checked", reason: RUN_REASON };
  const count = execution.paths.length;
  const reason =
    `${count} paths can be executed; what a listed program, its loader or a shell reads and runs itself is bounded by read and write`;
  return { name, enforced: "kernel", reason };
}

/** Hooks, settings and what `protect` adds; a grant cannot leave them out, and a mount only what is there already. */
function planProtection(context: RuleContext): Guard {
  const name = "protected" as const;
  const { paths, backend, temporary } = context;
  const whole = flawOfBackend(context);
  if (whole !== null) return { name, enforced: "unsupported", reason: whole };
  const changeable = paths.grants.some(({ path, write, directory, device }) =>
    write && directory && !device && path !== temporary
  );
  if (!changeable) return { name, enforced: "kernel", reason: null };
  const mounted = backend.kind === "bubblewrap"
    ? "what is there is read-only but for git's configuration; the rest"
    : "what a command changes";
  return { name, enforced: "checked", reason: `${mounted} is put back when it has ended` };
}

/** How one entry of `protect` is enforced. */
export function labelOfProtected(
  { guards, covering }: Pick<RulePlan, "guards"> & Pick<PathPlan, "covering">,
  path: string,
): EnforcementLabel {
  const mounted = covering.covers.some((cover) => cover.isProtected && cover.path === path);
  return mounted ? "kernel" : guards.find(({ name }) => name === "protected")!.enforced;
}

/** Decide how each rule is enforced. */
export function planRules(policy: Policy, context: RuleContext): RulePlan {
  const { paths } = context;
  const unsupported: Unsupported[] = [];
  const rules: PlannedRule[] = [];
  for (const permission of PERMISSIONS) {
    const { allow, deny, source } = policy[permission];
    const flaw = flawOf(permission, context);
    if (flaw !== null) unsupported.push({ permission, reason: flaw, at: formatLocation(source) });
    for (const rule of [...allow, ...deny]) {
      const own = flawOfRule(rule, context);
      if (own !== null) {
        unsupported.push({ permission, reason: own, at: formatLocation(rule.source) });
      }
      const reason = own ?? flaw;
      if (reason !== null) rules.push({ rule, enforced: "unsupported", reason });
      else if (checkOf(rule, paths) !== null) {
        rules.push({ rule, enforced: "checked", reason: checkOf(rule, paths) });
      } else if (permission === "run") rules.push(planRunRule(rule, context));
      else rules.push({ rule, enforced: "kernel", reason: paths.notes.get(rule) ?? null });
    }
  }
  const guards = [
    ...GUARDS.map((name) => planGuard(name, context)),
    ...listsPrograms(policy) ? [planExecutionGuard(context)] : [],
    planProtection(context),
  ];
  for (const { name, enforced, reason } of guards) {
    if (enforced === "unsupported") {
      unsupported.push({ permission: name, reason: reason ?? "", at: null });
    }
  }
  const labels = Object.fromEntries(
    PERMISSIONS.map((name) => [name, labelOf(name, { rules, unsupported })]),
  ) as Record<PermissionName, EnforcementLabel>;
  return { rules, guards, labels, unsupported };
}

function labelOf(
  permission: PermissionName,
  { rules, unsupported }: Pick<RulePlan, "rules" | "unsupported">,
): EnforcementLabel {
  if (unsupported.some((entry) => entry.permission === permission)) return "unsupported";
  const checked = rules.some(({ rule, enforced }) =>
    rule.permission === permission && enforced === "checked"
  );
  return checked || permission === "run" ? "checked" : "kernel";
}
