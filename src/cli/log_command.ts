/** `debrief log`: the newest records, or the state of the chain. */
import { type JournalPage, readNewest } from "../record/read.ts";
import { renderLogJson, renderLogText } from "../record/render_log.ts";
import { verifyJournal } from "../record/verify.ts";
import type { CommandLine } from "./command_line.ts";
import { countOf, noOperands } from "./counts.ts";
import { stateDirectory } from "./directories.ts";
import { writeText } from "./terminal.ts";

const DEFAULT_RECORDS = 20;

function verify(directory: string, json: boolean): number {
  const report = verifyJournal(directory);
  if (json) writeText(1, JSON.stringify(report) + "\n");
  else {
    const gaps = report.gaps.map(({ file, line, reason }) => `${file}:${line}: ${reason}\n`).join(
      "",
    );
    const torn = report.torn > 0 ? `, ${report.torn} torn lines` : "";
    writeText(1, `${gaps}${report.records} records${torn}, ${report.gaps.length} gaps\n`);
  }
  return report.gaps.length > 0 ? 1 : 0;
}

function warnSkipped({ skipped }: JournalPage): void {
  const { corrupt, newer, tooLong } = skipped;
  if (corrupt + newer + tooLong === 0) return;
  writeText(
    2,
    `debrief: left out: ${corrupt} damaged, ${newer} of a newer version, ${tooLong} too long\n`,
  );
}

/** Run the command; status 1 when the chain has gaps. @throws {UsageError} when the journal cannot be read. */
export function runLogCommand(line: CommandLine): number {
  noOperands(line);
  const directory = stateDirectory(line);
  const json = line.switches.has("json");
  if (line.switches.has("verify")) return verify(directory, json);
  const [session, task] = [line.values.get("session"), line.values.get("task")];
  const page = readNewest({
    directory,
    limit: countOf(line, "last") ?? DEFAULT_RECORDS,
    ...(session === undefined ? {} : { session }),
    ...(task === undefined ? {} : { task }),
  });
  writeText(1, json ? renderLogJson(page.records) : renderLogText(page.records));
  warnSkipped(page);
  return 0;
}
