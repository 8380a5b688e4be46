/**
 * The journal: one record per line, appended under a lock by any number of sessions, rotated, chained.
 *
 *     lock -> newest file still ours? -> torn end? -> rotate? -> head: intent -> line -> head: settled -> unlock
 */
import { join } from "node:path";
import type { CommandRecord } from "./record.ts";
import { type ChainHead, encodeHead, lineHash, loadKey, openHead, readHead } from "./chain.ts";
import { backwardLines, forwardLines, readAt, writeAll } from "./file_bytes.ts";
import {
  ensureDirectory,
  journalPath,
  MAX_FILE_BYTES,
  MAX_LINE_BYTES,
  openOwn,
  ROTATIONS,
  statOrNull,
  systemCallError,
} from "./journal_files.ts";

/** A record that is not in a journal yet, so nothing comes before it. */
export type UnchainedRecord = Omit<CommandRecord, "prev">;

const NEWLINE = 10;

/** An open journal. One per session; the operating system's file lock orders several of them. */
export class Journal {
  readonly #directory: string;
  readonly #lock: Deno.FsFile;
  readonly #head: Deno.FsFile;
  readonly #key: Uint8Array;
  #file: Deno.FsFile;
  #closed = false;

  private constructor(directory: string, parts: JournalParts) {
    this.#directory = directory;
    this.#lock = parts.lock;
    this.#head = parts.head;
    this.#key = parts.key;
    this.#file = parts.file;
  }

  /**
   * Opens the journal in a directory, which is created (0700) with its files (0600) when absent.
   * The directory must lie outside everything that a command may read or write.
   * @throws UsageError when the place is unfit (a link, someone else's, open to others, not writable); the message names `--journal DIR`.
   */
  static open(options: { directory: string }): Journal {
    const { directory } = options;
    ensureDirectory(directory);
    const opened: Deno.FsFile[] = [];
    const keep = (file: Deno.FsFile): Deno.FsFile => {
      opened.push(file);
      return file;
    };
    try {
      const lock = keep(
        required(openOwn(join(directory, "journal.lock"), { write: true, create: true })),
      );
      // Under the lock, so that of two first sessions one makes the key and the other reads it whole.
      lock.lockSync(true);
      const key = required(loadKey(directory, { create: true }));
      const head = keep(required(openHead(directory, { create: true })));
      const file = keep(
        required(openOwn(journalPath(directory, 0), { append: true, create: true })),
      );
      lock.unlockSync();
      return new Journal(directory, { lock, head, key, file });
    } catch (error) {
      for (const file of opened) file.close();
      throw error;
    }
  }

  /**
   * Appends a record and returns it with its `prev`. Nothing is written when it fails: a line that fits only
   * in part is taken back.
   * @throws SystemCallError when the system refuses (ENOSPC, EROFS, EFBIG, EIO): the caller must tell it, since a
   * command without a record is a hole in the history.
   * @throws RangeError when the record is longer than 1 MiB, which `buildRecord` prevents.
   */
  append(record: UnchainedRecord): CommandRecord {
    if (this.#closed) {
      throw new TypeError(`Cannot append to "${this.#directory}": the journal is closed`);
    }
    this.#lock.lockSync(true);
    try {
      return this.#appendLocked(record);
    } finally {
      this.#lock.unlockSync();
    }
  }

  /** Closes the files. Closing twice is harmless. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const file of [this.#file, this.#head, this.#lock]) file.close();
  }

  /** Closes the files at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.close();
  }

  #appendLocked(record: UnchainedRecord): CommandRecord {
    this.#follow();
    let size = this.#file.statSync().size;
    const torn = size > 0 && readAt(this.#file, size - 1, 1)[0] !== NEWLINE;
    let head = this.#settle(size);
    const chained: CommandRecord = { ...record, prev: head.settled };
    const text = JSON.stringify(chained);
    const line = new TextEncoder().encode(torn ? `\n${text}\n` : `${text}\n`);
    if (line.length > MAX_LINE_BYTES) {
      throw new RangeError(
        `Cannot append a record of ${line.length} bytes: the limit is ${MAX_LINE_BYTES}`,
      );
    }
    let oldest = head.oldest;
    if (size > 0 && size + line.length > MAX_FILE_BYTES) {
      head = this.#rotate(head);
      oldest = [head.oldest[1], head.oldest[1]];
      size = 0;
    }
    const hash = lineHash(this.#key, new TextEncoder().encode(text));
    this.#writeHead({ ...head, intended: hash });
    try {
      writeAll(this.#file, size === 0 && torn ? line.subarray(1) : line);
    } catch (error) {
      this.#takeBack(size, head);
      throw systemCallError("append to", journalPath(this.#directory, 0), error);
    }
    try {
      this.#writeHead({ settled: hash, intended: hash, oldest });
    } catch {
      // The line is written and the head intends it: the next append settles it, as after a crash.
    }
    return chained;
  }

  /** Reopens the newest file when another session has rotated it away. */
  #follow(): void {
    const path = journalPath(this.#directory, 0);
    const now = statOrNull(path);
    const ours = this.#file.statSync();
    if (now !== null && now.ino === ours.ino && now.dev === ours.dev) return;
    const file = required(openOwn(path, { append: true, create: true }));
    this.#file.close();
    this.#file = file;
  }

  /** The head with a crash between intent and settlement resolved. A lost head starts the chain anew, which verification shows. */
  #settle(size: number): ChainHead {
    const head = readHead(this.#head, this.#key);
    if (head === null) return { settled: null, intended: null, oldest: [null, null] };
    if (head.settled === head.intended) return head;
    // The last line may be torn, then the one before it decides.
    let looked = 0;
    for (const line of backwardLines({ file: this.#file, size, maxLine: MAX_LINE_BYTES })) {
      if (lineHash(this.#key, line.bytes) === head.intended) {
        return { ...head, settled: head.intended };
      }
      if (++looked === 2) break;
    }
    return { ...head, intended: head.settled };
  }

  /** Shifts the files by one up to the first free number, so that an interrupted rotation loses nothing. */
  #rotate(head: ChainHead): ChainHead {
    let free = 1;
    while (free <= ROTATIONS && statOrNull(journalPath(this.#directory, free)) !== null) free++;
    const drops = free > ROTATIONS;
    const rotating: ChainHead = drops
      ? { ...head, oldest: [head.oldest[1], this.#firstPrev(ROTATIONS - 1)] }
      : head;
    this.#writeHead({ ...rotating, intended: rotating.settled });
    try {
      for (let to = Math.min(free, ROTATIONS); to >= 1; to--) {
        Deno.renameSync(journalPath(this.#directory, to - 1), journalPath(this.#directory, to));
      }
    } catch (error) {
      throw systemCallError("rotate", journalPath(this.#directory, 0), error);
    }
    this.#follow();
    return rotating;
  }

  #firstPrev(rotation: number): string | null {
    const file = openOwn(journalPath(this.#directory, rotation), {});
    if (file === null) return null;
    try {
      const source = { file, size: file.statSync().size, maxLine: MAX_LINE_BYTES };
      for (const line of forwardLines(source)) return prevOf(line.bytes) ?? null;
      return null;
    } finally {
      file.close();
    }
  }

  #writeHead(head: ChainHead): void {
    try {
      this.#head.seekSync(0, Deno.SeekMode.Start);
      writeAll(this.#head, encodeHead(this.#key, head));
    } catch (error) {
      throw systemCallError("write", join(this.#directory, "journal.head"), error);
    }
  }

  #takeBack(size: number, head: ChainHead): void {
    try {
      this.#file.truncateSync(size);
      this.#writeHead({ ...head, intended: head.settled });
    } catch {
      // The write error is what the caller must hear; a torn end and an open intent are resolved by the next append.
    }
  }
}

interface JournalParts {
  readonly lock: Deno.FsFile;
  readonly head: Deno.FsFile;
  readonly key: Uint8Array;
  readonly file: Deno.FsFile;
}

/** The `prev` of a line, undefined when the line is no record. */
export function prevOf(line: Uint8Array): string | null | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(line));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const prev = (value as { prev?: unknown }).prev;
    return typeof prev === "string" || prev === null ? prev : undefined;
  } catch {
    return undefined;
  }
}

function required<T>(value: T | null): T {
  if (value === null) {
    throw new TypeError("Cannot open a file of the journal: it vanished while it was opened");
  }
  return value;
}
