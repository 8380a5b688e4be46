/** Points in time on the command line. */
import { UsageError } from "../errors.ts";
import type { CommandLine } from "./command_line.ts";

const AGO_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A date, which is UTC as in the list, or a date and time with its zone (RFC 3339). */
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * The time that a flag gives, in ms since 1970; null when it is absent.
 *
 * @param now what `2h` counts back from, in ms since 1970.
 * @throws {UsageError} when it is no time.
 */
export function momentOf(line: CommandLine, flag: string, now: number = Date.now()): number | null {
  const text = line.values.get(flag);
  if (text === undefined) return null;
  const [, amount, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * (AGO_MS[unit] ?? NaN);
  const parsed = DATE.test(text) ? Date.parse(text.replace(" ", "T")) : NaN;
  if (!Number.isNaN(parsed)) return parsed;
  throw new UsageError(
    `Cannot use --${flag} "${text}": a time such as 30m, 2h, 7d (ago), 2026-11-21 or 2026-11-21T23:50:19Z is accepted`,
  );
}
