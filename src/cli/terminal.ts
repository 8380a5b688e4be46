/** Writing to descriptors, synchronously, so that order and back-pressure are those of the terminal or pipe. */
import { SystemCallError } from "../errors.ts";
import { writeAll } from "../sandbox/linux/ffi.ts";
import { errnoText } from "../sandbox/errno_text.ts";

const encoder = new TextEncoder();
const EPIPE = 32;

/** Nobody reads the descriptor any more. */
export class ClosedPipe extends Error {
  override name = "ClosedPipe";
}

/**
 * Write text to a descriptor.
 *
 * @throws {ClosedPipe} when its reader went away.
 * @throws {SystemCallError} when it cannot be written for another reason (ENOSPC, EBADF, …).
 */
export function writeText(fd: number, text: string): void {
  const result = writeAll(fd, encoder.encode(text));
  if (result === -EPIPE) throw new ClosedPipe();
  if (result < 0) {
    throw new SystemCallError(
      "write",
      -result,
      `Cannot write to descriptor ${fd}: ${errnoText(-result)}`,
    );
  }
}
