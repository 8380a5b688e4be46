/** Waiting on the calling thread itself, for what ends within a moment. */
import { pollHere } from "./ffi.ts";
import { POLL } from "./uapi.ts";

/**
 * `poll(2)` of two descriptors for reading, of which a negative one is left out.
 *
 * @param timeoutMs at most so long, rounded up to milliseconds; 0 only looks.
 * @returns the events of each (`POLL.IN`, `POLL.HUP`, …), 0 when the time is over or a signal came.
 */
export function waitFor(
  first: number,
  second: number,
  timeoutMs: number,
): readonly [number, number] {
  // struct pollfd { int fd; short events; short revents }
  const entries = new Int32Array([first, POLL.IN, second, POLL.IN]);
  if (pollHere(entries, Math.ceil(timeoutMs)) <= 0) return [0, 0];
  return [entries[1]! >>> 16, entries[3]! >>> 16];
}
