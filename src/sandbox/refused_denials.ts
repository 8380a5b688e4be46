/** What a supervisor refused, told as every refusal is: by which rule, and what is accepted instead. */
import { denial } from "../policy/denial.ts";
import { decideNet, decidePath, type RuleDecision } from "../policy/match.ts";
import type { Denial, Policy } from "../policy/policy.ts";
import type { Refused } from "./supervision.ts";

const HOST_AND_PORT = /^\[?([^\]]*)\]?:(\d+)$/;
const LOOPBACK = /^(?:127\.|\[?::1\]?:)/;

function decide(policy: Policy, { permission, resource }: Refused): RuleDecision | null {
  if (permission === "write") return decidePath(policy, { permission, path: resource });
  const [, host, port] = resource.match(HOST_AND_PORT) ?? [];
  if (host === undefined || resource.startsWith("unix:")) return null;
  return decideNet(policy, { host, port: Number(port) });
}

function noteOf(
  { permission, resource }: Refused,
  { policy, decision }: { readonly policy: Policy; readonly decision: RuleDecision | null },
): string | null {
  if (decision?.rule && !decision.allowed) return null;
  if (permission === "write") return decision?.allowed ? "granted entry by entry" : null;
  if (resource.startsWith("unix:@")) return "abstract names are shared by the whole machine";
  if (resource.startsWith("unix:")) return "no process of the session listens there";
  if (!LOOPBACK.test(resource)) return null;
  return policy.loopback ? "no process of the session listens there" : '"net.loopback" is false';
}

/** Denials for the facts that a supervisor gives. */
export function refusedDenials(policy: Policy, refused: readonly Refused[]): readonly Denial[] {
  return refused.map((one) => {
    const decision = decide(policy, one);
    const note = noteOf(one, { policy, decision });
    const rule = decision === null || decision.allowed ? null : decision.rule;
    return denial(policy, { ...one, by: "sandbox", rule, ...note === null ? {} : { note } });
  });
}
