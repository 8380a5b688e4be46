/** Durations as a policy states them. */
import { showValue } from "./show_value.ts";

/** Longest delay of a timer in milliseconds (2^31 - 1; a longer one would fire at once). */
const MAX_MS = 2_147_483_647;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Says what is wrong with a duration, or null when it can be used. `none` says whether "no limit" is possible. */
export function problemOfDuration(value: number | string, none: boolean): string | null {
  const ms = durationMs(value);
  if (ms !== null && (none || value !== "none")) return null;
  const zero = none ? '; 0 or "none" means no limit' : "";
  return `Cannot use ${
    showValue(value)
  } as a duration: accepted are seconds as a number from 0 to ${
    Math.floor(MAX_MS / 1000)
  }, or a string such as "120s", "2m", "500ms" or "1h"${zero}`;
}

/** Converts a duration to whole milliseconds: numbers are seconds, `none` is 0; null when it is no duration. */
export function durationMs(value: number | string): number | null {
  if (value === "none") return 0;
  const match = typeof value === "string"
    ? /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h)?$/.exec(value)
    : null;
  const amount = typeof value === "number" ? value : match ? Number(match[1]) : NaN;
  const ms = Math.ceil(amount * (UNITS[match?.[2] ?? "s"] ?? NaN));
  return ms >= 0 && ms <= MAX_MS ? ms : null;
}
