/** Reading and writing of byte ranges, synchronous because an append must be done before the block is printed. */

/** Bytes asked for in one call while lines are read. */
const CHUNK_BYTES = 65_536;

const NEWLINE = 10;

/** Reads up to `length` bytes from `offset`; fewer at the end of the file. */
export function readAt(file: Deno.FsFile, offset: number, length: number): Uint8Array {
  file.seekSync(offset, Deno.SeekMode.Start);
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = file.readSync(buffer.subarray(filled));
    if (count === null || count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

/** Writes all bytes, in one system call unless the system takes fewer. */
export function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += file.writeSync(bytes.subarray(done));
}

/** One line of a file, without its newline. */
export interface FileLine {
  /** Empty when the line is longer than the bound. */
  readonly bytes: Uint8Array;
  readonly tooLong: boolean;
}

/** A file, where reading ends, and the longest line in bytes that is handed out. */
export interface LineSource {
  readonly file: Deno.FsFile;
  /** Where forward reading begins, in bytes; 0 when absent. */
  readonly from?: number;
  readonly size: number;
  readonly maxLine: number;
}

/** Lines from the first to the last, blank ones included so that they can be counted. Memory: one line and one chunk. */
export function* forwardLines(source: LineSource): Generator<FileLine> {
  const line = new LineBuffer(source.maxLine);
  for (let offset = source.from ?? 0; offset < source.size;) {
    const chunk = readAt(source.file, offset, Math.min(CHUNK_BYTES, source.size - offset));
    if (chunk.length === 0) break;
    offset += chunk.length;
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      line.push(chunk.subarray(start, at));
      yield line.take("forward");
      start = at + 1;
    }
    line.push(chunk.subarray(start));
  }
  if (!line.empty) yield line.take("forward");
}

/** Where the last whole line before `size` ends, in bytes: behind its newline, or at `from` when there is none. */
export function endOfLines({ file, from = 0, size }: Omit<LineSource, "maxLine">): number {
  for (let end = size; end > from;) {
    const start = Math.max(from, end - CHUNK_BYTES);
    const at = readAt(file, start, end - start).lastIndexOf(NEWLINE);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return from;
}

/** Lines from the last to the first, without blank ones. Memory: one line and one chunk. */
export function* backwardLines(source: LineSource): Generator<FileLine> {
  const line = new LineBuffer(source.maxLine);
  for (let end = source.size; end > 0;) {
    const length = Math.min(CHUNK_BYTES, end);
    const chunk = readAt(source.file, end - length, length);
    if (chunk.length < length) break;
    end -= length;
    let stop = length;
    for (
      let at = chunk.lastIndexOf(NEWLINE);
      at !== -1;
      at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)
    ) {
      line.push(chunk.subarray(at + 1, stop));
      if (!line.empty) yield line.take("backward");
      stop = at;
    }
    line.push(chunk.subarray(0, stop));
  }
  if (!line.empty) yield line.take("backward");
}

/** Pieces of one line, dropped as soon as they exceed the bound. */
class LineBuffer {
  #pieces: Uint8Array[] = [];
  #length = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get empty(): boolean {
    return this.#length === 0;
  }

  push(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    if (this.#length > this.#max) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  take(direction: "forward" | "backward"): FileLine {
    const tooLong = this.#length > this.#max;
    const pieces = direction === "forward" ? this.#pieces : this.#pieces.reverse();
    const bytes = new Uint8Array(tooLong ? 0 : this.#length);
    let offset = 0;
    for (const piece of tooLong ? [] : pieces) {
      bytes.set(piece, offset);
      offset += piece.length;
    }
    this.#pieces = [];
    this.#length = 0;
    return { bytes, tooLong };
  }
}
