/**
 * Layers -> one policy. A later layer adds to an earlier one: a list or `{ allow }` adds rules, `true` adds the rule that
 * covers everything, `false` drops the allows so far; denies only ever accumulate; single values replace.
 */
import { type SourceLocation } from "../errors.ts";
import { mergeFeedback } from "./merge_feedback.ts";
import { mergeLimits } from "./limits.ts";
import { canonicalNet } from "./net_entry.ts";
import { isSocket, socketPath, socketPattern } from "./socket_entry.ts";
import { resolvePath } from "./path_entry.ts";
import { canonicalRun } from "./run_entry.ts";
import type { PolicyLayer } from "./extend.ts";
import type { KeyPath, Problem } from "./problems.ts";
import type { PermissionValue } from "./schema.ts";
import {
  type ListedPath,
  type OutputBudget,
  type PermissionName,
  PERMISSIONS,
  type Policy,
  type PolicyVariables,
  type ProtectSettings,
  type RedactSettings,
  type Rule,
  type RuleSet,
} from "./policy.ts";
import { matchesEnv } from "./match.ts";

/**
 * Budget where no layer sets any: 8,000 characters pass whole through every known agent, and are 4,000 tokens only where
 * they are dense, as base64 or Chinese is; 64 MiB of spool.
 */
const DEFAULT_OUTPUT: OutputBudget = {
  maxChars: 8000,
  maxLines: 200,
  maxTokens: 4000,
  spoolBytes: 64 * 1024 * 1024,
};

/** Merges layers, base first, into a policy of the given name. */
export function mergeLayers(
  layers: readonly PolicyLayer[],
  context: { readonly name: string; readonly variables: PolicyVariables },
): Policy {
  const top = layers.at(-1);
  if (!top) throw new TypeError("Cannot merge a policy: there are no layers");
  const unset = top.document.locate([]);
  const ruleSets = PERMISSIONS.map((name) =>
    [name, mergeRules(name, { layers, unset, variables: context.variables })] as const
  );
  const rules = Object.fromEntries(ruleSets) as Record<PermissionName, RuleSet>;
  return {
    name: context.name,
    description: top.value.description ?? "",
    files: layers.map((layer) => layer.document.file),
    ...rules,
    loopback: mergeLoopback(layers) && !rules.net.deny.some((rule) => rule.pattern === "*"),
    executable: mergeExecutable(layers, context.variables),
    environment: mergeEnvironment(layers, rules.env),
    protect: mergeProtect(layers, context.variables),
    enforcement: lastSet(layers, (layer) => layer.value.enforcement) ?? "required",
    backend: lastSet(layers, (layer) => layer.value.backend) ?? "auto",
    limits: mergeLimits(layers),
    output: Object.assign({}, DEFAULT_OUTPUT, ...layers.map((layer) => layer.value.output ?? {})),
    redact: mergeRedact(layers, context.variables),
    feedback: mergeFeedback(layers, context.variables),
  };
}

function mergeRules(
  permission: PermissionName,
  context: {
    readonly layers: readonly PolicyLayer[];
    readonly unset: SourceLocation;
    readonly variables: PolicyVariables;
  },
): RuleSet {
  let allow: Rule[] = [];
  const deny: Rule[] = [];
  let source: SourceLocation = { ...context.unset, keyPath: permission };
  for (const layer of context.layers) {
    const value = layer.value[permission] as PermissionValue | undefined;
    if (value === undefined) continue;
    source = layer.document.locate([permission]);
    const isObject = typeof value === "object" && !Array.isArray(value);
    const parts = isObject
      ? value as { allow?: Entries; deny?: Entries }
      : { allow: value as Entries };
    const base: KeyPath = isObject ? [permission, "allow"] : [permission];
    if (parts.allow === false) allow = [];
    allow.push(
      ...toRules(parts.allow, {
        permission,
        effect: "allow",
        path: base,
        layer,
        variables: context.variables,
      }),
    );
    deny.push(
      ...toRules(parts.deny, {
        permission,
        effect: "deny",
        path: [permission, "deny"],
        layer,
        variables: context.variables,
      }),
    );
  }
  return { allow: unique(allow), deny: unique(deny), source };
}

/** The last layer that says something of it: `loopback` itself, or true or false for all of the network. */
function mergeLoopback(layers: readonly PolicyLayer[]): boolean {
  return lastSet(layers, ({ value: { net } }) => {
    if (net === undefined || Array.isArray(net)) return undefined;
    if (typeof net === "boolean") return net;
    return net.loopback ?? (typeof net.allow === "boolean" ? net.allow : undefined);
  }) ?? false;
}

type Entries = boolean | string[] | undefined;

interface RuleContext {
  readonly permission: PermissionName;
  readonly effect: Rule["effect"];
  readonly path: KeyPath;
  readonly layer: PolicyLayer;
  readonly variables: PolicyVariables;
}

function toRules(entries: Entries, context: RuleContext): Rule[] {
  const { permission, effect, path, layer } = context;
  const isPath = permission === "read" || permission === "write";
  const locate = (at: KeyPath) => layer.document.locate(at);
  if (entries === true) {
    return [{
      permission,
      effect,
      pattern: isPath ? "/" : "*",
      written: "true",
      source: locate(path),
    }];
  }
  return (entries || []).map((written, index) => ({
    permission,
    effect,
    pattern: toPattern(written, context),
    written,
    source: locate([...path, index]),
  }));
}

function toPattern(entry: string, { permission, layer, variables }: RuleContext): string {
  switch (permission) {
    case "read":
    case "write":
      return resolvePath(entry, { variables, directory: layer.directory });
    case "net":
      return isSocket(entry)
        ? socketPattern(resolvePath(socketPath(entry), { variables, directory: layer.directory }))
        : canonicalNet(entry);
    case "run":
      return canonicalRun(entry, variables);
    case "env":
      return entry;
  }
}

/** Keeps the first of several rules for the same thing: it is the one that a message should name. */
function unique(rules: readonly Rule[]): Rule[] {
  const byPattern = new Map<string, Rule>();
  for (const rule of rules) if (!byPattern.has(rule.pattern)) byPattern.set(rule.pattern, rule);
  return [...byPattern.values()];
}

/** What `run.exec` adds; false for `run` drops what was added so far. */
function mergeExecutable(
  layers: readonly PolicyLayer[],
  variables: PolicyVariables,
): readonly ListedPath[] {
  const runOf = ({ value: { run } }: PolicyLayer) =>
    typeof run === "object" && !Array.isArray(run) ? run : { allow: run };
  const first = layers.findLastIndex((layer) => runOf(layer).allow === false);
  return listPaths(layers.slice(Math.max(first, 0)), variables, (layer) => {
    const run = runOf(layer);
    return { entries: "exec" in run ? run.exec ?? [] : [], path: ["run", "exec"] };
  });
}

/** Both lists accumulate: what a file takes out, an extending one can add again. */
function mergeProtect(layers: readonly PolicyLayer[], variables: PolicyVariables): ProtectSettings {
  const listed = (key: "add" | "except") =>
    listPaths(layers, variables, ({ value: { protect } }) => {
      if (!Array.isArray(protect)) return { entries: protect?.[key] ?? [], path: ["protect", key] };
      return { entries: key === "add" ? protect : [], path: ["protect"] };
    });
  return { add: listed("add"), except: listed("except") };
}

/** The paths that all layers together list under one key. */
function listPaths(
  layers: readonly PolicyLayer[],
  variables: PolicyVariables,
  pick: (layer: PolicyLayer) => { readonly entries: readonly string[]; readonly path: KeyPath },
): ListedPath[] {
  return layers.flatMap((layer) => {
    const { entries, path } = pick(layer);
    return entries.map((written, index) => ({
      pattern: resolvePath(written, { variables, directory: layer.directory }),
      written,
      source: layer.document.locate([...path, index]),
    }));
  });
}

function mergeEnvironment(layers: readonly PolicyLayer[], env: RuleSet): Record<string, string> {
  const values = new Map<string, string>();
  for (const layer of layers) {
    const value = layer.value.env;
    if (typeof value !== "object" || Array.isArray(value)) continue;
    for (const [name, text] of Object.entries(value.set ?? {})) values.set(name, text);
  }
  return Object.fromEntries(
    [...values].filter(([name]) => !env.deny.some((rule) => matchesEnv(rule.pattern, name))),
  );
}

function mergeRedact(layers: readonly PolicyLayer[], variables: PolicyVariables): RedactSettings {
  const rules = new Map<string, { readonly name: string; readonly pattern: string }>();
  for (const layer of layers) {
    const problems: Problem[] = [];
    for (const [index, rule] of (layer.value.redact?.rules ?? []).entries()) {
      const known = rules.get(rule.name);
      const message =
        `Cannot use the rule name "${rule.name}": another rule has it, and rules can only be added`;
      if (known && known.pattern !== rule.pattern) {
        problems.push({ path: ["redact", "rules", index, "name"], message });
      }
      rules.set(rule.name, rule);
    }
    if (problems.length > 0) throw layer.document.error(problems);
  }
  return {
    rules: [...rules.values()],
    env: [...new Set(layers.flatMap((layer) => layer.value.redact?.env ?? []))],
    values: listPaths(layers, variables, ({ value }) => ({
      entries: value.redact?.values ?? [],
      path: ["redact", "values"],
    })),
    allow: [...new Set(layers.flatMap((layer) => layer.value.redact?.allow ?? []))],
  };
}

function lastSet<T>(
  layers: readonly PolicyLayer[],
  pick: (layer: PolicyLayer) => T | undefined,
): T | undefined {
  return layers.map(pick).findLast((value) => value !== undefined);
}
