/** Verification of a journal against its chain. */
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { type ChainHead, lineHash, loadKey, openHead, readHead } from "./chain.ts";
import { forwardLines } from "./file_bytes.ts";
import { journalPath, MAX_LINE_BYTES, openOwn, ROTATIONS, statOrNull } from "./journal_files.ts";
import { prevOf } from "./journal.ts";

/** A place where the chain does not hold. `line` counts from 1; 0 means the file as a whole. */
export interface ChainGap {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** What a verification found. The journal is intact when `gaps` is empty; torn lines come from crashes and are no gap. */
export interface ChainReport {
  readonly records: number;
  readonly torn: number;
  /** True when older records were dropped by rotation, as the signed head confirms. */
  readonly dropped: boolean;
  readonly gaps: readonly ChainGap[];
}

interface Snapshot {
  readonly key: Uint8Array | null;
  readonly head: ChainHead | null;
  /** Oldest first. */
  readonly files: readonly {
    readonly path: string;
    readonly file: Deno.FsFile;
    readonly size: number;
  }[];
}

/**
 * Checks that no record was changed, removed, added or moved since it was written. Holds the journal's lock
 * only while the files are opened.
 * @throws UsageError when there is no such directory or a file of it is unfit.
 */
export function verifyJournal(directory: string): ChainReport {
  if (statOrNull(directory) === null) {
    throw new UsageError(`Cannot verify the journal "${directory}": there is no such directory`);
  }
  const snapshot = openSnapshot(directory);
  try {
    return walk(directory, snapshot);
  } finally {
    for (const { file } of snapshot.files) file.close();
  }
}

function openSnapshot(directory: string): Snapshot {
  const lock = openOwn(join(directory, "journal.lock"), {});
  const files: { path: string; file: Deno.FsFile; size: number }[] = [];
  try {
    lock?.lockSync(false);
    const key = loadKey(directory, { create: false });
    const headFile = openHead(directory, { create: false });
    const head = headFile === null || key === null ? null : readHead(headFile, key);
    headFile?.close();
    for (let rotation = ROTATIONS; rotation >= 0; rotation--) {
      const path = journalPath(directory, rotation);
      const file = openOwn(path, {});
      if (file !== null) files.push({ path, file, size: file.statSync().size });
    }
    return { key, head, files };
  } catch (error) {
    for (const { file } of files) file.close();
    throw error;
  } finally {
    // Closing releases the lock.
    lock?.close();
  }
}

function walk(directory: string, snapshot: Snapshot): ChainReport {
  const { key, head } = snapshot;
  const gaps: ChainGap[] = [];
  let records = 0;
  let torn = 0;
  let dropped = false;
  let last: string | null = null;
  for (const { path, file, size } of snapshot.files) {
    let number = 0;
    for (const line of forwardLines({ file, size, maxLine: MAX_LINE_BYTES })) {
      number++;
      const prev = line.tooLong ? undefined : prevOf(line.bytes);
      if (prev === undefined) {
        if (line.tooLong) gaps.push({ file: path, line: number, reason: "longer than 1 MiB" });
        else if (line.bytes.length > 0) torn++;
        continue;
      }
      const reason = key === null ? null : linkFlaw({ prev, last, first: records === 0, head });
      if (reason !== null) gaps.push({ file: path, line: number, reason });
      if (records === 0) dropped = prev !== null;
      records++;
      last = key === null ? null : lineHash(key, line.bytes);
    }
  }
  const end = endFlaw({ last, records, snapshot });
  if (end !== null) gaps.push({ file: journalPath(directory, 0), line: 0, reason: end });
  return { records, torn, dropped, gaps };
}

function linkFlaw(
  link: { prev: string | null; last: string | null; first: boolean; head: ChainHead | null },
): string | null {
  if (link.first) {
    const accepted: readonly (string | null)[] = link.head === null ? [null] : link.head.oldest;
    return accepted.includes(link.prev) ? null : "records before this one were removed";
  }
  if (link.prev === link.last) return null;
  return link.prev === null
    ? "the chain starts anew: its head or key was lost or replaced"
    : "the record before this one was changed, removed, added or moved";
}

function endFlaw(end: { last: string | null; records: number; snapshot: Snapshot }): string | null {
  const { key, head, files } = end.snapshot;
  if (key === null) return end.records === 0 ? null : "the key is missing: nothing can be verified";
  if (head === null) {
    return files.every(({ size }) => size === 0)
      ? null
      : "the chain's head is missing or damaged: the end cannot be verified";
  }
  return end.last === head.settled || end.last === head.intended
    ? null
    : "the last record was changed or removed";
}
