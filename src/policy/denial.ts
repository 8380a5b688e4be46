/** Builds the answer to "why not, and what then?" that every refusal carries. */
import type { SourceLocation } from "../errors.ts";
import type { Denial, PermissionName, Policy, Rule } from "./policy.ts";
import { describeAbsence, describeRule } from "./match.ts";

/** Most entries that `accepted` lists; the whole list is one `debrief policy show` away. */
const MAX_ACCEPTED = 5;

/** Longest resource in a denial, in characters: a script of megabytes must not become a message of megabytes. */
const MAX_RESOURCE = 500;

/** What was refused. */
export interface Refusal {
  readonly permission: PermissionName;
  readonly resource: string;
  readonly by: Denial["by"];
  /** The rule that refused it; null when none allowed it. */
  readonly rule: Rule | null;
  /** Why the rule applies where that cannot be seen from it. */
  readonly note?: string;
}

/** Describes a refusal: what, by which rule of which file, and what is accepted instead. */
export function denial(policy: Policy, refusal: Refusal): Denial {
  const { permission, resource, by, rule, note } = refusal;
  const words = rule ? describeRule(rule) : describeAbsence(permission);
  const source = rule?.source ?? policy[permission].source;
  return {
    permission,
    resource: resource.length > MAX_RESOURCE ? resource.slice(0, MAX_RESOURCE) + "..." : resource,
    by,
    rule: note ? `${words} (${note})` : words,
    at: formatLocation(source),
    accepted: describeAccepted(policy, permission),
  };
}

/** Writes a place as messages show it: `file:line`. */
export function formatLocation({ file, line }: SourceLocation): string {
  return `${file}:${line}`;
}

/** Says in a few words what a permission allows, for example `write: $WORKSPACE, $TMP`; empty when it allows nothing. */
export function describeAccepted(policy: Policy, permission: PermissionName): string {
  const { allow, deny } = policy[permission];
  if (allow.length === 0) return "";
  const everything = allow.some((rule) => rule.pattern === "*" || rule.pattern === "/");
  if (everything) {
    return deny.length > 0
      ? `${permission}: everything that no rule denies`
      : `${permission}: everything`;
  }
  const shown = allow.slice(0, MAX_ACCEPTED).map((rule) => rule.written).join(", ");
  const left = allow.length - MAX_ACCEPTED;
  return `${permission}: ${shown}${left > 0 ? ` and ${left} more` : ""}`;
}
