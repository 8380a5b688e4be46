/** The manual page, made from the tables of commands and flags; tools/generate_reference.ts writes it. */
import { COMMANDS, exitStatuses } from "../src/cli/command_table.ts";
import { type Flag, flagsOf } from "../src/cli/flags.ts";
import { writtenFlag } from "../src/cli/flag.ts";
import { VERSION } from "../src/cli/version.ts";
import { EXIT } from "../src/exit_codes.ts";
import { documentedFields } from "./documented_fields.ts";

/** Text of a line: backslashes and hyphens have a meaning, and so has a line's first dot or quote. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^(?=[.'])/, "\\&")
    .replaceAll("…", "\\[u2026]").replaceAll("\u2019", "'");
}

/** Placeholders of a usage line or flag stand out. */
function withPlaceholders(text: string): string {
  return escaped(text).replaceAll(/\b[A-Z]{2,}\b/g, "\\fI$&\\fR");
}

function flagEntry(flag: Flag): string {
  const { short, value, summary } = flag;
  const names = [...(short ? [`-${short}`] : []), writtenFlag(flag)].map((name) =>
    `\\fB${escaped(name)}\\fR`
  );
  const taken = value ? ` ${withPlaceholders(value)}` : "";
  return `.TP\n${names.join(", ")}${taken}\n${escaped(summary)}`;
}

function flagEntries(command: Parameters<typeof flagsOf>[0]): string {
  return flagsOf(command).map(flagEntry).join("\n");
}

function usageLines(usage: readonly string[]): string {
  return usage.map((line) => `${withPlaceholders(line)}\n.br`).join("\n").replace(/\n\.br$/, "");
}

function exampleLines(examples: readonly string[]): string {
  return [".PP", ".nf", ".RS", ...examples.map(escaped), ".RE", ".fi"].join("\n");
}

function commandSection(command: typeof COMMANDS[number]): string {
  const { name, usage, summary, examples } = command;
  const statuses = exitStatuses(command);
  return [
    `.SS "debrief ${name}"`,
    escaped(summary),
    ".PP",
    usageLines(usage),
    flagEntries(name),
    ".PP",
    "For example:",
    exampleLines(examples),
    ...(statuses.length > 0 ? [".PP", escaped(`Exit status: ${statuses.join("; ")}.`)] : []),
  ].join("\n");
}

function statusEntries(): string {
  const source = Deno.readTextFileSync(new URL("../src/exit_codes.ts", import.meta.url));
  const documented = documentedFields(source, "EXIT");
  return Object.entries(EXIT).map(([name, status]) => {
    const doc = documented.find((field) => field.name === name)?.doc ?? "";
    const shown = name === "signalBase" ? "128 + n" : String(status);
    return `.TP\n${shown}\n${escaped(doc.replaceAll("`", ""))}`;
  }).join("\n");
}

/** Returns the text of `docs/debrief.1`. */
export function renderMan(): string {
  const [run, ...others] = COMMANDS;
  if (run === undefined) throw new Error("Cannot write a manual page: there are no commands");
  return [
    '.\\" Written by tools/generate_reference.ts: change the tables that it reads, not this file.',
    `.TH DEBRIEF 1 "" "debrief ${VERSION}" "User Commands"`,
    ".SH NAME",
    "debrief \\- a shell for agents: policy, jail, record, feedback",
    ".SH SYNOPSIS",
    usageLines(run.usage),
    ".br",
    "debrief \\fICOMMAND\\fR [\\fIFLAG\\fR\\[u2026]]",
    ".SH DESCRIPTION",
    escaped(run.summary),
    ".SH OPTIONS",
    flagEntries("run"),
    ".SH COMMANDS",
    ...others.map(commandSection),
    ".SH EXIT STATUS",
    "That of the command; besides:",
    statusEntries(),
    ".SH FILES",
    ".TP",
    "\\fI~/.config/debrief/policy.jsonc\\fR",
    "the user's own policy, or below XDG_CONFIG_HOME",
    ".TP",
    "\\fI~/.local/state/debrief/\\fR",
    "journal and kept output, or below XDG_STATE_HOME",
    ".SH ENVIRONMENT",
    ".TP",
    "\\fBDEBRIEF_POLICY\\fR",
    "a policy, as \\fB\\-\\-policy\\fR; only narrows a policy file of the user's",
    ".TP",
    "\\fBDEBRIEF_BLOCK\\fR",
    "where the block goes, as \\fB\\-\\-block\\fR",
    ".TP",
    "\\fBNO_COLOR\\fR",
    "no colour on a terminal",
    ".SH EXAMPLES",
    exampleLines(run.examples).replace(".PP\n", ""),
  ].join("\n") + "\n";
}
