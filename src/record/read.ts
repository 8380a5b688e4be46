/** Reading the journal: newest first, across rotations, whatever state its lines are in. */
import { UsageError } from "../errors.ts";
import type { CommandRecord } from "./record.ts";
import { backwardLines, type FileLine } from "./file_bytes.ts";
import { journalPath, MAX_LINE_BYTES, openOwn, ROTATIONS } from "./journal_files.ts";
import { parseRecord } from "./record_shape.ts";

/** Lines that were left out, so that a damaged history is never mistaken for a short one. */
export interface SkippedLines {
  /** No record: torn by a crash, or damaged. */
  readonly corrupt: number;
  /** Written by a newer major version of Debrief. */
  readonly newer: number;
  /** Longer than 1 MiB. */
  readonly tooLong: number;
}

/** Records, newest first, and what was skipped on the way to them. */
export interface JournalPage {
  readonly records: readonly CommandRecord[];
  readonly skipped: SkippedLines;
}

/** Which records are wanted. */
export interface RecordFilter {
  readonly directory: string;
  readonly session?: string;
  readonly task?: string;
}

/** Characters that a prefix of an id must have: one is the letter that all ids of a kind share. */
const MIN_PREFIX = 2;

/** Ids that an ambiguity error lists. */
const LISTED_IDS = 8;

/**
 * Reads the newest `limit` records that match. An absent journal is an empty one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readNewest } from "@debrief/debrief";
 *
 * const { records, skipped } = readNewest({ directory: "/no/such/journal", limit: 10 });
 * assertEquals(records, []);
 * assertEquals(skipped, { corrupt: 0, newer: 0, tooLong: 0 });
 * ```
 *
 * @throws UsageError when a file of the journal is a link, someone else's, or open to others.
 */
export function readNewest(options: RecordFilter & { readonly limit: number }): JournalPage {
  const skipped = { corrupt: 0, newer: 0, tooLong: 0 };
  const records: CommandRecord[] = [];
  if (options.limit > 0) {
    for (const record of newestFirst(options, (kind) => skipped[kind]++)) {
      if (records.push(record) >= options.limit) break;
    }
  }
  return { records, skipped };
}

/**
 * Streams matching records, newest first, in constant memory; `onSkip` hears of every line that is none.
 * @throws UsageError as `readNewest` does.
 */
export function* newestFirst(
  filter: RecordFilter,
  onSkip: (kind: keyof SkippedLines) => void,
): Generator<CommandRecord> {
  for (const line of journalLines(filter.directory)) {
    const parsed = line.tooLong
      ? { kind: "tooLong" as const }
      : parseRecord(new TextDecoder().decode(line.bytes));
    if (parsed.kind !== "record") onSkip(parsed.kind);
    else if (matches(parsed.record, filter)) yield parsed.record;
  }
}

/**
 * Finds a record by its id or by a prefix of it that is unique; null when there is none.
 * @throws UsageError when the prefix is shorter than 2 characters or fits several ids, which the message lists.
 */
export function findRecord(options: { directory: string; id: string }): CommandRecord | null {
  const { id } = options;
  if (id.length < MIN_PREFIX) {
    throw new UsageError(
      `Cannot find command "${id}": an id needs at least ${MIN_PREFIX} characters`,
    );
  }
  const found = new Map<string, CommandRecord>();
  for (const record of newestFirst(options, () => {})) {
    if (record.command_id === id) return record;
    if (record.command_id.startsWith(id) && !found.has(record.command_id)) {
      found.set(record.command_id, record);
    }
  }
  if (found.size > 1) {
    const ids = [...found.keys()];
    const more = ids.length > LISTED_IDS ? `, and ${ids.length - LISTED_IDS} more` : "";
    throw new UsageError(
      `Cannot find command "${id}": it is ambiguous: ${ids.slice(0, LISTED_IDS).join(", ")}${more}`,
    );
  }
  return found.values().next().value ?? null;
}

function matches(record: CommandRecord, filter: RecordFilter): boolean {
  return (filter.session === undefined || record.session_id === filter.session) &&
    (filter.task === undefined || record.task_id === filter.task);
}

/**
 * Readers take no lock, so that they can neither wait for a writer nor hold one up. All files are opened first,
 * newest first: a rotation meanwhile can only show a file twice, and its inode tells.
 */
function* journalLines(directory: string): Generator<FileLine> {
  const files: Deno.FsFile[] = [];
  const seen = new Set<string>();
  try {
    for (let rotation = 0; rotation <= ROTATIONS; rotation++) {
      const file = openOwn(journalPath(directory, rotation), {});
      if (file !== null) files.push(file);
    }
    for (const file of files) {
      const { dev, ino, size } = file.statSync();
      const identity = `${dev}:${ino}`;
      if (seen.has(identity)) continue;
      seen.add(identity);
      yield* backwardLines({ file, size, maxLine: MAX_LINE_BYTES });
    }
  } finally {
    for (const file of files) file.close();
  }
}
