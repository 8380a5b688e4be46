/** Collects the lines that look like a refusal or an error while they pass by, with two lines on either side. */
import type { Arrival } from "./arrival.ts";
import type { LineBuffer, LineRange } from "./lines.ts";
import { type LineCap, lineText } from "./line_text.ts";
import type { NotableKind } from "./notable.ts";
import type { ScreenOptions } from "./screen_text.ts";
import { costOf, type ShownBudget } from "./shown_budget.ts";
import type { StreamName } from "./summary.ts";

/** A line that may be shown: its number in its stream, its place in the order of arrival, and its text. */
export interface ShownLine {
  readonly stream: StreamName;
  readonly number: number;
  readonly sequence: number;
  readonly text: string;
  /** What it takes of the budget. */
  readonly cost: ShownBudget;
  /** Bytes of the line with its newline. */
  readonly bytes: number;
  /** Bytes of it that a marker stands for. */
  readonly cut: number;
  readonly ended: boolean;
}

/** A notable line. `line` is null when it is too long to be shown as a whole; `text` then is the part around the word. */
export interface NotableLine {
  kind: NotableKind;
  readonly text: string;
  readonly line: ShownLine | null;
  readonly around: ShownLine[];
}

/** Lines that are kept (`OutputSummary.notable`). */
const MAX_LINES = 64;
/** Characters of each (`OutputSummary.notable`). */
const MAX_TEXT = 512;
/** A longer line is known by the part around the notable word only, in bytes. */
const MAX_WHOLE = 2048;
const CONTEXT_LINES = 2;

interface Pending {
  readonly at: number;
  readonly number: number;
  kind: NotableKind;
}

/** A collected line that still waits for the lines after it. */
interface Following {
  readonly entry: NotableLine;
  from: number;
  number: number;
  left: number;
}

/** What belongs to one stream. */
export interface NotableSource {
  readonly stream: StreamName;
  readonly buffer: LineBuffer;
  readonly arrival: Arrival;
  readonly cap: LineCap;
  readonly screen: ScreenOptions;
  /** Offset from which on the stream is binary. */
  readonly textEnd: number;
  /** True while the stream may still turn out to be binary in the middle of a line. */
  readonly undecided: boolean;
}

/** Notable lines of both streams of a command. */
export class NotableLines {
  readonly #entries: NotableLine[] = [];
  readonly #pending: Record<StreamName, Pending[]> = { stdout: [], stderr: [] };
  readonly #following: Record<StreamName, Following[]> = { stdout: [], stderr: [] };
  readonly #last: Record<StreamName, { number: number; entry: NotableLine | null }> = {
    stdout: { number: 0, entry: null },
    stderr: { number: 0, entry: null },
  };
  #refusals = 0;

  /** All collected lines in the order in which they were completed. */
  get entries(): readonly NotableLine[] {
    return this.#entries;
  }

  /** Kinds of which more lines can be kept; refusals take the places of errors. */
  get wanted(): { refusal: boolean; error: boolean } {
    return { refusal: this.#refusals < MAX_LINES, error: this.#entries.length < MAX_LINES };
  }

  /** Notes a notable word that ends at an offset of a stream, in the line of the given number. */
  mark(stream: StreamName, mark: Pending): void {
    const pending = this.#pending[stream];
    const previous = pending[pending.length - 1];
    if (previous?.number === mark.number) {
      if (mark.kind === "refusal") previous.kind = "refusal";
      return;
    }
    const last = this.#last[stream];
    if (last.number === mark.number) this.#upgrade(last.entry, mark.kind);
    else pending.push(mark);
  }

  #upgrade(entry: NotableLine | null, kind: NotableKind): void {
    if (
      entry === null || kind === "error" || entry.kind === "refusal" ||
      !this.#entries.includes(entry)
    ) return;
    entry.kind = "refusal";
    this.#refusals++;
  }

  /** Collects lines that are complete by now; `final` when no more bytes of the stream will come. */
  settle(source: NotableSource, final: boolean): void {
    const { stream, buffer } = source;
    this.#follow(source, final);
    const pending = this.#pending[stream];
    let done = 0;
    for (const mark of pending) {
      const newline = buffer.newlineFrom(mark.at);
      const isFarBehind = !source.undecided && buffer.offset - mark.at >= MAX_WHOLE;
      if (newline < 0 && !final && !isFarBehind) break;
      if ((newline < 0 ? mark.at : newline) < source.textEnd) this.#collect(source, mark, newline);
      done++;
    }
    if (done === 0) return;
    pending.splice(0, done);
    this.#follow(source, final);
  }

  #collect(source: NotableSource, mark: Pending, newline: number): void {
    const { stream, buffer } = source;
    if (!this.wanted[mark.kind]) return;
    const limit = Math.max(buffer.ringStart, mark.at - MAX_WHOLE);
    const before = buffer.newlineBefore(mark.at, limit);
    const start = before >= 0 ? before + 1 : limit === 0 ? 0 : -1;
    const end = newline >= 0 ? newline : buffer.offset;
    const isWhole = start >= 0 && end - start <= MAX_WHOLE;
    const entry: NotableLine = isWhole
      ? this.#whole(source, { number: mark.number, start, end, ended: newline >= 0 }, mark)
      : { kind: mark.kind, text: excerpt(source, mark.at, { start, end }), line: null, around: [] };
    this.#keep(entry);
    this.#last[stream] = { number: mark.number, entry };
    if (isWhole && newline >= 0) {
      this.#following[stream].push({
        entry,
        from: newline + 1,
        number: mark.number + 1,
        left: CONTEXT_LINES,
      });
    }
  }

  #whole(source: NotableSource, range: LineRange, mark: Pending): NotableLine {
    const line = shownLine(source, range);
    const text = line.text.length <= MAX_TEXT ? line.text : excerpt(source, mark.at, range);
    const around: ShownLine[] = [];
    let next = range;
    for (let i = 0; i < CONTEXT_LINES; i++) {
      const previous = shortLineBefore(source.buffer, next);
      if (previous === null) break;
      around.unshift(shownLine(source, previous));
      next = previous;
    }
    return { kind: mark.kind, text, line, around };
  }

  #keep(entry: NotableLine): void {
    if (this.#entries.length >= MAX_LINES) {
      const last = this.#entries.findLastIndex(({ kind }) => kind === "error");
      if (last < 0) return;
      this.#entries.splice(last, 1);
    }
    this.#entries.push(entry);
    if (entry.kind === "refusal") this.#refusals++;
  }

  #follow(source: NotableSource, final: boolean): void {
    const { buffer, stream } = source;
    const list = this.#following[stream];
    if (list.length === 0) return;
    this.#following[stream] = list.filter((following) => {
      while (following.left > 0) {
        const { from, number } = following;
        const newline = buffer.newlineFrom(from);
        const end = newline >= 0 ? newline : buffer.offset;
        if (end - from > MAX_WHOLE || end >= source.textEnd) return false;
        if (newline < 0 && (!final || end === from)) return !final;
        following.entry.around.push(
          shownLine(source, { number, start: from, end, ended: newline >= 0 }),
        );
        following.from = end + 1;
        following.number++;
        following.left--;
        if (newline < 0) return false;
      }
      return false;
    });
  }
}

/** The line before `next` when it is short enough to stand beside a notable one. */
function shortLineBefore(buffer: LineBuffer, next: LineRange): LineRange | null {
  const end = next.start - 1;
  if (end < 0) return null;
  const limit = Math.max(buffer.ringStart, end - MAX_WHOLE);
  const newline = buffer.newlineBefore(end, limit);
  if (newline < 0 && limit > 0) return null;
  return { number: next.number - 1, start: newline + 1, end, ended: true };
}

/** Text and place of a line that is in the ring as a whole. */
function shownLine(source: NotableSource, range: LineRange): ShownLine {
  const { stream, buffer, arrival, cap, screen } = source;
  const { text, cut } = lineText({ kind: "whole", bytes: buffer.read(range.start, range.end) }, {
    ...cap,
    ...screen,
  });
  return {
    stream,
    number: range.number,
    sequence: arrival.of(stream, range.ended ? range.end : range.end - 1),
    text,
    cost: costOf(text),
    bytes: range.end - range.start + (range.ended ? 1 : 0),
    cut,
    ended: range.ended,
  };
}

/** The part of a long line around a notable word, at most MAX_TEXT characters. */
function excerpt(source: NotableSource, at: number, line: { start: number; end: number }): string {
  const { buffer, screen } = source;
  const from = Math.max(line.start, buffer.ringStart, at - 300);
  const to = Math.min(line.end, at + 200);
  const { text } = lineText({ kind: "whole", bytes: buffer.read(from, to) }, {
    chars: MAX_TEXT,
    ...screen,
  });
  return text.slice(0, MAX_TEXT);
}
