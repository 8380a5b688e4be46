/** What the jail answers to `setsockopt`. */
import type { Decided } from "./expected_calls.ts";

/** SO_LINGER, SO_SNDTIMEO, SO_SNDTIMEO_NEW: the supervisor sets what makes a call on a socket wait. */
export const WAITING = [[3, 1, 13], [3, 1, 21], [3, 1, 67]];
/** SO_REUSEPORT. */
export const SHARED_PORT = [[3, 1, 15]];
/** Source routes, devices, connections that are made later than they were decided on, other protocols. */
export const setsockopt = (
  allowed: readonly (readonly number[])[],
  elsewhere: Pick<Decided, "notified" | "ignored">,
): Decided => ({
  call: "setsockopt",
  allowed: [
    ...[[3, 1, 2], [3, 0, 1], [3, 6, 1], [3, 41, 26], [3, 1, 4], [3, 6, 4], [3, 0, 25], [3, 0, 21]],
    ...[[3, 6, 13], [3, 6, 15], [3, 41, 67]],
    ...allowed,
  ],
  refused: [
    ...[[0, 4], [0, 50], [1, 25], [1, 62], [6, 30], [6, 31], [6, 34], [41, 6], [41, 54], [41, 55]],
    ...[[41, 57], [41, 59], [41, 76]],
  ].map((option) => [3, ...option]),
  errno: 1,
  ...elsewhere,
});
