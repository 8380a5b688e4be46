/** Text and JSON of a resolved policy, for `debrief policy show`. */
import { BUILTIN_NAMES, builtinLabel, type BuiltinName, readBuiltin } from "./builtins.ts";
import { formatLocation } from "./denial.ts";
import { describeLimits } from "./limits.ts";
import { PolicyDocument } from "./document.ts";
import { providersOf } from "./merge_feedback.ts";
import {
  PERMISSIONS,
  type Policy,
  type ProviderSetting,
  type Rule,
  type RuleSet,
} from "./policy.ts";

/** A built-in policy in a list. */
export interface BuiltinSummary {
  readonly name: BuiltinName;
  readonly description: string;
}

/** Lists the built-in policies with their descriptions. */
export function listBuiltins(): readonly BuiltinSummary[] {
  return BUILTIN_NAMES.map((name) => {
    const { value } = new PolicyDocument(readBuiltin(name), builtinLabel(name));
    return { name, description: String((value as { description?: string }).description ?? "") };
  });
}

/** Renders every resolved rule with the place it comes from, and the settings beside the rules; ends with a newline. */
export function renderPolicy(policy: Policy, { json }: { readonly json: boolean }): string {
  if (json) return JSON.stringify(policy, null, 2) + "\n";
  const lines = [
    `policy ${policy.name}`,
    ...(policy.description ? [`  ${policy.description}`] : []),
    `files ${policy.files.join(", ")}`,
    ...PERMISSIONS.flatMap((name) => ["", name, ...renderRules(policy[name])]),
    "",
    "settings",
    ...renderSettings(policy),
  ];
  return lines.join("\n") + "\n";
}

function renderRules({ allow, deny, source }: RuleSet): string[] {
  if (allow.length + deny.length === 0) return [`  nothing  ${formatLocation(source)}`];
  const rows = [...allow, ...deny].map((
    rule,
  ) => [rule.effect.padEnd(5), describePattern(rule), formatLocation(rule.source)]);
  const width = Math.min(60, Math.max(...rows.map((row) => row[1]?.length ?? 0)));
  return rows.map(([effect, pattern = "", at]) => `  ${effect}  ${pattern.padEnd(width)}  ${at}`);
}

function describePattern({ written, pattern }: Rule): string {
  return written === pattern ? pattern : `${written} = ${pattern}`;
}

function renderSettings(
  {
    loopback,
    executable,
    environment,
    enforcement,
    backend,
    protect,
    limits,
    output,
    redact,
    feedback,
  }: Policy,
): string[] {
  const names = Object.keys(environment);
  return [
    `  loopback     ${loopback ? "servers of the session only" : "none"}`,
    `  enforcement  ${enforcement}`,
    `  backend      ${backend}`,
    ...protect.add.map((path) => `  protect      ${path.pattern}  ${formatLocation(path.source)}`),
    ...protect.except.map((path) =>
      `  unprotect    ${path.pattern}  ${formatLocation(path.source)}`
    ),
    ...executable.map((path) => `  executable   ${path.pattern}  ${formatLocation(path.source)}`),
    ...describeLimits(limits).map(([name, value]) => `  ${name.padEnd(11)}  ${value}`),
    `  output       ${output.maxChars} characters, ${output.maxLines} lines, ${output.maxTokens} tokens, ${output.spoolBytes} bytes kept`,
    ...(names.length > 0 ? [`  env.set      ${names.join(", ")}`] : []),
    ...(redact.rules.length > 0
      ? [`  redact       ${redact.rules.map((rule) => rule.name).join(", ")}`]
      : []),
    ...(redact.env.length > 0 ? [`  redact.env   ${redact.env.join(", ")}`] : []),
    ...redact.values.map((file) =>
      `  redact.file  ${file.pattern}  ${formatLocation(file.source)}`
    ),
    ...redact.allow.map((value) => `  redact.show  ${JSON.stringify(value)}`),
    `  feedback     ${feedback.select}, ${feedback.verbosity}, ${feedback.timeoutMs} ms each: ${
      providersOf(feedback).map(({ name }) => name).join(", ")
    }`,
    ...providersOf(feedback).flatMap(describeProvider),
  ];
}

/** A provider that runs what a file holds. */
function describeProvider(setting: ProviderSetting): readonly string[] {
  if (setting.kind !== "module" && setting.kind !== "exec") return [];
  const what = setting.kind === "module" ? setting.path : JSON.stringify(setting.argv);
  return [`  provider     ${setting.name} = ${what}  ${formatLocation(setting.source)}`];
}
