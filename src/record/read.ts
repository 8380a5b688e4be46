/** Reading the journal: newest first, across rotations, whatever state its lines are in. */
import { UsageError } from "../errors.ts";
import type { CommandRecord } from "./record.ts";
import { backwardLines, type FileLine, readAt } from "./file_bytes.ts";
import { journalPath, MAX_LINE_BYTES, openOwn, ROTATIONS } from "./journal_files.ts";
import { matchesQuery, type RecordQuery } from "./query.ts";
import { type ParsedLine, parseRecord } from "./record_shape.ts";

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

/** Which records are wanted, and of which journal. */
export interface RecordFilter extends RecordQuery {
  readonly directory: string;
}

/** Characters that a prefix of an id must have: one is the letter that all ids of a kind share. */
const MIN_PREFIX = 2;

const NEWLINE = 10;

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
    const parsed = parseLine(line);
    if (parsed.kind !== "record") onSkip(parsed.kind);
    else if (matchesQuery(parsed.record, filter)) yield parsed.record;
  }
}

/** Reads one line of a file. */
export function parseLine(line: FileLine): ParsedLine | { readonly kind: "tooLong" } {
  return line.tooLong ? { kind: "tooLong" } : parseRecord(new TextDecoder().decode(line.bytes));
}

/**
 * Finds a record by its id or by a prefix of it that is unique, among those that match; null when there is none.
 * @throws UsageError when the prefix is shorter than 2 characters or fits several ids, which the message lists.
 */
export function findRecord(options: RecordFilter & { readonly id: string }): CommandRecord | null {
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

/**
 * Readers take no lock, so that they can neither wait for a writer nor hold one up. All files are opened first,
 * newest first: a rotation meanwhile can only show a file twice, and its inode tells.
 */
function* journalLines(directory: string): Generator<FileLine> {
  const files = openJournal(directory);
  try {
    for (const file of files) {
      const size = file === files[0] ? sizeBetweenWrites(file) : file.statSync().size;
      yield* backwardLines({ file, size, maxLine: MAX_LINE_BYTES });
    }
  } finally {
    for (const file of files) file.close();
  }
}

/** All files of a journal, newest first, each once. The caller closes them. @throws UsageError as `readNewest` does. */
export function openJournal(directory: string): Deno.FsFile[] {
  const files = new Map<string, Deno.FsFile>();
  try {
    for (let rotation = 0; rotation <= ROTATIONS; rotation++) {
      const file = openOwn(journalPath(directory, rotation), {});
      if (file === null) continue;
      const { dev, ino } = file.statSync();
      if (files.has(`${dev}:${ino}`)) file.close();
      else files.set(`${dev}:${ino}`, file);
    }
    return [...files.values()];
  } catch (error) {
    for (const file of files.values()) file.close();
    throw error;
  }
}

/** Longest wait for a line that is being written, in looks and in ms between them. */
const LOOKS = 4;
const LOOK_MS = 2;

/** The size of the newest file. A writer may be in the middle of a line: a moment later it is whole, unless a crash tore it. */
function sizeBetweenWrites(file: Deno.FsFile): number {
  for (let look = 1;; look++) {
    const { size } = file.statSync();
    const whole = size === 0 || readAt(file, size - 1, 1)[0] === NEWLINE;
    if (whole || look === LOOKS) return size;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
}
