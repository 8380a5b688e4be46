/**
 * The policy that allows only what two policies allow. A user's own policy file is the outer bound: what the
 * environment or a project adds can take away from it, never add to it.
 */
import type { BackendChoice, ListedPath, Policy, Rule, RuleSet } from "./policy.ts";
import { narrowFeedback } from "./merge_feedback.ts";
import { listsPrograms } from "./check.ts";
import { tighterLimits } from "./limits.ts";
import { coversHost, coversPath, decideEnv, matchesEnv } from "./match.ts";
import { formatNet, parseNet } from "./net_entry.ts";
import { isSocket } from "./socket_entry.ts";
import { parseRun } from "./run_entry.ts";
import { matchesWildcard } from "./wildcard.ts";

/** Returns the rule for what two allow rules have in common, or null when that is nothing. */
type Intersect = (outer: Rule, inner: Rule) => Rule | null;

/**
 * Narrows one policy by another: allows are intersected, denies and redactions united, and of each bound the tighter
 * holds. Where two `run` patterns only overlap, their common part is left out, because no pattern could state it.
 */
export function narrowPolicy(outer: Policy, inner: Policy): Policy {
  const nested = (covers: (wide: string, narrow: string) => boolean): Intersect => (one, other) =>
    covers(one.pattern, other.pattern) ? other : covers(other.pattern, one.pattern) ? one : null;
  const rules = new Map(
    [...outer.redact.rules, ...inner.redact.rules].map((rule) => [JSON.stringify(rule), rule]),
  );
  const set = Object.entries(inner.environment).filter(([name]) => decideEnv(outer, name).allowed);
  const kept = Object.entries(outer.environment).filter(([name]) => !denies(inner.env, name));
  return {
    name: inner.name,
    description: inner.description,
    files: [...new Set([...outer.files, ...inner.files])],
    read: intersect([outer.read, inner.read], nested(coversPath)),
    write: intersect([outer.write, inner.write], nested(coversPath)),
    net: intersect([outer.net, inner.net], intersectNet),
    loopback: outer.loopback && inner.loopback,
    env: intersect([outer.env, inner.env], nested(coversEnv)),
    run: intersect([outer.run, inner.run], nested(coversRun)),
    executable: narrowExecutable(outer, inner),
    environment: Object.fromEntries([...kept, ...set]),
    protect: {
      add: [...outer.protect.add, ...inner.protect.add],
      except: commonPaths(outer.protect.except, inner.protect.except),
    },
    enforcement: outer.enforcement === "required" ? "required" : inner.enforcement,
    backend: narrowerBackend(outer.backend, inner.backend),
    limits: tighterLimits(outer.limits, inner.limits),
    output: {
      maxChars: Math.min(outer.output.maxChars, inner.output.maxChars),
      maxLines: Math.min(outer.output.maxLines, inner.output.maxLines),
      maxTokens: Math.min(outer.output.maxTokens, inner.output.maxTokens),
      spoolBytes: Math.min(outer.output.spoolBytes, inner.output.spoolBytes),
    },
    redact: {
      rules: [...rules.values()],
      env: [...new Set([...outer.redact.env, ...inner.redact.env])],
      values: [...outer.redact.values, ...inner.redact.values],
      allow: outer.redact.allow.filter((value) => inner.redact.allow.includes(value)),
    },
    feedback: narrowFeedback(outer.feedback, inner.feedback),
  };
}

/** The paths that two lists have in common. */
function commonPaths(
  outer: readonly ListedPath[],
  inner: readonly ListedPath[],
): readonly ListedPath[] {
  return outer.flatMap((one) =>
    inner.flatMap((other) =>
      coversPath(one.pattern, other.pattern)
        ? [other]
        : coversPath(other.pattern, one.pattern)
        ? [one]
        : []
    )
  );
}

/** Where one of two policies lets every program be executed, the other one says what is. */
function narrowExecutable(outer: Policy, inner: Policy): readonly ListedPath[] {
  if (!listsPrograms(outer)) return inner.executable;
  return listsPrograms(inner) ? commonPaths(outer.executable, inner.executable) : outer.executable;
}

function intersect([outer, inner]: readonly [RuleSet, RuleSet], common: Intersect): RuleSet {
  const allow = outer.allow.flatMap((one) => inner.allow.map((other) => common(one, other))).filter(
    (rule) => rule !== null,
  );
  return {
    allow: byPattern(allow),
    deny: byPattern([...outer.deny, ...inner.deny]),
    source: inner.source,
  };
}

function denies(env: RuleSet, name: string): boolean {
  return env.deny.some((rule) => matchesEnv(rule.pattern, name));
}

function byPattern(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.toReversed().map((rule) => [rule.pattern, rule])).values()].reverse();
}

function intersectNet(outer: Rule, inner: Rule): Rule | null {
  if (isSocket(outer.pattern) || isSocket(inner.pattern)) {
    return outer.pattern === inner.pattern ? inner : null;
  }
  const [one, other] = [parseNet(outer.pattern), parseNet(inner.pattern)];
  if (one.port !== null && other.port !== null && one.port !== other.port) return null;
  const host = coversHost(one.host, other.host)
    ? other.host
    : coversHost(other.host, one.host)
    ? one.host
    : null;
  if (host === null) return null;
  const pattern = formatNet({ host, port: one.port ?? other.port });
  const whole = [inner, outer].find((rule) => rule.pattern === pattern);
  return whole ?? { ...inner, pattern, written: pattern };
}

function coversEnv(wide: string, narrow: string): boolean {
  return narrow.endsWith("*") && !wide.endsWith("*") ? false : matchesEnv(wide, narrow);
}

function coversRun(wide: string, narrow: string): boolean {
  if (wide === "*" || wide === narrow) return true;
  if (narrow === "*") return false;
  const [one, other] = [parseRun(wide), parseRun(narrow)];
  const covered = (pattern: string, text: string | undefined) =>
    text !== undefined && matchesWildcard(pattern, text);
  // A bare name in an allow stands for system directories only, so it does not cover a path.
  const sameProgram = other.program.includes("/")
    ? one.program === other.program
    : covered(one.program, other.program);
  return sameProgram && one.words.every((word, index) => covered(word, other.words[index]));
}

/** What the outer policy leaves open the inner one may choose, except to confine nothing. */
function narrowerBackend(outer: BackendChoice, inner: BackendChoice): BackendChoice {
  return outer === "none" || (outer === "auto" && inner !== "none") ? inner : outer;
}
