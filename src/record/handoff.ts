/** A handoff: from records to what whoever goes on must know. Pure; nothing that failed is left out, and no null exit. */
import { judge } from "./gate.ts";
import type { Handoff, HandoffChanges, OpenPoint } from "./handoff_schema.ts";
import type { CommandRecord } from "./record.ts";
import { retryChains } from "./retry_chain.ts";
import { answered } from "./succeeded.ts";
import { shortText } from "./visible_text.ts";
import { counted } from "../output/counted.ts";

/** Commands at the end that are listed however they ended. */
const LAST = 5;
/** Characters of a command, and of a line of output. */
const MAX = { command: 300, line: 200 } as const;
/** Order of what is open: the unknown before the known. */
const ORDER: readonly OpenPoint["kind"][] = ["no-exit", "failed", "missing", "job"];

/** What is known besides the records. */
export interface HandoffFacts {
  readonly task: string | null;
  readonly goal: string | null;
  readonly workspace: string;
  /** Texts that `command`, joined by single blanks, must equal. */
  readonly required: readonly string[];
  readonly changed: HandoffChanges;
}

/** Makes a handoff. @param records those in question, oldest first. */
export function handoff(records: readonly CommandRecord[], facts: HandoffFacts): Handoff {
  const rules = { required: facts.required, strict: false, acceptRetried: false };
  const required = judge(records, { rules, others: [] }).required
    .map(({ command, state }) => ({ command, state }));
  const outcomes: Record<string, number> = {};
  for (const { outcome } of records) outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
  const open = [
    ...openChains(records),
    ...required.filter(({ state }) => state === "missing").map(missing),
    ...jobs(records),
  ].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const last = new Set(records.slice(-LAST));
  return {
    version: 1,
    task: facts.task,
    goal: facts.goal,
    sessions: [...new Set(records.map(({ session_id }) => session_id))],
    workspace: facts.workspace,
    began_at: records[0]?.started_at ?? null,
    ended_at: records.at(-1)?.started_at ?? null,
    commands: records.length,
    outcomes,
    required,
    open,
    changed: facts.changed,
    restored: [...new Set(records.flatMap(({ changed }) => changed))],
    attempts: records.filter((record) => last.has(record) || record.exit_code !== 0).map(attempt),
    next: nextSteps(open, facts.changed),
  };
}

function attempt(record: CommandRecord): Handoff["attempts"][number] {
  const { command_id, cwd, started_at, duration_ms, exit_code, outcome, agent_note } = record;
  return {
    command_id,
    command: textOf(record),
    cwd,
    started_at,
    duration_ms,
    exit_code,
    outcome: outcome.kind,
    error: answered(record) ? null : reasonOf(record),
    expected: agent_note,
  };
}

/** Chains whose last attempt did not do what it does, the newest first. */
function openChains(records: readonly CommandRecord[]): readonly OpenPoint[] {
  return retryChains(records).flatMap((chain): OpenPoint[] => {
    const last = chain.records.at(-1) ?? chain.records[0];
    if (answered(last)) return [];
    return [{
      // What was never started has certainly not done its work.
      kind: last.exit_code === null && last.argv.length > 0 ? "no-exit" : "failed",
      command: textOf(last),
      command_id: last.command_id,
      attempts: chain.records.length,
      reason: reasonOf(last),
      expected: last.agent_note,
      suggestion: last.suggestions.find(({ text }) => !text.includes("\n"))?.text ?? null,
    }];
  }).reverse();
}

function missing({ command }: { readonly command: string }): OpenPoint {
  return {
    kind: "missing",
    command,
    command_id: null,
    attempts: 0,
    reason: "it did not run",
    expected: null,
    suggestion: null,
  };
}

function jobs(records: readonly CommandRecord[]): readonly OpenPoint[] {
  return records.flatMap(({ command_id, jobs }) =>
    jobs.filter(({ state }) => state === "running").map(({ pid, command }): OpenPoint => ({
      kind: "job",
      command: shortText(command, MAX.command),
      command_id,
      attempts: 1,
      reason: `it was left running as process ${pid}, and ends with its session`,
      expected: null,
      suggestion: null,
    }))
  );
}

function nextSteps(open: readonly OpenPoint[], changed: HandoffChanges): string[] {
  const steps = open.filter(({ kind }) => kind !== "job").slice(0, LAST).map((point) => {
    const command = `\`${point.command}\``;
    switch (point.kind) {
      case "no-exit":
        return `${command} may or may not have done its work: ${point.reason}.`;
      case "missing":
        return `${command} is required and did not run.`;
      default:
        return `${command} still fails (${point.reason})${
          point.suggestion === null ? "" : `; said then: ${point.suggestion}`
        }.`;
    }
  });
  const count = changed.files.length + changed.more;
  if (count > 0 && changed.source === "git") {
    steps.push(`${counted(count, "changed file is", "changed files are")} not committed.`);
  }
  return steps.length > 0 ? steps : ["Nothing is open."];
}

function textOf({ command }: CommandRecord): string {
  return shortText(command.join(" "), MAX.command);
}

function reasonOf(record: CommandRecord): string {
  const { exit_code, error, outcome } = record;
  if (exit_code === null) return shortText(error ?? outcome.reason, MAX.line);
  const line = lastLine(record);
  return line === "" ? `exit status ${exit_code}` : `exit status ${exit_code}: ${line}`;
}

/** The last line that tells of an error, else the last one. */
function lastLine({ stdout_tail, stderr_tail }: CommandRecord): string {
  const lines = `${stdout_tail}\n${stderr_tail}`.split("\n").map((line) => line.trim())
    .filter((line) => line !== "");
  const telling = lines.findLast((line) => /error|fail|exception|cannot|denied/i.test(line));
  return shortText(telling ?? lines.at(-1) ?? "", MAX.line);
}
