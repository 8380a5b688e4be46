/** Durations as they are spoken. */
import { counted } from "../../output/counted.ts";

/**
 * `45 seconds`, `1 minute`, `5 minutes`, `1.5 hours`: whole seconds below a minute, whole minutes below an hour,
 * hours with at most one decimal above. Cut, so that the time is really there.
 */
export function spokenDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return counted(seconds, "second");
  if (seconds < 3_600) return counted(Math.floor(seconds / 60), "minute");
  return counted(Math.floor(seconds / 360) / 10, "hour");
}
