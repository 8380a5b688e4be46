/** Which rule decides about a path, a variable or an address. Deny beats allow wherever it stands; no rule means no. */
import type { PermissionName, Policy, Rule } from "./policy.ts";
import { coversRange, embeddedIpv4, parseAddress, parseRange } from "./ip_address.ts";
import { canonicalHost, parseNet } from "./net_entry.ts";
import { runsCode } from "./env_entry.ts";
import { resolveAbsolute } from "./paths.ts";
import { hasWildcard, matchesWildcard } from "./wildcard.ts";

/** What was decided, and by which rule; `rule` is null when no rule covers the resource. */
export interface RuleDecision {
  readonly allowed: boolean;
  readonly rule: Rule | null;
}

/** A file access to decide about. */
export interface PathQuery {
  readonly permission: "read" | "write";
  /** Absolute; `.` and `..` are resolved as text, links are the caller's business. */
  readonly path: string;
}

/**
 * Decides about a file.
 *
 * @throws {TypeError} When the path is not absolute.
 */
export function decidePath(policy: Policy, { permission, path }: PathQuery): RuleDecision {
  if (!path.startsWith("/")) {
    throw new TypeError(`Cannot decide about "${path}": it is not an absolute path`);
  }
  const normal = resolveAbsolute("/", path);
  const { allow, deny } = policy[permission];
  const refusing = deny.find((rule) => coversDenied(rule.pattern, normal));
  if (refusing) return { allowed: false, rule: refusing };
  return granted(longest(allow.filter((rule) => coversPath(rule.pattern, normal))));
}

/** Decides about a variable of the environment: one that makes programs run code needs a rule that names it exactly. */
export function decideEnv(policy: Policy, name: string): RuleDecision {
  const refusing = policy.env.deny.find((rule) => matchesEnv(rule.pattern, name));
  if (refusing) return { allowed: false, rule: refusing };
  const isExact = runsCode(name);
  const covers = ({ pattern }: Rule) => isExact ? pattern === name : matchesEnv(pattern, name);
  return granted(longest(policy.env.allow.filter(covers)));
}

/**
 * Decides about an address as it was asked for (name or IP address); names are compared, never resolved. A host that is neither is
 * refused. A deny of an IPv4 address also refuses the IPv6 addresses that lead to it through a translator.
 */
export function decideNet(
  policy: Policy,
  { host, port }: { readonly host: string; readonly port: number },
): RuleDecision {
  const canonical = canonicalHost(host);
  const covers = (rule: Rule, form: string | null = canonical) =>
    rule.pattern === "*" || (form !== null && coversAddress(rule.pattern, form, port));
  const behind = translatedHost(canonical);
  const refusing = policy.net.deny.find((rule) =>
    covers(rule) || (behind !== null && covers(rule, behind))
  );
  if (refusing || canonical === null) return { allowed: false, rule: refusing ?? null };
  return granted(longest(policy.net.allow.filter((rule) => covers(rule))));
}

/** True when a rule lists an IP address as such, alone or in a range: `true` lists none. */
export function listsAddress(
  policy: Policy,
  target: { readonly host: string; readonly port: number },
): boolean {
  const canonical = canonicalHost(target.host);
  if (canonical === null || parseAddress(canonical) === null) return false;
  const { allowed, rule } = decideNet(policy, target);
  return allowed && rule?.pattern !== "*";
}

function translatedHost(canonical: string | null): string | null {
  const address = canonical === null ? null : parseAddress(canonical);
  return address && embeddedIpv4(address);
}

/** True when an allow pattern grants a path: itself, or what is beneath it. */
export function coversPath(pattern: string, path: string): boolean {
  return pattern === "/" || path === pattern || path.startsWith(pattern + "/");
}

/** True when a deny pattern, whose last component may hold wildcards, covers a path. */
export function coversDenied(pattern: string, path: string): boolean {
  const slash = pattern.lastIndexOf("/");
  const last = pattern.slice(slash + 1);
  if (!hasWildcard(last)) return coversPath(pattern, path);
  if (!path.startsWith(pattern.slice(0, slash + 1))) return false;
  const component = path.slice(slash + 1).split("/", 1)[0] ?? "";
  return component !== "" && matchesWildcard(last, component, { single: true });
}

/** True when an `env` pattern (a name, a prefix with `*`, or `*`) covers a name. */
export function matchesEnv(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/**
 * True when one host pattern covers another host or host pattern; `*.domain` covers what is below the domain, not itself,
 * and a range the addresses and ranges in it.
 */
export function coversHost(pattern: string, host: string): boolean {
  if (pattern === "*" || pattern === host) return true;
  if (pattern.startsWith("*.")) return host.endsWith(pattern.slice(1));
  const wide = pattern.includes("/") ? parseRange(pattern) : null;
  const narrow = wide && parseRange(host);
  return wide !== null && narrow !== null && coversRange(wide, narrow);
}

/** Names a rule in words, as it stands in its file: `read.deny "$HOME/.ssh"`, `run.allow true`. */
export function describeRule(rule: Rule): string {
  // A program may be called "true"; only the pattern tells it from the keyword.
  const everything = rule.written === "true" && (rule.pattern === "/" || rule.pattern === "*");
  const entry = everything ? "true" : `"${rule.written}"`;
  return `${rule.permission}.${rule.effect} ${entry}`;
}

/** Names the absence of a rule in words. */
export function describeAbsence(permission: PermissionName): string {
  return `no ${permission} rule allows it`;
}

function coversAddress(pattern: string, host: string, port: number): boolean {
  const wanted = parseNet(pattern);
  return (wanted.port === null || wanted.port === port) && coversHost(wanted.host, host);
}

function granted(rule: Rule | null): RuleDecision {
  return { allowed: rule !== null, rule };
}

/** The most specific of several rules is the longest: it is the one that a reader expects to be named. */
function longest(rules: readonly Rule[]): Rule | null {
  return rules.reduce<Rule | null>(
    (best, rule) => best && best.pattern.length >= rule.pattern.length ? best : rule,
    null,
  );
}
