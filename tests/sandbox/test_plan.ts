/** Plans of temporary trees for hosts that need not be this one. */
import type { Host } from "../../src/sandbox/host.ts";
import { type Plan, type PlanContext, planJail } from "../../src/sandbox/plan.ts";
import type { TempTree } from "./temp_tree.ts";
import { policyFor } from "./test_jail.ts";

/** A host that has everything. */
export const HOST: Host = {
  architecture: "x86_64",
  kernel: "6.18.0",
  landlockAbi: 7,
  seccomp: true,
  supervision: true,
  uid: 1000,
};
/** The directories of a test plan. */
export const TREE = {
  "work/src/file": "",
  "work/secret": "",
  "home/.ssh/id": "",
  "tmp": { directory: true },
  "state/journal": "",
  "state/spool/one": "",
} as const;

/** What differs from an ordinary plan. */
export interface PlanOptions extends Partial<Omit<PlanContext, "host">> {
  readonly host?: Partial<Host>;
}

/** A plan for a tree on a host that has everything, unless the options say otherwise. */
export function plan(tree: TempTree, policy: string | object, options: PlanOptions = {}): Plan {
  const text = typeof policy === "string" ? policy : JSON.stringify(policy);
  return planJail(policyFor(tree, text), {
    hidden: [tree.at("state")],
    readable: [],
    ...options,
    host: { ...HOST, ...options.host },
  });
}
