/** What a command would come to under the policy in force, as data: the decision and the plan of a run, without the run. */
import { decideRun } from "../policy/check.ts";
import { describeAccepted, formatLocation } from "../policy/denial.ts";
import { decidePath, describeAbsence, describeRule } from "../policy/match.ts";
import type { Limits, PermissionName, Policy, Rule } from "../policy/policy.ts";
import type { BackendKind } from "../sandbox/backend.ts";
import { type NamedPath, refusedPath } from "../sandbox/denials.ts";
import { realPathOfMaybeAbsent } from "../sandbox/exclusions.ts";
import type { GuardName } from "../sandbox/landlock_abi.ts";
import { type Plan, refusals } from "../sandbox/plan.ts";
import { type EnforcementLabel, labelOfProtected } from "../sandbox/plan_rules.ts";
import { decide, type Decision } from "./decide.ts";
import type { SessionContext } from "./session_context.ts";
import type { SessionLimits } from "./session_limits.ts";

/** How something that the command names is decided. */
export interface Verdict {
  readonly allowed: boolean;
  /** The rule in words, or that there is none. */
  readonly rule: string;
  /** `file:line`. */
  readonly at: string;
  readonly note: string | null;
}

/** A program that the command can start. */
export interface ExplainedProgram extends Verdict {
  readonly text: string;
  /** What starts it, outermost first. */
  readonly via: readonly string[];
}

/** A redirection. */
export interface ExplainedPath extends Verdict, NamedPath {}

/** A rule of the plan. */
export interface ExplainedRule {
  readonly permission: PermissionName;
  readonly effect: Rule["effect"];
  readonly written: string;
  readonly pattern: string;
  readonly at: string;
  readonly enforced: EnforcementLabel;
  readonly reason: string | null;
}

/** An entry of `protect`. */
export interface ExplainedProtection {
  readonly effect: "protect" | "except";
  readonly written: string;
  readonly pattern: string;
  readonly at: string;
  /** Null for what is left to commands. */
  readonly enforced: EnforcementLabel | null;
}

/** Everything about one command. */
export interface Explanation {
  readonly command: string;
  /** What the text comes to. */
  readonly decision: Decision["kind"];
  /** Why it does not parse, null when it does. */
  readonly mistake: string | null;
  /** What would be executed; empty when nothing would be. */
  readonly argv: readonly string[];
  readonly programs: readonly ExplainedProgram[];
  readonly redirections: readonly ExplainedPath[];
  /** True when a run would start it. */
  readonly runs: boolean;
  /** Why this host refuses the policy, empty when it does not. */
  readonly refusals: readonly string[];
  readonly policy: { readonly name: string; readonly files: readonly string[] };
  readonly enforcement: Policy["enforcement"];
  /** What builds the jail, and why. */
  readonly backend: { readonly kind: BackendKind; readonly reason: string };
  readonly landlockAbi: number;
  readonly labels: Plan["labels"];
  readonly guards: readonly {
    readonly name: GuardName;
    readonly enforced: EnforcementLabel;
    readonly reason: string | null;
  }[];
  readonly rules: readonly ExplainedRule[];
  /** What the policy says of protected files; the guard `protected` is about all of them. */
  readonly protect: readonly ExplainedProtection[];
  /** Files and directories by what is granted of them. */
  readonly grants: { readonly read: number; readonly write: number; readonly list: number };
  /** Directories that commands may write, as granted. */
  readonly writable: readonly string[];
  /** What commands may execute; null where that is everything that they may read. */
  readonly executable: readonly string[] | null;
  /** Denied paths in these that are covered. */
  readonly covered: readonly string[];
  readonly net: Plan["net"];
  /** Names of the variables that the command would get. */
  readonly env: readonly string[];
  readonly limits: Limits;
  /** Who keeps each bound that is set. */
  readonly keepers: SessionLimits["keepers"];
}

function explainPrograms(decision: Decision, policy: Policy): readonly ExplainedProgram[] {
  if (decision.kind === "syntax-error") return [];
  return decision.programs.map((program) => {
    const { allowed, rule, note } = decideRun(program, policy);
    const words = rule ? describeRule(rule) : note ?? describeAbsence("run");
    const at = formatLocation(rule?.source ?? policy.run.source);
    const { text, via } = program;
    return { text, via, allowed, rule: words, at, note: rule ? note : null };
  });
}

function explainPath(named: NamedPath, plan: Plan): ExplainedPath {
  const { permission } = named;
  const path = realPathOfMaybeAbsent(named.path);
  const refusal = refusedPath(plan, { permission, path });
  const { policy } = plan;
  const rule = refusal ? refusal.rule : decidePath(policy, { permission, path }).rule;
  return {
    ...named,
    allowed: refusal === null,
    rule: rule ? describeRule(rule) : describeAbsence(permission),
    at: formatLocation(rule?.source ?? policy[permission].source),
    note: refusal ? refusal.note ?? (describeAccepted(policy, permission) || null) : null,
  };
}

function explainProtection(plan: Plan): readonly ExplainedProtection[] {
  const { add, except } = plan.policy.protect;
  const all = [
    ...add.map((entry) => ({ effect: "protect" as const, ...entry })),
    ...except.map((entry) => ({ effect: "except" as const, ...entry })),
  ];
  return all.map(({ effect, written, pattern, source }) => {
    const enforced = effect === "except"
      ? null
      : labelOfProtected(plan, realPathOfMaybeAbsent(pattern));
    return { effect, written, pattern, at: formatLocation(source), enforced };
  });
}

/** Explain a shell command in a session. Nothing of it is run. */
export function explain(context: SessionContext, source: string): Explanation {
  const { policy, state, jail: { plan } } = context;
  const decision = decide({ kind: "script", source }, { policy, state, keepsState: false });
  const stopped = refusals(plan);
  const count = (access: "read" | "write" | "list") =>
    plan.grants.filter((grant) => grant[access]).length;
  return {
    command: source,
    decision: decision.kind,
    mistake: decision.kind === "syntax-error"
      ? `line ${decision.mistake.line}, column ${decision.mistake.column}: ${decision.mistake.message}`
      : null,
    argv: decision.kind === "run" ? decision.argv : [],
    programs: explainPrograms(decision, policy),
    redirections: decision.kind === "syntax-error"
      ? []
      : decision.named.map((named) => explainPath(named, plan)),
    runs: decision.kind === "run" && stopped.length === 0,
    refusals: stopped,
    policy: { name: policy.name, files: policy.files },
    enforcement: policy.enforcement,
    backend: { kind: plan.backend.kind, reason: plan.backend.reason },
    landlockAbi: plan.landlockAbi,
    labels: plan.labels,
    guards: plan.guards,
    rules: plan.rules.map(({ rule, enforced, reason }) => {
      const { permission, effect, written, pattern, source } = rule;
      return { permission, effect, written, pattern, at: formatLocation(source), enforced, reason };
    }),
    protect: explainProtection(plan),
    grants: { read: count("read"), write: count("write"), list: count("list") },
    writable: plan.grants.filter(({ write, directory }) => write && directory).map(({ path }) =>
      path
    ),
    executable: plan.execution?.paths ?? null,
    covered: plan.covering.covers.map(({ path }) => path),
    net: plan.net,
    env: Object.keys(state.environment).sort(),
    limits: policy.limits,
    keepers: context.limits.keepers,
  };
}
