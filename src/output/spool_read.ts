/** Reads spooled output back, line by line, whatever its size. */
import { byteMarker } from "./line_text.ts";
import { countNewlines } from "./lines.ts";
import { LineBytes, type LinePattern, type Screen } from "./line_bytes.ts";
import { Redactor } from "./redact.ts";
import { screenText } from "./screen_text.ts";
import { spoolParts } from "./spool_files.ts";
import type { StreamName } from "./summary.ts";

/** What to read. At most one of `lines`, `grep`, `head` and `tail` makes sense; `lines` is applied first. */
export interface ReadSpoolOptions {
  readonly directory: string;
  readonly id: string;
  readonly stream: StreamName;
  /** First and last line, counted from 1. */
  readonly lines?: { readonly from: number; readonly to: number };
  readonly grep?: LinePattern;
  /** Lines before and after each match. */
  readonly around?: number;
  /** The first or the last so many lines. */
  readonly head?: number;
  readonly tail?: number;
  /** Redacts what a line becomes on a screen; the rules alone when absent. */
  readonly redact?: (text: string) => string;
}

const READ_BYTES = 64 * 1024;
/** Lines that `tail` and `around` keep at most. */
const MAX_KEPT = 10_000;
/** Characters that `tail` keeps at most. */
const MAX_CHARS = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A line that was asked for. */
export interface SpoolLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without newline, rendered as a terminal would show it. */
  readonly text: string;
  /** `match` and `context` only with `grep`; `gap` stands in the place of what the cap left out. */
  readonly kind: "line" | "match" | "context" | "gap";
  /** Bytes of a gap, else 0. */
  readonly missing: number;
}

function screenOf({ redact }: ReadSpoolOptions): Screen {
  let redactor: Redactor | null = null;
  // Hardly any output needs one.
  const own = (text: string) => (redactor ??= new Redactor()).redactText(text);
  return (line) => screenText(line, { redact: redact ?? own });
}

function* readBytes(path: string): Generator<Uint8Array> {
  using file = Deno.openSync(path, { read: true });
  const buffer = new Uint8Array(READ_BYTES);
  for (let size = file.readSync(buffer); size !== null; size = file.readSync(buffer)) {
    yield buffer.subarray(0, size);
  }
}

/** Whole lines, decoded at once; nothing when all of them come before the first that is wanted. */
function* linesIn(
  block: Uint8Array,
  place: { readonly number: number; readonly first: number; readonly screen: Screen },
): Generator<SpoolLine> {
  if (place.number + countNewlines(block) < place.first) return;
  let { number } = place;
  for (const text of decoder.decode(block).split("\n")) {
    yield { number: number++, text: place.screen(text), kind: "line", missing: 0 };
  }
}

/**
 * All lines that are stored, with their numbers; a gap is one line of its own. Lines before the first that is wanted may
 * be left out: a number far inside costs no more than counting.
 */
function* allLines(options: ReadSpoolOptions): Generator<SpoolLine> {
  let number = 1;
  let offset = 0;
  const first = options.lines?.from ?? 1;
  const screen = screenOf(options);
  const line = new LineBytes(screen, options.grep);
  const flush = (): SpoolLine => ({ number, text: line.take(), kind: "line", missing: 0 });
  for (const part of spoolParts(options.directory, options.id, options.stream)) {
    if (part.offset > offset) {
      if (!line.isEmpty) yield flush();
      number = part.newlines + 1;
      const missing = part.offset - offset;
      yield { number, text: byteMarker(missing), kind: "gap", missing };
    }
    for (const bytes of readBytes(part.path)) {
      const begun = bytes.indexOf(LINE_FEED);
      const last = bytes.lastIndexOf(LINE_FEED);
      if (begun >= 0) {
        line.add(bytes.subarray(0, begun));
        yield flush();
        number++;
      }
      if (last > begun) {
        const block = bytes.subarray(begun + 1, last);
        yield* linesIn(block, { number, first, screen });
        number += countNewlines(block) + 1;
      }
      if (last + 1 < bytes.length) line.add(bytes.subarray(last + 1));
    }
    offset = part.offset + part.size;
  }
  if (!line.isEmpty) yield flush();
}

function* inRange(
  lines: Iterable<SpoolLine>,
  range: { from: number; to: number },
): Generator<SpoolLine> {
  for (const line of lines) {
    if (line.number > range.to) return;
    if (line.number >= range.from) yield line;
  }
}

/** All lines, or those of a range. */
function chosen(options: ReadSpoolOptions): Iterable<SpoolLine> {
  const lines = allLines(options);
  return options.lines === undefined ? lines : inRange(lines, options.lines);
}

function* first(lines: Iterable<SpoolLine>, count: number): Generator<SpoolLine> {
  let left = count;
  for (const line of lines) {
    if (left-- <= 0) return;
    yield line;
  }
}

/** The last lines. Their text is read once more where it would take too much memory until the last one is known. */
function* last(options: ReadSpoolOptions, count: number): Generator<SpoolLine> {
  const most = Math.min(count, MAX_KEPT);
  let kept: SpoolLine[] = [];
  let isLight = false;
  let chars = 0;
  for (const line of chosen(options)) {
    kept.push(isLight ? { ...line, text: "" } : line);
    chars += isLight ? 0 : line.text.length;
    if (kept.length > 2 * most) {
      for (const { text } of kept.splice(0, kept.length - most)) chars -= text.length;
    }
    if (chars <= MAX_CHARS) continue;
    isLight = true;
    chars = 0;
    kept = kept.map((one) => ({ ...one, text: "" }));
  }
  const wanted = most === 0 ? [] : kept.slice(-most);
  const [first] = wanted;
  if (first === undefined || !isLight) return yield* wanted;
  const range = { from: first.number, to: wanted.at(-1)?.number ?? first.number };
  let isBegun = false;
  for (const line of chosen({ ...options, lines: range })) {
    // A gap has the number of the line behind it.
    isBegun ||= line.kind === first.kind;
    if (isBegun) yield line;
  }
}

function* grepLines(
  lines: Iterable<SpoolLine>,
  by: { pattern: LinePattern; around: number },
): Generator<SpoolLine> {
  const before: SpoolLine[] = [];
  let after = 0;
  for (const line of lines) {
    if (line.kind === "line" && by.pattern.test(line.text)) {
      for (const one of before.splice(0)) yield { ...one, kind: "context" };
      yield { ...line, kind: "match" };
      after = by.around;
    } else if (after > 0) {
      after--;
      yield { ...line, kind: "context" };
    } else if (by.around > 0) {
      before.push(line);
      if (before.length > by.around) before.shift();
    }
  }
}

/**
 * Lines of a spooled stream.
 *
 * @throws {UsageError} When nothing is stored under the id.
 */
export function* spoolLines(options: ReadSpoolOptions): Generator<SpoolLine> {
  const { grep: pattern, head, tail } = options;
  let lines = chosen(options);
  if (pattern !== undefined) {
    const around = Math.min(options.around ?? 0, MAX_KEPT);
    yield* grepLines(lines, { pattern, around });
    return;
  }
  if (tail !== undefined) lines = last(options, tail);
  if (head !== undefined) lines = first(lines, head);
  yield* lines;
}

/**
 * The same as text: matching lines as `12:text`, lines around them as `13-text`, what the cap left out as
 * `...truncated N bytes...`.
 *
 * @throws {UsageError} As `spoolLines` does.
 */
export function* readSpool(options: ReadSpoolOptions): Generator<string> {
  for (const { number, text, kind } of spoolLines(options)) {
    if (kind === "match") yield `${number}:${text}`;
    else if (kind === "context") yield `${number}-${text}`;
    else yield text;
  }
}
