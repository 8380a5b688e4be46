/**
 * Writes `docs/reference.md` and the manual page `docs/debrief.1` from the tables that the program itself is made of;
 * with `--check` it writes nothing and fails when a committed file is another.
 * Usage: `deno run --allow-read --allow-write tools/generate_reference.ts [--check]`
 */
import { COMMANDS, exitStatuses } from "../src/cli/command_table.ts";
import { flagWords } from "../src/cli/flag.ts";
import { flagsOf } from "../src/cli/flags.ts";
import { EXIT } from "../src/exit_codes.ts";
import { BLOCK_SCHEMA } from "../src/feedback/block_schema.ts";
import { OUTCOME_TABLE } from "../src/feedback/outcome_table.ts";
import { RULES } from "../src/output/rules.ts";
import { PERMISSIONS } from "../src/policy/policy.ts";
import { ABI_TABLE, REQUIRED_ABI } from "../src/sandbox/landlock_abi.ts";
import { ATTRIBUTE, EVENT, METRIC } from "../src/telemetry/attribute_names.ts";
import { listBuiltins } from "../src/policy/explain.ts";
import { type Documented, documentedFields } from "./documented_fields.ts";
import { renderMan } from "./generate_man.ts";

const source = (path: string) => Deno.readTextFileSync(new URL(`../${path}`, import.meta.url));

/** The parts of JSON Schema that `policies/schema.json` uses. */
interface SchemaNode {
  readonly description?: string;
  readonly type?: string;
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Text of a cell: a bar would end it, and what Markdown takes for emphasis or a link is a pattern here. */
function cell(text: string): string {
  const parts = text.split(/(`[^`]*`)/);
  return parts.map((part, index) => index % 2 === 0 ? part.replaceAll(/[*_<[\]]/g, "\\$&") : part)
    .join("").replaceAll("|", "\\|").replaceAll("\n", " ");
}

function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function commandSection(command: typeof COMMANDS[number]): string {
  const { name, usage, summary, examples } = command;
  const statuses = exitStatuses(command);
  return [
    `### ${code(name === "run" ? "debrief" : `debrief ${name}`)}`,
    summary,
    ["```text", ...usage, "```"].join("\n"),
    table(["flag", ""], flagsOf(name).map((flag) => [code(flagWords(flag)), flag.summary])),
    `For example: ${examples.map(code).join(", ")}.`,
    ...(statuses.length > 0 ? [`Exit status: ${statuses.join("; ")}.`] : []),
  ].join("\n\n");
}

function exitSection(): string {
  const documented = documentedFields(source("src/exit_codes.ts"), "EXIT");
  const rows = Object.entries(EXIT).map(([name, status]) => {
    const doc = documented.find((field) => field.name === name)?.doc ?? "";
    return [name === "signalBase" ? "128 + n" : String(status), doc];
  });
  return table(["status", "meaning"], [["the command's", "The command ended by itself."], ...rows]);
}

function outcomeSection(): string {
  const rows = OUTCOME_TABLE.map(({ kind, when, example }) => [code(kind), when, code(example)]);
  return table(["outcome", "when", "for example"], rows);
}

/** The keys of a schema with their descriptions, depth first, as dotted paths. */
function policyKeys(node: SchemaNode, prefix: string): readonly (readonly string[])[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, value]) => {
    const path = prefix + name;
    const forms = [value, ...(value.anyOf ?? [])];
    const described = value.description ? [[code(path), value.description]] : [];
    return [
      ...described,
      ...forms.flatMap((form) => form.properties ? policyKeys(form, `${path}.`) : []),
      ...forms.flatMap((form) => form.items ? policyKeys(form.items, `${path}[].`) : []),
    ];
  });
}

/** What all texts end with, from the beginning of a sentence on; each permission's description ends so. */
function commonEnd(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  const sentences = [...first.matchAll(/(?<=[.!?] )(?=\S)/g)].map(({ index }) =>
    first.slice(index)
  );
  return sentences.find((end) => others.every((text) => text.endsWith(end))) ?? "";
}

function policySection(): string {
  const schema: SchemaNode = JSON.parse(source("policies/schema.json"));
  const common = commonEnd(
    PERMISSIONS.map((name) => schema.properties?.[name]?.description ?? ""),
  );
  // What allow and deny mean is the same for every permission.
  const repeated = /^`(?:write|net|env|run)\.(?:allow|deny)`$/;
  const rows = policyKeys(schema, "").filter(([key = ""]) => !repeated.test(key))
    .map(([key = "", text = ""]) => [key, text.replace(common, "").trim()]);
  return `For every permission: ${cell(common)}\n\n${table(["key", ""], rows)}`;
}

function kernelSection(): string {
  const rows = ABI_TABLE.map(({ abi, kernel, brings, need, substitute, without }) => [
    String(abi),
    kernel,
    brings,
    need,
    substitute ?? "nothing",
    without.map(code).join(", "),
  ]);
  return [
    `The default policy needs ABI ${REQUIRED_ABI}. On an older kernel what the last column names is unsupported and ` +
    "refused, unless the policy says `best-effort`. `debrief doctor` prints this host's row.",
    table(["ABI", "Linux", "brings", "needed for", "without it", "unsupported without it"], rows),
  ].join("\n\n");
}

function recordSection(): string {
  const fields = documentedFields(source("src/record/record.ts"), "CommandRecord");
  const row = ({ name, type, doc }: Documented) => [code(name), type === "" ? "" : code(type), doc];
  return table(["field", "type", ""], fields.map(row));
}

/** Names of telemetry with their documentation. */
function namesSection(constant: string, names: Readonly<Record<string, string>>): string {
  const documented = documentedFields(source("src/telemetry/attribute_names.ts"), constant);
  const rows = Object.entries(names).map(([key, name]) => [
    code(name),
    documented.find((field) => field.name === key)?.doc ?? "",
  ]);
  return table(["name", ""], rows);
}

/** One line for each key of the schema and for each of its properties. */
function compactJson(schema: Readonly<Record<string, unknown>>): string {
  const lines = (value: object, indent: string, deeper: boolean): string =>
    Object.entries(value).map(([key, inner]) =>
      `${indent}${JSON.stringify(key)}: ` +
      (deeper && key === "properties"
        ? `{\n${lines(inner, indent + "  ", false)}\n${indent}}`
        : JSON.stringify(inner))
    ).join(",\n");
  return `{\n${lines(schema, "  ", true)}\n}`;
}

function redactionSection(): string {
  const names = [...new Set(RULES.map(({ name }) => name))].sort();
  return `${names.map(code).join(", ")}.`;
}

/** Returns the text of `docs/reference.md`. */
export function renderReference(): string {
  const builtins = listBuiltins().map(({ name, description }) => [code(name), description]);
  return [
    "<!-- deno-fmt-ignore-file -->",
    "<!-- Written by tools/generate_reference.ts: change the tables that it reads, not this file. -->",
    "# Reference",
    "The [guide](guide.md) explains how these are used; `debrief --help` and `debrief COMMAND --help` print the flags.",
    "## Commands and flags",
    ...COMMANDS.map(commandSection),
    "## Exit statuses",
    exitSection(),
    "## Outcomes",
    "Rows are tried from top to bottom; the first that applies decides. The exit status always wins: status 0 is never a " +
    "failure, another never a success, whatever the output says.",
    outcomeSection(),
    "## Policy keys",
    "A policy file is JSON with comments. Editors check it against `policies/schema.json`, and so does " +
    "`debrief policy check FILE`.",
    policySection(),
    "### Built-in policies",
    table(["name", ""], builtins),
    "## Kernels",
    kernelSection(),
    "## Names of redactions",
    "A hidden value reads `[REDACTED:name#n]`: the rule, or the variable that holds the value, and a number for each " +
    "distinct value of the session. Besides names of secrets in assignments, private keys and the values of secret-named " +
    "variables, these shapes are known:",
    redactionSection(),
    "## The record",
    "One line of JSON for each command in `journal.jsonl`; `debrief show ID` and `debrief log --json` print it.",
    recordSection(),
    "## Telemetry",
    "The span of a command is named `execute_tool debrief`. [The guide](guide.md#telemetry) says how it is configured and " +
    "what content is. Attributes:",
    namesSection("ATTRIBUTE", ATTRIBUTE),
    "Events of a span:",
    namesSection("EVENT", EVENT),
    "Metrics:",
    namesSection("METRIC", METRIC),
    "## The block as JSON",
    "With `--format json` the block is one line. Its schema:",
    ["```json", compactJson(BLOCK_SCHEMA), "```"].join("\n"),
  ].join("\n\n") + "\n";
}

if (import.meta.main) {
  for (
    const [path, render] of [["docs/reference.md", renderReference], [
      "docs/debrief.1",
      renderMan,
    ]] as const
  ) {
    const target = new URL(`../${path}`, import.meta.url);
    if (!Deno.args.includes("--check")) Deno.writeTextFileSync(target, render());
    else if (Deno.readTextFileSync(target) !== render()) {
      throw new Error(`Cannot accept "${path}": it is stale; run tools/generate_reference.ts`);
    }
  }
}
