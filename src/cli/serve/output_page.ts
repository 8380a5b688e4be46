/** A page of a kept output for a client: bounded in lines and characters, with the place where it goes on. */
import { UsageError } from "../../errors.ts";
import { linePattern } from "../../output/line_pattern.ts";
import type { ReadSpoolOptions, SpoolLine } from "../../output/spool_read.ts";
import type { OutputLine, OutputPage } from "../../protocol/results.ts";
import type { OutputOrder } from "../../protocol/orders.ts";

/** Lines of a page. */
const MAX_LINES = 1_000;
/** Characters of a page, and of one line on it. */
const MAX = { page: 65_536, line: 16_384 } as const;

/** What part of a stream is read. */
export type Choice = Omit<ReadSpoolOptions, "directory" | "id">;

/**
 * Read a page.
 *
 * @param read gives the lines of one stream.
 * @throws {UsageError} for a choice that cannot be made, or when the output is gone.
 */
export function readPage(
  order: OutputOrder,
  read: (choice: Choice) => Iterable<SpoolLine>,
): OutputPage {
  checkChoice(order);
  const { stream, from, to, grep, around, head, tail } = order;
  const lines: OutputLine[] = [];
  let room = MAX.page;
  for (const name of stream === undefined ? ["stdout", "stderr"] as const : [stream]) {
    const choice: Choice = {
      stream: name,
      lines: { from: from ?? 1, to: to ?? Infinity },
      ...(grep === undefined ? {} : { grep: linePattern(grep) }),
      ...(around === undefined ? {} : { around }),
      ...(head === undefined ? {} : { head }),
      ...(tail === undefined ? {} : { tail }),
    };
    for (const { number, text, kind } of read(choice)) {
      const shown = cut(text);
      room -= shown.length + 1;
      if (lines.length > 0 && (room < 0 || lines.length === MAX_LINES)) {
        return { lines, next: { stream: name, line: number } };
      }
      lines.push({ stream: name, line: number, text: shown, kind });
    }
  }
  return { lines, next: null };
}

function checkChoice({ from, to, grep, around, head, tail }: OutputOrder): void {
  const given = Object.entries({ grep, head, tail }).flatMap(([name, value]) =>
    value === undefined ? [] : [name]
  );
  if (given.length > 1) {
    throw new UsageError(`Cannot use ${given.join(" and ")} together: one of them is accepted`);
  }
  if (around !== undefined && grep === undefined) {
    throw new UsageError("Cannot use around without grep");
  }
  if (from !== undefined && to !== undefined && to < from) {
    throw new UsageError(`Cannot use lines ${from} to ${to}: the first comes first`);
  }
}

function cut(text: string): string {
  if (text.length <= MAX.line) return text;
  return `${text.slice(0, MAX.line).replace(/[\ud800-\udbff]$/, "")}[...]`;
}
