/** Durations as people write them. */

/**
 * A duration in milliseconds in at most six characters or so: `12ms`, `1.2s`, `59s`, `2m05s`, `1h02m`.
 * Cut, not rounded up, so that a shown time was really reached.
 */
export function durationText(milliseconds: number): string {
  const whole = Math.max(0, Math.floor(milliseconds));
  if (whole < 1_000) return `${whole}ms`;
  if (whole < 10_000) return `${Math.floor(whole / 1_000)}.${Math.floor(whole % 1_000 / 100)}s`;
  const seconds = Math.floor(whole / 1_000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${pad(minutes % 60)}m`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
