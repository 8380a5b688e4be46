/**
 * Shows the beginning of a command's output as it arrives and holds the rest:
 *
 *   head ─► shown at once │ second head, shown on success │ the cut middle: counted, notable lines kept │ tail
 *
 * Everything is decided line by line, in the order in which lines were completed, so the same bytes give the same text
 * however they arrived.
 */
import { Arrival } from "./arrival.ts";
import { BinaryProbe } from "./binary.ts";
import { chooseLines } from "./choose_lines.ts";
import { countNewlines, LineBuffer, type LineRange, MAX_APPEND } from "./lines.ts";
import { type LineCap, lineMarker, lineText } from "./line_text.ts";
import { NotableLines, type NotableSource, type ShownLine } from "./notable_lines.ts";
import type { Mark } from "./redact_stream.ts";
import type { ScreenOptions } from "./screen_text.ts";
import { costOf, fits, minus, NO_TEXT, plus, shareOf, type ShownBudget } from "./shown_budget.ts";
import type { Shown, StreamName, Truncation } from "./summary.ts";

/** What the truncator needs to know. */
export interface TruncatorOptions {
  /** Characters of shown text, markers included. */
  readonly maxChars: number;
  readonly maxLines: number;
  /** Estimated tokens of it. */
  readonly maxTokens: number;
  readonly screen: ScreenOptions;
  readonly show: (shown: Shown) => void;
}

/** Longest line that is shown as a whole, in characters. */
const LINE_CAP = 2000;
const MIN_LINE_CAP = 60;
/** Shares of the budget. */
const HEAD = 0.25;
/** Bytes of the tail that a record keeps (`StreamSummary.tail`). */
const TAIL_BYTES = 4096;
/** Longest line in it, in characters: a line of three-byte characters still fits. */
const TAIL_LINE_CAP = 1000;

const encoder = new TextEncoder();

/** State of one stream. */
class Source {
  readonly buffer = new LineBuffer();
  readonly probe = new BinaryProbe();
  /** First line that was not taken by the head. */
  next: { number: number; start: number } = { number: 1, start: 0 };
  /** Offset from which on the stream is binary; lines that end before it are text. */
  textEnd = Infinity;
  /** Number of the next line that has to be shown or counted in a marker. */
  expected = 1;
  shownLines = 0;
  shownBytes = 0;
  cutBytes = 0;

  constructor(readonly stream: StreamName) {}
}

/** Truncates the output of one command. */
export class Truncator {
  readonly #options: TruncatorOptions;
  readonly #sources: Readonly<Record<StreamName, Source>> = {
    stdout: new Source("stdout"),
    stderr: new Source("stderr"),
  };
  readonly #arrival = new Arrival();
  readonly #notable = new NotableLines();
  /** Characters and tokens of one line. */
  readonly #cap: LineCap;
  readonly #budget: ShownBudget;
  readonly #second: ShownLine[] = [];
  #phase: "head" | "second" | "held" = "head";
  #used = NO_TEXT;
  /** What head and second head together take. */
  #taken = NO_TEXT;
  #openLine = false;

  constructor(options: TruncatorOptions) {
    this.#options = options;
    this.#budget = {
      chars: Math.max(200, options.maxChars),
      lines: Math.max(4, options.maxLines),
      tokens: Math.max(100, options.maxTokens),
    };
    const { chars, tokens } = shareOf(this.#budget, HEAD);
    this.#cap = {
      chars: Math.max(MIN_LINE_CAP, Math.min(LINE_CAP, Math.floor(chars) - 1)),
      tokens: Math.floor(tokens) - 1,
    };
  }

  /** Notable lines so far. */
  get notable(): NotableLines {
    return this.#notable;
  }

  /** Counters and bytes of one stream. */
  buffer(stream: StreamName): LineBuffer {
    return this.#sources[stream].buffer;
  }

  /** True when the stream turned out to be no text; before its end only if that is certain already. */
  isBinary(stream: StreamName): boolean {
    return this.#sources[stream].probe.state === "binary";
  }

  /** Takes redacted bytes; `marks` are notable words in them, as indexes. */
  push(stream: StreamName, bytes: Uint8Array, marks: readonly Mark[]): void {
    const source = this.#sources[stream];
    let mark = 0;
    for (let at = 0; at < bytes.length; at += MAX_APPEND) {
      const slice = bytes.subarray(at, at + MAX_APPEND);
      this.#append(source, slice);
      let number = source.buffer.newlines - (marks[mark] === undefined ? 0 : countNewlines(slice)) +
        1;
      let counted = 0;
      for (; mark < marks.length && (marks[mark] as Mark).at < at + slice.length; mark++) {
        const { at: index, kind } = marks[mark] as Mark;
        number += countNewlines(slice.subarray(counted, index - at));
        counted = index - at;
        const offset = source.buffer.offset - slice.length + counted;
        if (this.#notable.wanted[kind] && offset < source.textEnd) {
          this.#notable.mark(stream, { at: offset, number, kind });
        }
      }
      this.#notable.settle(this.#notableSource(source), false);
    }
  }

  #notableSource(source: Source): NotableSource {
    const { stream, buffer, textEnd, probe } = source;
    const undecided = probe.state === "open";
    return {
      stream,
      buffer,
      textEnd,
      undecided,
      arrival: this.#arrival,
      cap: this.#cap,
      screen: this.#options.screen,
    };
  }

  #append(source: Source, slice: Uint8Array): void {
    const { buffer, probe } = source;
    if (probe.state === "open") {
      const text = probe.feed(slice);
      if (this.isBinary(source.stream)) source.textEnd = buffer.offset + text;
    }
    const before = buffer.offset;
    buffer.append(slice);
    this.#arrival.note(source.stream, buffer.offset);
    while (this.#phase !== "held") {
      // Earlier bytes of an incomplete line are known to hold no newline.
      const newline = buffer.newlineFrom(Math.max(source.next.start, before));
      if (newline < 0 || newline >= source.textEnd) break;
      const { number, start } = source.next;
      if (!this.#takeHead(source, { number, start, end: newline, ended: true })) break;
      source.next = { number: number + 1, start: newline + 1 };
    }
  }

  #lineOf(source: Source, range: LineRange): ShownLine | null {
    const bytes = source.buffer.bytesOf(range);
    if (bytes === null) return null;
    const { text, cut } = lineText(bytes, { ...this.#cap, ...this.#options.screen });
    const { stream } = source;
    const { number, start, end, ended } = range;
    const sequence = this.#arrival.of(stream, ended ? end : end - 1);
    const size = end - start + (ended ? 1 : 0);
    return { stream, number, sequence, text, cost: costOf(text), bytes: size, cut, ended };
  }

  /** Gives a line to the head or the second head; false when both are full. */
  #takeHead(source: Source, range: LineRange): boolean {
    const line = this.#lineOf(source, range);
    const share = shareOf(this.#budget, this.#phase === "head" ? HEAD : 2 * HEAD);
    const taken = plus(this.#taken, line?.cost ?? NO_TEXT);
    if (line === null || !fits(taken, { ...share, lines: Math.ceil(share.lines) })) {
      this.#phase = this.#phase === "head" ? "second" : "held";
      return line !== null && this.#phase === "second" && this.#takeHead(source, range);
    }
    this.#taken = taken;
    if (this.#phase === "head") this.#showLine(line);
    else this.#second.push(line);
    return true;
  }

  #showLine(line: ShownLine): void {
    const source = this.#sources[line.stream];
    if (line.number > source.expected) {
      this.#showText(line.stream, lineMarker(line.number - source.expected) + "\n");
    }
    source.expected = line.number + 1;
    source.shownLines++;
    source.shownBytes += line.bytes;
    source.cutBytes += line.cut;
    this.#showText(line.stream, line.ended ? line.text + "\n" : line.text);
    this.#openLine = !line.ended;
  }

  #showText(stream: StreamName, text: string): void {
    if (text === "") return;
    this.#used = plus(this.#used, costOf(text.endsWith("\n") ? text.slice(0, -1) : text));
    this.#options.show({ stream, text: this.#openLine ? "\n" + text : text });
    this.#openLine = false;
  }

  /** Judges what is still open when no more bytes will come. */
  close(): void {
    for (const source of Object.values(this.#sources)) {
      const wasOpen = source.probe.state === "open";
      source.probe.finish();
      if (wasOpen && this.isBinary(source.stream)) source.textEnd = source.buffer.lineStart;
      this.#notable.settle(this.#notableSource(source), true);
    }
  }

  /** Shows what was held: on success more of the beginning, on failure the notable lines of the cut middle; the tail. */
  showRest(options: { failed: boolean }): void {
    const chosen = chooseLines({
      failed: options.failed,
      budget: minus(this.#budget, this.#used),
      whole: this.#budget,
      second: this.#second,
      notable: this.#notable.entries,
      isOpen: (line) => line.number >= this.#sources[line.stream].expected,
      rest: this.#restCount(),
      before: (stream, next) => this.#lineBefore(this.#sources[stream], next),
      lineOf: (stream, range) => this.#lineOf(this.#sources[stream], range),
    });
    for (const line of chosen) this.#showLine(line);
    for (const source of Object.values(this.#sources)) {
      const left = this.#textLines(source) - source.expected + 1;
      if (left > 0) this.#showText(source.stream, lineMarker(left) + "\n");
      source.expected += Math.max(0, left);
    }
  }

  /** Shows a line that Debrief writes itself, for example the description of a binary stream. */
  showNote(stream: StreamName, text: string): void {
    this.#showText(stream, text + "\n");
  }

  /** Lines of a stream that can be shown; what is left of a binary one is described instead. */
  #textLines(source: Source): number {
    return this.isBinary(source.stream) ? source.expected - 1 : source.buffer.lines;
  }

  #restCount(): number {
    return Object.values(this.#sources).reduce(
      (sum, source) => sum + this.#textLines(source) - source.expected + 1,
      0,
    );
  }

  #lineBefore(source: Source, next: LineRange | null): LineRange | null {
    if (this.isBinary(source.stream)) return null;
    const line = source.buffer.lineBefore(next);
    return line !== null && line.number >= source.expected ? line : null;
  }

  /** What was left out of a stream, null when nothing was. */
  truncation(stream: StreamName): Truncation | null {
    const { buffer, shownBytes, cutBytes, shownLines } = this.#sources[stream];
    const lines = buffer.lines - shownLines;
    const bytes = buffer.offset - shownBytes + cutBytes;
    return lines === 0 && bytes === 0 ? null : { lines, bytes };
  }

  /** The last lines of a stream as text, at most TAIL_BYTES bytes. */
  tail(stream: StreamName): string {
    const { buffer } = this.#sources[stream];
    const lines: string[] = [];
    let size = 0;
    for (let line = buffer.lineBefore(null); line !== null; line = buffer.lineBefore(line)) {
      const bytes = buffer.bytesOf(line);
      if (bytes === null) break;
      const { text } = lineText(bytes, {
        chars: TAIL_LINE_CAP,
        ...this.#options.screen,
        ansi: false,
      });
      const shown = line.ended ? text + "\n" : text;
      size += encoder.encode(shown).length;
      if (size > TAIL_BYTES) break;
      lines.unshift(shown);
    }
    return lines.join("");
  }
}
