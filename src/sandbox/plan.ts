/** A policy compiled for this host and session: what a run imposes and what `explain` shows are this one object. */
import { coversDenied } from "../policy/match.ts";
import type { Policy, Rule } from "../policy/policy.ts";
import { isSocket, socketPath } from "../policy/socket_entry.ts";
import { type Backend, chooseBackend } from "./backend.ts";
import type { Covering } from "./covers.ts";
import type { Bubblewrap } from "./find_bubblewrap.ts";
import type { Watched } from "./grants.ts";
import type { Host } from "./host.ts";
import { realPath } from "./linux/files.ts";
import { DEFAULT_PATH } from "./default_path.ts";
import { type Execution, planExecution } from "./execution.ts";
import { DeniedPaths, planPaths } from "./plan_paths.ts";
import { planRules, type RulePlan } from "./plan_rules.ts";
import type { PathGrant } from "./restrict.ts";

/** How commands reach the network, see `Plan`. */
export type NetMode = "none" | "proxy" | "all";

/** The compiled policy. */
export interface Plan extends RulePlan {
  /** What it was compiled from. */
  readonly policy: Policy;
  /** What builds the jail. */
  readonly backend: Backend;
  /** The ABI whose rights are used, 0 where Landlock is not. */
  readonly landlockAbi: number;
  /** What commands may connect to besides what is theirs: nothing, the proxy that decides by host, or everything. */
  readonly net: NetMode;
  /** Whether commands may have servers of their own on the loopback device. */
  readonly loopback: boolean;
  /** Unix sockets that commands may connect to, whoever listens. */
  readonly sockets: readonly string[];
  /** Whether calls that neither Landlock nor a filter can decide go to a supervisor. */
  readonly supervised: boolean;
  /** Files and directories that commands may use. */
  readonly grants: readonly PathGrant[];
  /** What of these may be executed; null where everything may be that may be read. */
  readonly execution: Execution | null;
  /** Files whose replacement outdates the plan. */
  readonly watched: readonly Watched[];
  /** Writable directories that are granted whole, and what is covered in them; empty for the kernel backend. */
  readonly roots: readonly string[];
  readonly covering: Covering;
}

/** What a plan is made from besides the policy. */
export interface PlanContext {
  readonly host: Host;
  /** Paths that no policy can grant: the state directory with journal, key, lock and spool. */
  readonly hidden: readonly string[];
  /** Paths that every command may read: the session's copies of records and outputs. */
  readonly readable: readonly string[];
  /** Real path of the session's private directory, in which nothing is protected. */
  readonly temporary?: string;
  /** Where programs of `run` are looked for besides the system's directories: `PATH` as the session begins. */
  readonly searchPath?: string;
  /** Looks for bubblewrap, when a plan could need it; without it there is none. */
  readonly findBubblewrap?: () => Bubblewrap;
}

/** Listed sockets by their real paths; one that is not there yet by the path that it would have. */
function allowedSockets({ net }: Policy): readonly string[] {
  const paths = (rules: readonly Rule[]) =>
    rules.filter(({ pattern }) => isSocket(pattern)).map(({ pattern }) => {
      const path = socketPath(pattern);
      return realPath(path) ?? path;
    });
  if (net.deny.some(({ pattern }) => pattern === "*")) return [];
  const denied = paths(net.deny);
  return paths(net.allow).filter((path) => !denied.some((deny) => coversDenied(deny, path)));
}
const NOT_LOOKED_FOR: Bubblewrap = {
  kind: "unavailable",
  reason: "it was not looked for",
  remedy: "none",
};

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
  const find = context.findBubblewrap ?? (() => NOT_LOOKED_FOR);
  const denied = new DeniedPaths(policy);
  const backend = chooseBackend(policy, { host, find, denied });
  const paths = planPaths(policy, { ...context, denied, covers: backend.kind === "bubblewrap" });
  const landlockAbi = backend.kind === "kernel" ? host.landlockAbi : 0;
  const searchPath = context.searchPath ?? DEFAULT_PATH;
  const execution = landlockAbi === 0 ? null : planExecution(policy, { searchPath });
  return {
    policy,
    backend,
    landlockAbi,
    net: netMode(policy),
    loopback: policy.loopback,
    sockets: backend.kind === "kernel" ? allowedSockets(policy) : [],
    supervised: backend.kind === "kernel" && host.supervision,
    grants: paths.grants,
    execution,
    watched: [...paths.watched, ...execution?.watched ?? []],
    roots: paths.roots,
    covering: paths.covering,
    ...planRules(policy, { host, paths, backend, execution, temporary: context.temporary }),
  };
}

/** Anything between nothing and everything is decided by host, and so by the proxy. Unix sockets are not among hosts. */
export function netMode({ net }: Policy): NetMode {
  const [allow, deny] = [net.allow, net.deny].map((rules) =>
    rules.map(({ pattern }) => pattern).filter((pattern) => !isSocket(pattern))
  ) as [string[], string[]];
  if (allow.length === 0 || deny.includes("*")) return "none";
  return allow.includes("*") && deny.length === 0 ? "all" : "proxy";
}

/** Refusals that stop a run, in words; empty when the plan may run. */
export function refusals(plan: Plan): readonly string[] {
  // Who asks by name for no jail gets none; every block says so.
  if (plan.policy.enforcement === "best-effort" && plan.backend.flaw === null) return [];
  if (plan.backend.kind === "none") return [];
  return plan.unsupported.map(({ permission, reason, at }) =>
    at === null ? `${permission}: ${reason}` : `${permission} (${at}): ${reason}`
  );
}
