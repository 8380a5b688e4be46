/** What the gate reads: the records in question, and what is wrong with the journal that they come from. */
import { UsageError } from "../errors.ts";
import type { GateFinding } from "./gate.ts";
import { matchesQuery, type RecordQuery } from "./query.ts";
import { newestFirst, type SkippedLines } from "./read.ts";
import type { CommandRecord } from "./record.ts";
import { verifyJournal } from "./verify.ts";
import { shortText } from "./visible_text.ts";

/** Gaps that are reported one by one. */
const MAX_GAPS = 8;

/** Characters of a message from outside. */
const MAX_MESSAGE = 300;

/** Records, oldest first, and findings about the journal as a whole. */
export interface GateJournal {
  readonly records: readonly CommandRecord[];
  readonly findings: readonly GateFinding[];
}

/** Reads and verifies the journal in a directory. A journal that is missing, unfit or broken is a finding, not an exception. */
export function readGateJournal(directory: string, query: RecordQuery): GateJournal {
  try {
    const skipped = { corrupt: 0, newer: 0, tooLong: 0 };
    const records = [...newestFirst({ directory }, (kind) => skipped[kind]++)].reverse();
    return {
      records: records.filter((record) => matchesQuery(record, query)),
      findings: journalFindings(directory, skipped),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { records: [], findings: [missing("error", error.message)] };
  }
}

function journalFindings(directory: string, skipped: SkippedLines): readonly GateFinding[] {
  const { gaps, torn, dropped } = verifyJournal(directory);
  const found = gaps.slice(0, MAX_GAPS).map(({ file, line, reason }) =>
    missing("error", `the journal is broken at ${file}:${line}: ${reason}`)
  );
  if (gaps.length > MAX_GAPS) {
    found.push(missing("error", `the journal has ${gaps.length - MAX_GAPS} more gaps`));
  }
  const unreadable = skipped.corrupt - torn;
  if (unreadable > 0) found.push(missing("error", `records that cannot be read: ${unreadable}`));
  if (skipped.newer > 0) {
    found.push(missing("error", `records of a newer version of Debrief: ${skipped.newer}`));
  }
  if (torn > 0) found.push(missing("warning", `lines that a crash tore: ${torn}`));
  if (dropped) found.push(missing("warning", "older records were dropped by rotation"));
  return found;
}

function missing(level: GateFinding["level"], message: string): GateFinding {
  return {
    name: "feedback.missing",
    level,
    message: shortText(message, MAX_MESSAGE),
    command_id: null,
  };
}
