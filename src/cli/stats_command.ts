/** `debrief stats`: how commands ended, what suggestions came to, retries, loops, and what all of it took. */
import { EXIT } from "../exit_codes.ts";
import { newestFirst, type SkippedLines } from "../record/read.ts";
import { durationText } from "../record/duration_text.ts";
import { suggestionStats } from "../record/suggestion_stats.ts";
import { shortText } from "../record/visible_text.ts";
import { type WorkRecord, type WorkStats, workStats } from "../record/work_stats.ts";
import type { CommandLine } from "./command_line.ts";
import { noOperands } from "./counts.ts";
import { stateDirectory } from "./directories.ts";
import { queryOf } from "./record_query.ts";
import { writeText } from "./terminal.ts";
import { warnSkipped } from "./warn_skipped.ts";

/** Characters of a name. */
const NAME = 20;

/** Run the command. @throws {UsageError} when the journal cannot be read or a flag cannot be used. */
export function runStatsCommand(line: CommandLine): number {
  noOperands(line);
  const skipped = { corrupt: 0, newer: 0, tooLong: 0 };
  const onSkip = (kind: keyof SkippedLines) => skipped[kind]++;
  const records: WorkRecord[] = [];
  for (const record of newestFirst({ directory: stateDirectory(line), ...queryOf(line) }, onSkip)) {
    records.push(lean(record));
  }
  records.reverse();
  const suggestions = suggestionStats(records);
  const work = workStats(records);
  const table = [
    row(["suggestion", "offered", "taken", "helped"]),
    ...suggestions.map(({ rule, offered, taken, helped }) => row([rule, offered, taken, helped])),
    "",
    ...workLines(work),
  ];
  const report = { version: 1, records: records.length, suggestions, ...work };
  writeText(
    1,
    line.switches.has("json") ? JSON.stringify(report) + "\n" : table.join("\n") + "\n",
  );
  warnSkipped(skipped);
  return EXIT.ok;
}

/** What is counted of a record: a whole journal of them would not fit into memory comfortably. */
function lean(record: WorkRecord): WorkRecord {
  const { command_id, parent_command_id, session_id, command, exit_code, outcome } = record;
  const { suggestions, feedback, duration_ms, bytes, truncations } = record;
  return {
    ...{ command_id, parent_command_id, session_id, command, exit_code, outcome },
    ...{ suggestions, feedback, duration_ms, bytes, truncations },
  };
}

function row(cells: readonly (string | number)[]): string {
  return cells.map((cell, index) =>
    index === 0 ? shortText(String(cell), NAME).padEnd(NAME) : String(cell).padStart(9)
  ).join("");
}

function workLines({ outcomes, retries, loops, spent }: WorkStats): readonly string[] {
  const { chains, succeeded, mean, most } = retries;
  const after = mean === null
    ? ""
    : `, after ${mean.toFixed(1)} retries on average, ${most} at most`;
  return [
    row(["outcome", "commands", "time", "tokens", "offered", "taken", "helped"]),
    ...outcomes.map((one) =>
      row([
        one.outcome,
        one.commands,
        durationText(one.ms),
        one.tokens,
        one.offered,
        one.taken,
        one.helped,
      ])
    ),
    row(["all", spent.commands, durationText(spent.ms), spent.tokens]),
    row(["failed", spent.failed.commands, durationText(spent.failed.ms), spent.failed.tokens]),
    "",
    `retries: ${succeeded} of ${chains} failures came to a success${after}`,
    `loops: ${loops.seen} seen, ${loops.broken} broken, ${loops.continued} continued`,
  ];
}
