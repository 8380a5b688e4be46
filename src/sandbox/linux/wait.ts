/** Waiting on the calling thread itself, for what ends within a moment. */
import { pollHere } from "./ffi.ts";
import { POLL } from "./uapi.ts";

/** `struct pollfd { int fd; short events; short revents }` of each; no call is made while another one waits. */
const entries = new Int32Array([-1, POLL.IN, -1, POLL.IN]);

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
  entries[0] = first;
  entries[1] = entries[3] = POLL.IN;
  entries[2] = second;
  if (pollHere(entries, Math.ceil(timeoutMs)) <= 0) return [0, 0];
  return [entries[1] >>> 16, entries[3] >>> 16];
}
