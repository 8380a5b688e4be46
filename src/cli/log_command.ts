/** `debrief log`: the newest records, or the state of the chain. */
import { UsageError } from "../errors.ts";
import { type JournalPage, readNewest } from "../record/read.ts";
import { renderLogJson, renderLogText } from "../record/render_log.ts";
import { verifyJournal } from "../record/verify.ts";
import { userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";
import { directoryOf } from "./directories.ts";
import { writeText } from "./terminal.ts";

const DEFAULT_RECORDS = 20;

/**
 * A whole number that a flag gives.
 *
 * @throws {UsageError} when it is none, or below 1.
 */
export function countOf(line: CommandLine, flag: string): number | null {
  const text = line.values.get(flag);
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`Cannot use --${flag} "${text}": a number from 1 is accepted`);
  }
  return Number(text);
}

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
  const directory = userPaths(Deno.env.toObject(), directoryOf(line, "journal")).state;
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
