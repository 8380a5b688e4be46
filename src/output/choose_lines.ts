/** Chooses which of the held lines are shown when a command has ended. Pure: it only reads. */
import type { LineRange } from "./lines.ts";
import type { NotableLine, ShownLine } from "./notable_lines.ts";
import type { StreamName } from "./summary.ts";

/** An amount of shown text. */
export interface ShownBudget {
  readonly chars: number;
  readonly lines: number;
}

/** What there is to choose from. */
export interface HeldLines {
  readonly failed: boolean;
  /** What is left of the budget. */
  readonly budget: ShownBudget;
  /** The whole budget, of which the shares are taken. */
  readonly whole: ShownBudget;
  /** Lines after the head, as many as one more head takes. */
  readonly second: readonly ShownLine[];
  readonly notable: readonly NotableLine[];
  /** True for a line that was not shown yet. */
  readonly isOpen: (line: ShownLine) => boolean;
  /** Number of lines not shown yet. */
  readonly rest: number;
  /** The line before `next` in a stream, or its last one; null when there is none that is open and kept. */
  readonly before: (stream: StreamName, next: LineRange | null) => LineRange | null;
  readonly lineOf: (stream: StreamName, range: LineRange) => ShownLine | null;
}

const TAIL = 0.5;
const MIDDLE = 0.25;
/** Characters and lines that markers take: one before each group of lines, and one for each stream at the end. */
const MARKER = 40;
const MARKER_RESERVE = { chars: 4 * MARKER, lines: 4 };

function keyOf(line: ShownLine): string {
  return `${line.stream}:${line.number}`;
}

function cost(lines: readonly ShownLine[]): number {
  return lines.reduce((sum, line) => sum + line.text.length + 1, 0);
}

/** Reads the lines of both streams backwards in the order of arrival. */
class TailReader {
  readonly #held: HeldLines;
  readonly #candidates = new Map<StreamName, { range: LineRange; line: ShownLine } | null>();

  constructor(held: HeldLines) {
    this.#held = held;
    this.#advance("stdout", null);
    this.#advance("stderr", null);
  }

  #advance(stream: StreamName, next: LineRange | null): void {
    const range = this.#held.before(stream, next);
    const line = range === null ? null : this.#held.lineOf(stream, range);
    this.#candidates.set(stream, range === null || line === null ? null : { range, line });
  }

  /** The line that `take` would return. */
  peek(): ShownLine | null {
    const out = this.#candidates.get("stdout") ?? null;
    const err = this.#candidates.get("stderr") ?? null;
    if (out === null || err === null) return (out ?? err)?.line ?? null;
    return out.line.sequence > err.line.sequence ? out.line : err.line;
  }

  take(): void {
    const line = this.peek();
    if (line === null) return;
    this.#advance(line.stream, this.#candidates.get(line.stream)?.range ?? null);
  }
}

/** Lines that are chosen already, with what they cost. */
class Choice {
  readonly #lines = new Map<string, ShownLine>();
  chars = 0;

  get size(): number {
    return this.#lines.size;
  }

  has(line: ShownLine): boolean {
    return this.#lines.has(keyOf(line));
  }

  add(lines: readonly ShownLine[], extra = 0): void {
    for (const line of lines) this.#lines.set(keyOf(line), line);
    this.chars += cost(lines) + extra;
  }

  sorted(): ShownLine[] {
    return [...this.#lines.values()].sort((a, b) => a.sequence - b.sequence || a.number - b.number);
  }
}

function takeTail(reader: TailReader, choice: Choice, limit: ShownBudget): void {
  for (let line = reader.peek(); line !== null; line = reader.peek()) {
    const isNew = !choice.has(line);
    if (
      isNew && (choice.chars + line.text.length + 1 > limit.chars || choice.size + 1 > limit.lines)
    ) return;
    if (isNew) choice.add([line]);
    reader.take();
  }
}

/** Everything that is left, when it fits. */
function wholeRest(held: HeldLines): ShownLine[] | null {
  if (held.rest > held.budget.lines) return null;
  const choice = new Choice();
  takeTail(new TailReader(held), choice, held.budget);
  return choice.size === held.rest ? choice.sorted() : null;
}

function takeNotable(held: HeldLines, choice: Choice, limit: ShownBudget): void {
  const open = held.notable.filter(({ line }) => line !== null && held.isOpen(line));
  const ranked = [
    ...open.filter(({ kind }) => kind === "refusal"),
    ...open.filter(({ kind }) => kind === "error"),
  ];
  for (const { line, around } of ranked) {
    if (line === null) continue;
    const context = around.filter((other) => held.isOpen(other) && !choice.has(other));
    const groups = choice.has(line) ? [] : [[line, ...context], [line]];
    const group = groups.find((lines) =>
      choice.chars + cost(lines) + MARKER <= limit.chars &&
      choice.size + lines.length + 1 <= limit.lines
    );
    if (group !== undefined) choice.add(group, MARKER);
  }
}

/**
 * Lines to show after the head, in order: all when they fit; else the tail with at least half of the whole budget, and
 * before it a quarter for notable lines of the cut middle or, when all went well, for more of the beginning.
 */
export function chooseLines(held: HeldLines): ShownLine[] {
  const all = wholeRest(held);
  if (all !== null) return all;
  const room: ShownBudget = {
    chars: held.budget.chars - MARKER_RESERVE.chars,
    lines: held.budget.lines - MARKER_RESERVE.lines,
  };
  const reader = new TailReader(held);
  const choice = new Choice();
  takeTail(reader, choice, {
    chars: Math.min(room.chars, held.whole.chars * TAIL),
    lines: Math.max(1, Math.min(room.lines, held.whole.lines * TAIL)),
  });
  const limit: ShownBudget = {
    chars: Math.min(room.chars, choice.chars + held.whole.chars * MIDDLE),
    lines: Math.min(room.lines, choice.size + held.whole.lines * MIDDLE),
  };
  const size = choice.size;
  takeNotable(held, choice, limit);
  if (choice.size === size && !held.failed) {
    for (const line of held.second) {
      const fits = choice.chars + line.text.length + 1 <= limit.chars &&
        choice.size + 1 <= limit.lines;
      if (!fits) break;
      if (!choice.has(line)) choice.add([line]);
    }
  }
  takeTail(reader, choice, room);
  return choice.sorted();
}
