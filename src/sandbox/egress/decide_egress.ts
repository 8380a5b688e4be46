/**
 * Where the proxy may connect to. The name is decided first; only an allowed one is resolved, and then every address
 * that would be dialled is decided as well, because who owns a name decides where it leads. What is dialled is exactly what was checked.
 */
import { reasonOf } from "../../errors.ts";
import { decideNet } from "../../policy/match.ts";
import { parseAddress } from "../../policy/ip_address.ts";
import { canonicalHost } from "../../policy/net_entry.ts";
import type { Policy, Rule } from "../../policy/policy.ts";
import { specialPurpose } from "./special_addresses.ts";

/** What a client asked for. */
export interface EgressTarget {
  /** As it was written: a name or an address in any form. */
  readonly host: string;
  readonly port: number;
}

/** What came of it. */
export type EgressDecision =
  /** At least one address, without brackets, in the order of preference that the system gave. */
  | { readonly kind: "dial"; readonly addresses: readonly string[] }
  /** `note` says why where the name itself is allowed. */
  | { readonly kind: "refused"; readonly rule: Rule | null; readonly note: string | null }
  | { readonly kind: "unresolved"; readonly reason: string };

/** What the decision depends on besides the target. */
export interface EgressContext {
  readonly policy: Policy;
  /** Addresses of a canonical name. @throws {Error} when there are none. */
  readonly resolve: (name: string) => Promise<readonly string[]>;
  /** Addresses of this machine's interfaces: its services listen there too, also under a public address. */
  readonly ownAddresses: () => readonly string[];
}

/** Addresses of one name that are looked at; more would only be more to try. */
const MAX_ADDRESSES = 8;

/** Decide about a target. */
export async function decideEgress(
  target: EgressTarget,
  context: EgressContext,
): Promise<EgressDecision> {
  const { allowed, rule } = decideNet(context.policy, target);
  const canonical = canonicalHost(target.host);
  if (!allowed || canonical === null) {
    const note = canonical === null && rule === null ? "not a host name or address" : null;
    return { kind: "refused", rule, note };
  }
  // An address is allowed only by a rule that lists it.
  if (parseAddress(canonical) !== null) return { kind: "dial", addresses: [bare(canonical)] };
  let found: readonly string[];
  try {
    found = await context.resolve(canonical);
  } catch (error) {
    return { kind: "unresolved", reason: reasonOf(error) };
  }
  const checked = found.slice(0, MAX_ADDRESSES).map((address) =>
    checkAddress({ host: address, port: target.port }, context)
  );
  const addresses = checked.flatMap((result) => result.kind === "dial" ? result.addresses : []);
  if (addresses.length > 0) return { kind: "dial", addresses };
  return checked.find((result) => result.kind === "refused") ??
    { kind: "unresolved", reason: "it has no address" };
}

/** Decide about one address that a name resolved to. */
function checkAddress(target: EgressTarget, context: EgressContext): EgressDecision {
  const canonical = canonicalHost(target.host);
  const address = canonical === null ? null : parseAddress(canonical);
  if (canonical === null || address === null) {
    return { kind: "refused", rule: null, note: "resolves to what is no address" };
  }
  const { allowed, rule } = decideNet(context.policy, { host: canonical, port: target.port });
  const dial = { kind: "dial", addresses: [bare(canonical)] } as const;
  if (allowed) return dial;
  if (rule) return { kind: "refused", rule, note: `resolves to ${canonical}` };
  const own = context.ownAddresses().some((each) => canonicalHost(each) === canonical);
  const purpose = specialPurpose(address) ?? (own ? "an address of this machine" : null);
  if (purpose === null) return dial;
  const note = `resolves to ${canonical} (${purpose}), which must be listed itself`;
  return { kind: "refused", rule: null, note };
}

function bare(canonical: string): string {
  return canonical.replace(/^\[(.*)\]$/, "$1");
}
