/** Chooses which of the held lines are shown when a command has ended. Pure: it only reads. */
import type { LineRange } from "./lines.ts";
import type { NotableLine, ShownLine } from "./notable_lines.ts";
import { fits, least, minus, NO_TEXT, plus, shareOf, type ShownBudget } from "./shown_budget.ts";
import type { StreamName } from "./summary.ts";

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
/** What a marker takes: one before each group of lines, and one for each stream at the end. */
const MARKER: ShownBudget = { chars: 40, lines: 1, tokens: 14 };
const MARKER_RESERVE = shareOf(MARKER, 4);

function keyOf(line: ShownLine): string {
  return `${line.stream}:${line.number}`;
}

function cost(lines: readonly ShownLine[]): ShownBudget {
  return lines.reduce((sum, line) => plus(sum, line.cost), NO_TEXT);
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
  /** What the lines take, with the markers before them. */
  taken = NO_TEXT;

  get size(): number {
    return this.#lines.size;
  }

  has(line: ShownLine): boolean {
    return this.#lines.has(keyOf(line));
  }

  add(lines: readonly ShownLine[], extra: ShownBudget = NO_TEXT): void {
    for (const line of lines) this.#lines.set(keyOf(line), line);
    this.taken = plus(this.taken, plus(cost(lines), extra));
  }

  sorted(): ShownLine[] {
    return [...this.#lines.values()].sort((a, b) => a.sequence - b.sequence || a.number - b.number);
  }
}

function takeTail(reader: TailReader, choice: Choice, limit: ShownBudget): void {
  for (let line = reader.peek(); line !== null; line = reader.peek()) {
    const isNew = !choice.has(line);
    if (isNew && !fits(plus(choice.taken, line.cost), limit)) return;
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
      fits(plus(choice.taken, plus(cost(lines), MARKER)), limit)
    );
    if (group !== undefined) choice.add(group, { ...MARKER, lines: 0 });
  }
}

/**
 * Lines to show after the head, in order: all when they fit; else the tail with at least half of the whole budget, and
 * before it a quarter for notable lines of the cut middle or, when all went well, for more of the beginning.
 */
export function chooseLines(held: HeldLines): ShownLine[] {
  const all = wholeRest(held);
  if (all !== null) return all;
  const room = minus(held.budget, MARKER_RESERVE);
  const reader = new TailReader(held);
  const choice = new Choice();
  const half = least(room, shareOf(held.whole, TAIL));
  takeTail(reader, choice, { ...half, lines: Math.max(1, half.lines) });
  const limit = least(room, plus(choice.taken, shareOf(held.whole, MIDDLE)));
  const size = choice.size;
  takeNotable(held, choice, limit);
  if (choice.size === size && !held.failed) {
    for (const line of held.second) {
      if (!fits(plus(choice.taken, line.cost), limit)) break;
      if (!choice.has(line)) choice.add([line]);
    }
  }
  takeTail(reader, choice, room);
  return choice.sorted();
}
