/** `debrief log`: the newest records, those that come, or the state of the chain. */
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { counted } from "../output/counted.ts";
import { statOrNull } from "../record/journal_files.ts";
import { readNewest } from "../record/read.ts";
import { renderLogJson, renderLogText } from "../record/render_log.ts";
import { verifyJournal } from "../record/verify.ts";
import type { CommandLine } from "./command_line.ts";
import { countOf, noOperands } from "./counts.ts";
import { stateDirectory } from "./directories.ts";
import { queryOf } from "./record_query.ts";
import { writeText } from "./terminal.ts";
import { warnSkipped } from "./warn_skipped.ts";

const DEFAULT_RECORDS = 20;

/** Flags that choose records. */
const CHOOSING = ["limit", "session", "task", "since", "until", "status", "program", "text", "cwd"];

function verify(directory: string, json: boolean): number {
  const report = verifyJournal(directory);
  if (json) writeText(1, JSON.stringify(report) + "\n");
  else {
    const gaps = report.gaps.map(({ file, line, reason }) => `${file}:${line}: ${reason}\n`).join(
      "",
    );
    const counts = [
      counted(report.records, "record"),
      ...(report.torn > 0 ? [counted(report.torn, "torn line")] : []),
      counted(report.gaps.length, "gap"),
    ];
    writeText(1, `${gaps}${counts.join(", ")}\n`);
  }
  return report.gaps.length > 0 ? EXIT.findings : EXIT.ok;
}

/** `--verify` looks at all of the journal, once. @throws {UsageError} when a flag asks for something else. */
function checkVerify(line: CommandLine): void {
  const other = CHOOSING.find((flag) => line.values.has(flag)) ??
    (line.switches.has("follow") ? "follow" : null);
  if (other !== null) {
    throw new UsageError(`Cannot use --verify and --${other} together: the whole chain is checked`);
  }
}

/**
 * Run the command; status 1 when the chain has gaps. Following ends with a signal, or when nobody reads any more.
 *
 * @throws {UsageError} when the journal cannot be read or a flag cannot be used.
 */
export async function runLogCommand(line: CommandLine): Promise<number> {
  noOperands(line);
  const directory = stateDirectory(line);
  const json = line.switches.has("json");
  if (line.switches.has("verify")) {
    checkVerify(line);
    return verify(directory, json);
  }
  const options = { directory, ...queryOf(line), limit: countOf(line, "limit") ?? DEFAULT_RECORDS };
  const render = json ? renderLogJson : renderLogText;
  if (line.switches.has("follow")) {
    await (await import("./follow_log.ts")).followLog(options, render);
  }
  const { records, skipped } = readNewest(options);
  writeText(1, render(records));
  if (records.length === 0 && statOrNull(directory) === null) {
    writeText(2, `debrief: no records: "${directory}" does not exist\n`);
  }
  warnSkipped(skipped);
  return EXIT.ok;
}
