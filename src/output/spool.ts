/**
 * The redacted output of a command on disk, capped. A stream that outgrows its share keeps its beginning in one file and
 * its end in at most two segments, whose names say where they begin, so that no index has to be written and a crash loses
 * next to nothing:
 *
 *   <directory>/<id>/stdout                  from the first byte on
 *   <directory>/<id>/stdout.<offset>.<line>  from byte <offset>, behind <line> newlines
 *
 * The beginning is written as it comes. What comes behind it waits in memory for WAIT_MS at most, because nearly all of a
 * large output is dropped again: until then older segments stay.
 */
import { reasonOf } from "../errors.ts";
import type { StreamName } from "./summary.ts";
import { SpoolFile } from "./spool_file.ts";

/** What became of the spooled output. */
export interface SpoolResult {
  /** Bytes that are not in the spool. */
  readonly dropped: Readonly<Record<StreamName, number>>;
  /** Why writing stopped (`no space left on device (ENOSPC)`), null when it did not. */
  readonly error: string | null;
}

/** Shares of the cap: both heads together, and one segment; two segments of each stream exist at most. */
const HEAD_SHARE = 1 / 2;
const SEGMENT_SHARE = 1 / 16;
/** How long bytes of a segment wait, in ms: what a crash may lose, and how far a reader of a running command is behind. */
const WAIT_MS = 250;
/** Most bytes of one segment that wait. */
const WAIT_BYTES = 4 * 1024 * 1024;

/** What is given back of a full disk, in bytes: the record of the command is worth more than the end of its output. */
const RESERVE_BYTES = 64 * 1024;
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

interface StreamFiles {
  total: number;
  head: SpoolFile | null;
  headIsFull: boolean;
  /** The end of the stream; nothing is older than what stands in `old`. */
  segments: SpoolFile[];
  /** Segments in the place of which others come, as long as these are not written. */
  old: SpoolFile[];
  /** Where the bytes of two segments in turns wait. */
  readonly memory: (Uint8Array | undefined)[];
  made: number;
}

function emptyFiles(): StreamFiles {
  return { total: 0, head: null, headIsFull: false, segments: [], old: [], memory: [], made: 0 };
}

function onDisk({ head, segments, old }: StreamFiles): SpoolFile[] {
  return [...(head === null ? [] : [head]), ...old, ...segments].filter(({ exists }) => exists);
}

function writtenOf(files: StreamFiles): number {
  return onDisk(files).reduce((sum, { written }) => sum + written, 0);
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
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** When what waits must be written. */
  #dueAt = Infinity;

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
    return writtenOf(this.#streams.stdout) + writtenOf(this.#streams.stderr);
  }

  /** Stores redacted bytes; `newlines` is the number of newlines of the stream before them. */
  write(stream: StreamName, bytes: Uint8Array, options: { newlines: number }): void {
    const files = this.#streams[stream];
    const start = files.total;
    files.total += bytes.length;
    this.#try(() => {
      this.#store(stream, bytes, { start, newlines: options.newlines });
      // Also where the event loop, and with it the timer, has no turn.
      if (performance.now() >= this.#dueAt) this.#flushAll();
    });
  }

  /** Writes what waits in memory. */
  flush(): void {
    this.#try(() => this.#flushAll());
  }

  #try(act: () => void): void {
    if (this.#error !== null) return;
    try {
      act();
    } catch (error) {
      this.#error = reasonOf(error);
      if (FULL.has((error as { code?: unknown }).code)) this.#giveBack();
      this.#close();
    }
  }

  #store(stream: StreamName, bytes: Uint8Array, place: { start: number; newlines: number }): void {
    const files = this.#streams[stream];
    let at = 0;
    if (!files.headIsFull) {
      files.head ??= new SpoolFile(this.#pathOf(stream));
      at = Math.min(bytes.length, this.#headRoom);
      files.head.add(bytes.subarray(0, at));
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
      const room = Math.min(this.#segmentBytes - segment.size, WAIT_BYTES);
      const part = bytes.subarray(at, at + room);
      if (!segment.hasRoom(part.length)) flushFiles(files);
      segment.add(part);
      this.#expect();
      at += part.length;
    }
  }

  #nextSegment(stream: StreamName, begin: { offset: number; newlines: number }): SpoolFile {
    const files = this.#streams[stream];
    const oldest = files.segments.length === 2 ? files.segments.shift() : undefined;
    if (oldest?.exists) {
      oldest.close();
      files.old.push(oldest);
    }
    // The memory of the segment before the last one: that one is full, and written or dropped.
    const turn = files.made++ % 2;
    const memory = files.memory[turn] ??= new Uint8Array(Math.min(this.#segmentBytes, WAIT_BYTES));
    const path = this.#pathOf(`${stream}.${begin.offset}.${begin.newlines}`);
    const made = new SpoolFile(path, memory);
    files.segments.push(made);
    return made;
  }

  #pathOf(name: string): string {
    const directory = `${this.#directory}/${this.id}`;
    if (!this.#isMade) {
      Deno.mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      // Not recursive: a directory that exists already belongs to another output.
      Deno.mkdirSync(directory, { mode: 0o700 });
      this.#isMade = true;
    }
    return `${directory}/${name}`;
  }

  /** What waits now is written in time. */
  #expect(): void {
    if (this.#timer !== null) return;
    this.#dueAt = performance.now() + WAIT_MS;
    const timer = setTimeout(() => this.flush(), WAIT_MS);
    // Who ends without `finish` has given the rest up.
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  #flushAll(): void {
    this.#forget();
    flushFiles(this.#streams.stdout);
    flushFiles(this.#streams.stderr);
  }

  #forget(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#dueAt = Infinity;
  }

  #giveBack(): void {
    const ends = Object.values(this.#streams).map((files) =>
      onDisk(files).findLast(({ written }) => written > 0)
    );
    const [first, second] = ends;
    const longer = (first?.written ?? 0) < (second?.written ?? 0) ? second : first;
    try {
      longer?.giveBack(RESERVE_BYTES);
    } catch {
      // A disk that cannot even give back has nothing to offer to anybody else.
    }
  }

  #close(): void {
    this.#forget();
    for (const files of Object.values(this.#streams)) {
      for (const file of onDisk(files)) file.close();
    }
  }

  /** Writes what waits, closes the files and tells what is missing in them. */
  finish(): SpoolResult {
    this.flush();
    this.#close();
    const { stdout, stderr } = this.#streams;
    return {
      dropped: {
        stdout: stdout.total - writtenOf(stdout),
        stderr: stderr.total - writtenOf(stderr),
      },
      error: this.#error,
    };
  }
}

/** Writes what waits of a stream's segments; each that begins to exist takes the place of an old one. */
function flushFiles({ segments, old }: StreamFiles): void {
  for (const [index, segment] of segments.entries()) {
    if (!segment.exists && segment.size > 0) old.shift()?.remove();
    segment.flush();
    if (index < segments.length - 1) segment.close();
  }
  for (const file of old.splice(0)) file.remove();
}
