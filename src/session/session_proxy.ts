/** The proxy of a session: started where the policy decides by host, its findings joined to what the output shows. */
import type { Denial, Policy } from "../policy/policy.ts";
import { EgressProxy } from "../sandbox/egress/egress_proxy.ts";
import { netMode } from "../sandbox/plan.ts";

/** Variables by which the shell's own environment names a proxy, in the order in which one is named. */
const OUTER_PROXIES = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY"];

/**
 * Start the proxy that a policy needs; null when it needs none. It connects to hosts itself: behind a proxy of the
 * shell's own nobody could check which address a name leads to, so such a proxy is named in failures, never used.
 */
export function startProxy(
  policy: Policy,
  environment: Readonly<Record<string, string>>,
): EgressProxy | null {
  if (netMode(policy) !== "proxy") return null;
  const outer = OUTER_PROXIES.find((name) => environment[name]);
  const hint = outer === undefined ? "" : ` (the shell's own ${outer} is not used)`;
  return EgressProxy.start({ policy, hint });
}

/** Exact refusals first, then those found in the output that are not about the same host. */
export function joinDenials(
  exact: readonly Denial[],
  attributed: readonly Denial[],
): readonly Denial[] {
  const isKnown = ({ permission, resource }: Denial) =>
    exact.some((one) =>
      one.permission === permission &&
      (one.resource === resource || one.resource.startsWith(`${resource}:`))
    );
  return [...exact, ...attributed.filter((denial) => !isKnown(denial))];
}
