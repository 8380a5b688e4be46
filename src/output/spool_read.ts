/** Reads spooled output back, line by line, whatever its size. */
import { UsageError } from "../errors.ts";
import { byteMarker } from "./line_text.ts";
import { renderLine } from "./screen.ts";
import { spoolParts } from "./spool_files.ts";
import type { StreamName } from "./summary.ts";

/** What to read. At most one of `lines`, `grep`, `head` and `tail` makes sense; `lines` is applied first. */
export interface ReadSpoolOptions {
  readonly directory: string;
  readonly id: string;
  readonly stream: StreamName;
  /** First and last line, counted from 1. */
  readonly lines?: { readonly from: number; readonly to: number };
  /** Source of an ECMAScript regular expression; matching lines come as `12:text`, lines around them as `13-text`. */
  readonly grep?: string;
  /** Lines before and after each match. */
  readonly around?: number;
  /** The first or the last so many lines. */
  readonly head?: number;
  readonly tail?: number;
}

const READ_BYTES = 64 * 1024;
/** A longer line is cut, in bytes. */
const MAX_LINE = 1024 * 1024;
/** Characters of a line that an expression is tried on, so that a careless one stays bearable. */
const MAX_GREP = 4096;
/** Lines that `tail` and `around` keep at most. */
const MAX_KEPT = 10_000;
const LINE_FEED = 0x0a;

interface NumberedLine {
  readonly number: number;
  readonly text: string;
  /** True for a marker in place of what the cap left out. */
  readonly isGap: boolean;
}

/** Bytes of one line, bounded. */
class LineBytes {
  #parts: Uint8Array[] = [];
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(bytes: Uint8Array): void {
    const room = MAX_LINE - this.#size;
    if (room > 0) this.#parts.push(bytes.slice(0, room));
    this.#size += bytes.length;
  }

  take(): string {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const text = this.#parts.map((part) => decoder.decode(part, { stream: true })).join("") +
      decoder.decode();
    const cut = this.#size - MAX_LINE;
    this.#parts = [];
    this.#size = 0;
    return renderLine(text) + (cut > 0 ? byteMarker(cut) : "");
  }
}

function* readBytes(path: string): Generator<Uint8Array> {
  using file = Deno.openSync(path, { read: true });
  const buffer = new Uint8Array(READ_BYTES);
  for (let size = file.readSync(buffer); size !== null; size = file.readSync(buffer)) {
    yield buffer.subarray(0, size);
  }
}

/** All lines that are stored, with their numbers; a gap is one line of its own. */
function* allLines(options: ReadSpoolOptions): Generator<NumberedLine> {
  const line = new LineBytes();
  let number = 1;
  let offset = 0;
  const flush = (): NumberedLine => ({ number, text: line.take(), isGap: false });
  for (const part of spoolParts(options.directory, options.id, options.stream)) {
    if (part.offset > offset) {
      if (!line.isEmpty) yield flush();
      number = part.newlines + 1;
      yield { number, text: byteMarker(part.offset - offset), isGap: true };
    }
    for (const bytes of readBytes(part.path)) {
      let from = 0;
      for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
        line.add(bytes.subarray(from, at));
        yield flush();
        number++;
        from = at + 1;
      }
      if (from < bytes.length) line.add(bytes.subarray(from));
    }
    offset = part.offset + part.size;
  }
  if (!line.isEmpty) yield flush();
}

function* inRange(
  lines: Iterable<NumberedLine>,
  range: { from: number; to: number },
): Generator<NumberedLine> {
  for (const line of lines) {
    if (line.number > range.to) return;
    if (line.number >= range.from) yield line;
  }
}

function* first(lines: Iterable<NumberedLine>, count: number): Generator<NumberedLine> {
  let left = count;
  for (const line of lines) {
    if (left-- <= 0) return;
    yield line;
  }
}

function last(lines: Iterable<NumberedLine>, count: number): NumberedLine[] {
  const kept: NumberedLine[] = [];
  const most = Math.min(count, MAX_KEPT);
  for (const line of lines) {
    kept.push(line);
    if (kept.length > 2 * most) kept.splice(0, kept.length - most);
  }
  return most === 0 ? [] : kept.slice(-most);
}

function* grepLines(
  lines: Iterable<NumberedLine>,
  by: { pattern: RegExp; around: number },
): Generator<string> {
  const before: NumberedLine[] = [];
  let after = 0;
  for (const line of lines) {
    if (!line.isGap && by.pattern.test(line.text.slice(0, MAX_GREP))) {
      for (const { number, text } of before.splice(0)) yield `${number}-${text}`;
      yield `${line.number}:${line.text}`;
      after = by.around;
    } else if (after > 0) {
      after--;
      yield `${line.number}-${line.text}`;
    } else if (by.around > 0) {
      before.push(line);
      if (before.length > by.around) before.shift();
    }
  }
}

function compile(source: string): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    throw new UsageError(
      `Cannot search for "${source}": ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Lines of a spooled stream, without newlines, rendered as a terminal would show them. What the cap left out is one line
 * `...truncated N bytes...`.
 *
 * @throws {UsageError} When nothing is stored under the id or the expression is invalid.
 */
export function* readSpool(options: ReadSpoolOptions): Generator<string> {
  const { lines: range, grep, head, tail } = options;
  let lines: Iterable<NumberedLine> = allLines(options);
  if (range !== undefined) lines = inRange(lines, range);
  if (grep !== undefined) {
    const around = Math.min(options.around ?? 0, MAX_KEPT);
    yield* grepLines(lines, { pattern: compile(grep), around });
    return;
  }
  if (tail !== undefined) lines = last(lines, tail);
  if (head !== undefined) lines = first(lines, head);
  for (const { text } of lines) yield text;
}
