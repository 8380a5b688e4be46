/** The gate's report for people and for GitHub Actions. */
import type { GateFinding, GateReport, GateRequirement } from "./gate.ts";
import { shortText } from "./visible_text.ts";
import { counted } from "../output/counted.ts";

/** Findings and attempts that are listed one by one; the JSON form has all. */
const MAX_FINDINGS = 50;
const MAX_ATTEMPTS = 8;

/** Characters of a command. */
const MAX_COMMAND = 160;

const SYMBOLS = { error: "\u2717", warning: "\u26a0", passed: "\u2713" } as const;

/** The report as text: the decision, what was required with its history, the findings. */
export function renderGateText(report: GateReport): string {
  const { findings, required } = report;
  const more = findings.length - MAX_FINDINGS;
  const lines = [
    summary(report),
    ...required.filter(({ state }) => state === "passed").map(passedLine),
    ...findings.slice(0, MAX_FINDINGS).map(findingLine),
    ...(more > 0 ? [`${more} more findings: --json`] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** The report as workflow commands of GitHub Actions, one annotation for each finding and one for the decision. */
export function renderGateGithub(report: GateReport): string {
  const lines = report.findings.map(({ name, level, message, command_id }) =>
    annotation(level, {
      title: `debrief ${name}`,
      message: command_id === null ? message : `${message} (${command_id})`,
    })
  );
  lines.push(annotation("notice", { title: "debrief gate", message: summary(report) }));
  return lines.map((line) => `${line}\n`).join("");
}

function summary({ passed, findings, records }: GateReport): string {
  const errors = findings.filter(({ level }) => level === "error").length;
  const counts = [
    counted(errors, "error"),
    counted(findings.length - errors, "warning"),
    counted(records, "record"),
  ];
  return `gate ${passed ? "passed" : "blocked"}: ${counts.join(", ")}`;
}

function passedLine({ command, attempts }: GateRequirement): string {
  const shown = attempts.slice(-MAX_ATTEMPTS).map(({ command_id, exit_code }) =>
    `${shortText(command_id, 16)} ${exit_code === null ? "no exit" : `exit ${exit_code}`}`
  );
  const earlier = attempts.length > shown.length ? "…, " : "";
  return `${SYMBOLS.passed} \`${shortText(command, MAX_COMMAND)}\`: ${earlier}${shown.join(", ")}`;
}

function findingLine({ name, level, message, command_id }: GateFinding): string {
  const id = command_id === null ? "" : ` (${shortText(command_id, 16)})`;
  return `${SYMBOLS[level]} ${name}: ${message}${id}`;
}

/** A workflow command; escapes as in `command.ts` of the package `@actions/core`. */
function annotation(
  level: "error" | "warning" | "notice",
  { title, message }: { readonly title: string; readonly message: string },
): string {
  return `::${level} title=${escapeProperty(title)}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
