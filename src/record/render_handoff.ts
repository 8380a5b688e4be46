/** A handoff as Markdown. */
import { durationText } from "./duration_text.ts";
import type { Handoff, OpenPoint } from "./handoff_schema.ts";
import { shortText } from "./visible_text.ts";
import { counted } from "../output/counted.ts";

/** Lines of one list; the JSON form has all. */
const MAX_LINES = 50;
/** Characters of one text. */
const MAX_TEXT = 300;

const HEADING: Readonly<Record<OpenPoint["kind"], string>> = {
  "no-exit": "no exit status",
  failed: "failed",
  missing: "required and did not run",
  job: "left running",
};

/** Renders a handoff for people and models: what is open first, what is left to do last. */
export function renderHandoff(report: Handoff): string {
  return [
    "# Handoff",
    "",
    ...head(report),
    ...section("Open", report.open.map(openLine)),
    ...section(
      "Required",
      report.required.map(({ command, state }) => `${code(command)}: ${state}`),
    ),
    ...section("Changed files", changedLines(report)),
    ...section(
      "Commits",
      report.changed.commits.map(({ id, subject }) => `${id} ${text(subject)}`),
    ),
    ...section("Restored", report.restored.map(text)),
    // Of these the newest tell most.
    ...section("Commands", newest(report.attempts.map(attemptLine))),
    ...section("Next", report.next.map(text)),
  ].join("\n") + "\n";
}

function head(report: Handoff): readonly string[] {
  const { task, goal, sessions, workspace, commands, outcomes, began_at, ended_at } = report;
  const counts = Object.entries(outcomes).map(([kind, count]) => `${count} ${kind}`).join(", ");
  return [
    ...(goal === null ? [] : [`- Goal: ${text(goal)}`]),
    ...(task === null ? [] : [`- Task: ${text(task)}`]),
    `- Workspace: ${text(workspace)}`,
    `- ${counted(commands, "command")}${counts === "" ? "" : `: ${counts}`}`,
    ...(began_at === null || ended_at === null
      ? []
      : [`- From ${text(began_at)} to ${text(ended_at)}, ${sessions.map(text).join(", ")}`]),
  ];
}

function section(title: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length - MAX_LINES - 1;
  const shown = more > 0 ? [...items.slice(0, MAX_LINES + 1), `${more} more: --json`] : items;
  return ["", `## ${title}`, "", ...shown.map((item) => `- ${item}`)];
}

function newest(items: readonly string[]): readonly string[] {
  const more = items.length - MAX_LINES;
  return more > 0 ? [`${more} more: --json`, ...items.slice(-MAX_LINES)] : items;
}

function openLine({ kind, command, command_id, attempts, reason, expected }: OpenPoint): string {
  const id = command_id === null ? "" : ` (${text(command_id)})`;
  const times = attempts > 1 ? `, ${attempts} attempts` : "";
  const want = expected === null ? "" : `; expected: ${text(expected)}`;
  const why = kind === "missing" ? "" : `: ${text(reason)}`;
  return `${HEADING[kind]}${times}: ${code(command)}${id}${why}${want}`;
}

function changedLines({ changed }: Handoff): readonly string[] {
  const { source, reason, branch, files, more } = changed;
  const lines = files.map(({ status, path }) =>
    status.trim() === "" ? code(path) : `${status.replaceAll(" ", ".")} ${code(path)}`
  );
  const of = source === "times" ? ["by the times of files, since the first command"] : [];
  const notes = [
    ...(branch === null ? [] : [`branch: ${text(branch)}`]),
    ...of,
    ...(reason === null ? [] : [text(reason)]),
  ];
  if (files.length === 0 && source !== "unknown") notes.push("none");
  return [
    ...(notes.length === 0 ? [] : [notes.join("; ")]),
    ...lines,
    ...(more > 0 ? [`${more} more`] : []),
  ];
}

function attemptLine(attempt: Handoff["attempts"][number]): string {
  const { command_id, command, exit_code, outcome, duration_ms, error, expected } = attempt;
  const end = exit_code === null ? "no exit" : `exit ${exit_code}`;
  const want = expected === null ? "" : `; expected: ${text(expected)}`;
  const why = error === null ? "" : `: ${text(error)}`;
  return `${text(command_id)} ${end}, ${outcome}, ${durationText(duration_ms)}, ${
    code(command)
  }${why}${want}`;
}

function text(value: string): string {
  return shortText(value, MAX_TEXT);
}

/** A code span that the text itself cannot end (CommonMark 0.31, "Code spans"). */
function code(value: string): string {
  const shown = text(value);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}
