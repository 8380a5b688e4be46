/** A policy compiled for this host and session: what a run imposes and what `explain` shows are this one object. */
import type { Policy } from "../policy/policy.ts";
import type { Watched } from "./grants.ts";
import type { Host } from "./host.ts";
import { planPaths } from "./plan_paths.ts";
import { planRules, type RulePlan } from "./plan_rules.ts";
import type { PathGrant } from "./restrict.ts";

/** The compiled policy. */
export interface Plan extends RulePlan {
  /** What it was compiled from. */
  readonly policy: Policy;
  /** The ABI whose rights are used. */
  readonly landlockAbi: number;
  /** Whether commands may open network connections. */
  readonly net: "none" | "all";
  /** Whether commands may have servers of their own on the loopback device. */
  readonly loopback: boolean;
  /** Unix sockets that commands may connect to, whoever listens. */
  readonly sockets: readonly string[];
  /** Whether calls that neither Landlock nor a filter can decide go to a supervisor. */
  readonly supervised: boolean;
  /** Files and directories that commands may use. */
  readonly grants: readonly PathGrant[];
  /** Files whose replacement outdates the plan. */
  readonly watched: readonly Watched[];
}

/** What a plan is made from besides the policy. */
export interface PlanContext {
  readonly host: Host;
  /** Paths that no policy can grant: the state directory with journal, key, lock and spool. */
  readonly hidden: readonly string[];
  /** Paths that every command may read: the session's copies of records and outputs. */
  readonly readable: readonly string[];
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
  const paths = planPaths(policy, context);
  const all = policy.net.allow.some((rule) => rule.pattern === "*") && policy.net.deny.length === 0;
  return {
    policy,
    landlockAbi: host.landlockAbi,
    net: all ? "all" : "none",
    loopback: true,
    sockets: [],
    supervised: host.supervision,
    grants: paths.grants,
    watched: paths.watched,
    ...planRules(policy, { host, paths }),
  };
}

/** Refusals that stop a run, in words; empty when the plan may run. */
export function refusals(plan: Plan): readonly string[] {
  if (plan.policy.enforcement === "best-effort") return [];
  return plan.unsupported.map(({ permission, reason, at }) =>
    at === null ? `${permission}: ${reason}` : `${permission} (${at}): ${reason}`
  );
}
