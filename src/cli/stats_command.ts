/** `debrief stats`: suggestions that were offered, taken, and helped. */
import { EXIT } from "../exit_codes.ts";
import { newestFirst, type SkippedLines } from "../record/read.ts";
import { type StatsRecord, suggestionStats } from "../record/suggestion_stats.ts";
import { shortText } from "../record/visible_text.ts";
import type { CommandLine } from "./command_line.ts";
import { noOperands } from "./counts.ts";
import { stateDirectory } from "./directories.ts";
import { queryOf } from "./record_query.ts";
import { writeText } from "./terminal.ts";
import { warnSkipped } from "./warn_skipped.ts";

/** Characters of a rule's name. */
const NAME = 16;

/** Run the command. @throws {UsageError} when the journal cannot be read or a flag cannot be used. */
export function runStatsCommand(line: CommandLine): number {
  noOperands(line);
  const skipped = { corrupt: 0, newer: 0, tooLong: 0 };
  const onSkip = (kind: keyof SkippedLines) => skipped[kind]++;
  const records: StatsRecord[] = [];
  for (const record of newestFirst({ directory: stateDirectory(line), ...queryOf(line) }, onSkip)) {
    const { session_id, command, exit_code, outcome, suggestions } = record;
    records.push({ session_id, command, exit_code, outcome, suggestions });
  }
  const suggestions = suggestionStats(records.reverse());
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => index === 0 ? String(cell).padEnd(NAME) : String(cell).padStart(8))
      .join("");
  const table = [
    row(["suggestion", "offered", "taken", "helped"]),
    ...suggestions.map(({ rule, offered, taken, helped }) =>
      row([shortText(rule, NAME), offered, taken, helped])
    ),
  ];
  writeText(
    1,
    line.switches.has("json")
      ? JSON.stringify({ records: records.length, suggestions }) + "\n"
      : table.join("\n") + "\n",
  );
  warnSkipped(skipped);
  return EXIT.ok;
}
