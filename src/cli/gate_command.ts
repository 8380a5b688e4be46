/** `debrief gate`: whether the records say that work is done. */
import { resolve } from "node:path/posix";
import { reasonOf, UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { type GateReport, judge } from "../record/gate.ts";
import { readGateJournal } from "../record/gate_journal.ts";
import { changedPaths, forbiddenPattern, scopeFindings } from "../record/gate_scope.ts";
import { renderGateGithub, renderGateText } from "../record/render_gate.ts";
import type { CommandLine } from "./command_line.ts";
import { noOperands } from "./counts.ts";
import { stateDirectory } from "./directories.ts";
import { redactOwnText } from "./own_text.ts";
import { queryOf } from "./record_query.ts";
import { writeText } from "./terminal.ts";

/** Standard input, which Deno would otherwise open anew only with every permission. */
const STDIN = "/dev/stdin";

/** The text that `--changed` names. @throws {UsageError} when it cannot be read. */
async function changedText(line: CommandLine): Promise<string> {
  const file = line.values.get("changed");
  const forbidden = (line.lists.get("forbid") ?? []).length > 0;
  if (file === undefined && forbidden) {
    throw new UsageError("Cannot use --forbid without --changed: what was changed must be told");
  }
  if (file !== undefined && !forbidden) {
    throw new UsageError("Cannot use --changed without --forbid: nothing is forbidden");
  }
  if (file === undefined) return "";
  try {
    return file === STDIN
      ? await new Response(Deno.stdin.readable).text()
      : Deno.readTextFileSync(resolve(Deno.cwd(), file));
  } catch (error) {
    const state = reasonOf(error);
    throw new UsageError(`Cannot read the changed paths from "${file}": ${state}`);
  }
}

function print(report: GateReport, line: CommandLine): void {
  const text = line.switches.has("json")
    ? JSON.stringify(report) + "\n"
    : line.switches.has("github")
    ? renderGateGithub(report)
    : renderGateText(report);
  writeText(1, redactOwnText(text));
}

/** Run the command; status 1 when something blocks. @throws {UsageError} when a flag cannot be used. */
export async function runGateCommand(line: CommandLine): Promise<number> {
  noOperands(line);
  if (line.switches.has("json") && line.switches.has("github")) {
    throw new UsageError("Cannot use --json and --github together: one of them is accepted");
  }
  const query = queryOf(line);
  const directory = Deno.cwd();
  const scope = {
    patterns: (line.lists.get("forbid") ?? []).map((path) => forbiddenPattern(path, directory)),
    changed: changedPaths(await changedText(line)),
    directory,
  };
  const journal = readGateJournal(stateDirectory(line), query);
  const report = judge(journal.records, {
    rules: {
      required: line.lists.get("require") ?? [],
      strict: line.switches.has("strict"),
      acceptRetried: line.switches.has("accept-retried"),
    },
    others: [...journal.findings, ...scopeFindings(journal.records, scope)],
  });
  if (!line.switches.has("quiet")) print(report, line);
  return report.passed ? EXIT.ok : EXIT.findings;
}
