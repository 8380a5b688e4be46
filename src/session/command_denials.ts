/** What of a command was refused: as the supervisor answered, and as its output tells. */
import type { Denial } from "../policy/policy.ts";
import type { Ending } from "../record/record.ts";
import { attributeDenials, type NamedPath } from "../sandbox/denials.ts";
import { refusedDenials } from "../sandbox/refused_denials.ts";
import type { Refused } from "../sandbox/supervision.ts";
import type { SessionContext } from "./session_context.ts";

/** What a command left to judge by. */
export interface DenialEvidence {
  readonly ending: Ending;
  /** Paths that its text names. */
  readonly named: readonly NamedPath[];
  readonly cwd: string;
  readonly refused: readonly Refused[];
}

/** The denials of a command, those that are known exactly first. */
export function commandDenials(
  context: SessionContext,
  { ending, named, cwd, refused }: DenialEvidence,
): readonly Denial[] {
  if (ending.exitCode === 0 && ending.summary.notable.length === 0) return [];
  const home = context.variables.HOME;
  const exact = refusedDenials(context.policy, refused);
  const seen = new Set(exact.map(keyOf));
  const attributed = attributeDenials(ending.summary.notable, {
    plan: context.jail.plan,
    context: { cwd, home, named },
  });
  return [...exact, ...attributed.filter((one) => !seen.has(keyOf(one)))];
}

function keyOf({ permission, resource }: Denial): string {
  return `${permission} ${resource}`;
}
