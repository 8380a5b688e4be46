/**
 * The redacted output of a command on disk, capped. A stream that outgrows its share keeps its beginning in one file and
 * its end in at most two segments, whose names say where they begin, so that no index has to be written and a crash loses
 * nothing:
 *
 *   <directory>/<id>/stdout                  from the first byte on
 *   <directory>/<id>/stdout.<offset>.<line>  from byte <offset>, behind <line> newlines
 */
import type { StreamName } from "./summary.ts";

/** What became of the spooled output. */
export interface SpoolResult {
  /** Bytes that are not in the spool. */
  readonly dropped: Readonly<Record<StreamName, number>>;
  /** Why writing stopped (`ENOSPC: ...`), null when it did not. */
  readonly error: string | null;
}

/** Shares of the cap: both heads together, and one segment; two segments of each stream exist at most. */
const HEAD_SHARE = 1 / 2;
const SEGMENT_SHARE = 1 / 16;

/** What is given back of a full disk, in bytes: the record of the command is worth more than the end of its output. */
const RESERVE_BYTES = 64 * 1024;
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

interface OpenFile {
  readonly path: string;
  readonly file: Deno.FsFile;
  size: number;
}

interface StreamFiles {
  total: number;
  head: OpenFile | null;
  headIsFull: boolean;
  segments: OpenFile[];
}

function emptyFiles(): StreamFiles {
  return { total: 0, head: null, headIsFull: false, segments: [] };
}

/** Writes the output of one command. Nothing exists on disk before the first byte; no error ever reaches the command. */
export class Spool {
  /** Name of the output, by which it is read again. */
  readonly id: string;
  readonly #directory: string;
  readonly #segmentBytes: number;
  readonly #streams: Readonly<Record<StreamName, StreamFiles>> = {
    stdout: emptyFiles(),
    stderr: emptyFiles(),
  };
  #headRoom: number;
  #isMade = false;
  #error: string | null = null;

  /**
   * @param options `directory` holds one directory for each command; `id` names it (letters, digits, `_`, `-`), random
   * when absent. `capBytes` bounds both streams together.
   */
  constructor(options: { directory: string; capBytes: number; id?: string }) {
    this.id = options.id ?? crypto.randomUUID().slice(0, 8);
    this.#directory = options.directory;
    this.#headRoom = Math.floor(options.capBytes * HEAD_SHARE);
    this.#segmentBytes = Math.max(1, Math.floor(options.capBytes * SEGMENT_SHARE));
  }

  /** True as long as no byte was stored, for want of output or of room. */
  get isEmpty(): boolean {
    return this.storedBytes === 0;
  }

  /** Bytes in the files. */
  get storedBytes(): number {
    return Object.values(this.#streams).flatMap(({ head, segments }) => [head, ...segments])
      .reduce((sum, file) => sum + (file?.size ?? 0), 0);
  }

  /** Stores redacted bytes; `newlines` is the number of newlines of the stream before them. */
  write(stream: StreamName, bytes: Uint8Array, options: { newlines: number }): void {
    const files = this.#streams[stream];
    const start = files.total;
    files.total += bytes.length;
    if (this.#error !== null) return;
    try {
      this.#store(stream, bytes, { start, newlines: options.newlines });
    } catch (error) {
      this.#error = describe(error);
      if (FULL.has((error as { code?: unknown }).code)) giveBack(this.#streams[stream]);
      this.#close();
    }
  }

  #store(stream: StreamName, bytes: Uint8Array, place: { start: number; newlines: number }): void {
    const files = this.#streams[stream];
    let at = 0;
    if (!files.headIsFull) {
      files.head ??= this.#create(stream);
      at = Math.min(bytes.length, this.#headRoom);
      this.#append(files.head, bytes.subarray(0, at));
      this.#headRoom -= at;
      files.headIsFull = at < bytes.length;
    }
    let newlines = place.newlines;
    for (let counted = 0; at < bytes.length;) {
      let segment = files.segments.at(-1);
      if (segment === undefined || segment.size >= this.#segmentBytes) {
        for (; counted < at; counted++) if (bytes[counted] === 0x0a) newlines++;
        segment = this.#nextSegment(stream, { offset: place.start + at, newlines });
      }
      const end = Math.min(bytes.length, at + this.#segmentBytes - segment.size);
      this.#append(segment, bytes.subarray(at, end));
      at = end;
    }
  }

  #nextSegment(stream: StreamName, begin: { offset: number; newlines: number }): OpenFile {
    const { segments } = this.#streams[stream];
    const oldest = segments.length === 2 ? segments.shift() : undefined;
    segments.at(-1)?.file.close();
    const made = this.#create(`${stream}.${begin.offset}.${begin.newlines}`);
    segments.push(made);
    if (oldest !== undefined) Deno.removeSync(oldest.path);
    return made;
  }

  #create(name: string): OpenFile {
    const directory = `${this.#directory}/${this.id}`;
    if (!this.#isMade) {
      Deno.mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      // Not recursive: a directory that exists already belongs to another output.
      Deno.mkdirSync(directory, { mode: 0o700 });
      this.#isMade = true;
    }
    const path = `${directory}/${name}`;
    // `createNew` is O_EXCL: it follows no link and opens nothing that was prepared.
    return {
      path,
      file: Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }),
      size: 0,
    };
  }

  #append(target: OpenFile, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const written = target.file.writeSync(bytes.subarray(at));
      at += written;
      target.size += written;
    }
  }

  #close(): void {
    for (const { head, segments } of Object.values(this.#streams)) {
      closeQuietly(head);
      closeQuietly(segments.at(-1) ?? null);
    }
  }

  /** Closes the files and tells what is missing in them. */
  finish(): SpoolResult {
    if (this.#error === null) this.#close();
    const dropped = ({ total, head, segments }: StreamFiles) =>
      total - (head?.size ?? 0) - segments.reduce((sum, { size }) => sum + size, 0);
    const { stdout, stderr } = this.#streams;
    return { dropped: { stdout: dropped(stdout), stderr: dropped(stderr) }, error: this.#error };
  }
}

function giveBack({ head, segments }: StreamFiles): void {
  const last = segments.at(-1) ?? head;
  if (last === null) return;
  const size = Math.max(0, last.size - RESERVE_BYTES);
  try {
    last.file.truncateSync(size);
    last.size = size;
  } catch {
    // A disk that cannot even give back has nothing to offer to anybody else.
  }
}

function closeQuietly(target: OpenFile | null): void {
  try {
    target?.file.close();
  } catch (error) {
    // Closed by an earlier failure: there is nothing left to release.
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return typeof code === "string" && !error.message.includes(code)
    ? `${code}: ${error.message}`
    : error.message;
}
