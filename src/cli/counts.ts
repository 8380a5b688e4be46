/** Numbers on the command line, and the absence of words. */
import { UsageError } from "../errors.ts";
import type { CommandLine } from "./command_line.ts";

/**
 * A whole number that a flag gives.
 *
 * @throws {UsageError} when it is none, or below 1.
 */
export function countOf(line: CommandLine, flag: string): number | null {
  const text = line.values.get(flag);
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`Cannot use --${flag} "${text}": a number from 1 is accepted`);
  }
  return Number(text);
}

/** `--lines A:B`, `A:`, `:B`, or `N` for one line. @throws {UsageError} when it is no range. */
export function linesOf(line: CommandLine): { readonly from: number; readonly to: number } | null {
  const text = line.values.get("lines");
  if (text === undefined) return null;
  const range = /^\d{1,9}$/.test(text) ? `${text}:${text}` : text;
  const match = range.match(/^(\d{0,9}):(\d{0,9})$/);
  const from = Number(match?.[1] || 1);
  const to = match?.[2] ? Number(match[2]) : Infinity;
  if (!match || text === ":" || from < 1 || to < from) {
    throw new UsageError(
      `Cannot use --lines "${text}": a line N or a range A:B with 1 <= A <= B is accepted`,
    );
  }
  return { from, to };
}

/** For commands that take no words. @throws {UsageError} when there are some. */
export function noOperands(line: CommandLine): void {
  const [word] = line.operands;
  if (word === undefined) return;
  throw new UsageError(`Cannot use "${word}": debrief ${line.command} takes no words`);
}
