/** Standard input as bytes, text, lines and answers. */
import { isTerminal } from "../sandbox/command_input.ts";
import { errnoText } from "../sandbox/errno_text.ts";
import { poll, read, readLater } from "../sandbox/linux/ffi.ts";
import { ERRNO, POLL } from "../sandbox/linux/uapi.ts";
import { SystemCallError } from "../errors.ts";
import { makeBlocking } from "./terminal.ts";

const READ_BYTES = 65_536;
/** The largest pipe that an ordinary user may have (`/proc/sys/fs/pipe-max-size`). */
const AHEAD_BYTES = 1 << 20;
/** A longer line is handed on in pieces, in characters: no command may be as long. */
const MAX_LINE = 1 << 21;

/**
 * Reads bytes, also where standard input is non-blocking. Deno makes it so when it is a terminal that cannot be opened anew,
 * because it belongs to another user, as after `su`; whoever shares it may have done so as well.
 *
 * @returns how many; null at the end.
 */
export async function readInput(buffer: Uint8Array): Promise<number | null> {
  for (;;) {
    try {
      return await Deno.stdin.read(buffer);
    } catch (error) {
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
    }
    await poll([{ fd: 0, events: POLL.IN, ready: false }], -1);
  }
}

/**
 * All of standard input, the next part read by another thread while one is used: as much at once as a pipe may hold.
 * A part is valid until the next one is asked for.
 *
 * @throws {SystemCallError} when it cannot be read (EISDIR, EBADF, …).
 */
export async function* inputAhead(): AsyncGenerator<Uint8Array> {
  let [buffer, other] = [new Uint8Array(AHEAD_BYTES), new Uint8Array(AHEAD_BYTES)];
  let pending = readLater(0, buffer);
  for (;;) {
    let count = await pending;
    // Only here it is known why.
    while (count < 0) count = await retry(buffer);
    if (count === 0) return;
    pending = readLater(0, other);
    yield buffer.subarray(0, count);
    [buffer, other] = [other, buffer];
  }
}

/** Reads after a read that failed. */
async function retry(buffer: Uint8Array<ArrayBuffer>): Promise<number> {
  const count = read(0, buffer);
  if (count >= 0 || count === -ERRNO.EINTR) return count;
  if (count !== -ERRNO.EAGAIN) {
    const state = errnoText(-count);
    throw new SystemCallError("read", -count, `Cannot read standard input: ${state}`);
  }
  await poll([{ fd: 0, events: POLL.IN, ready: false }], -1);
  return count;
}

/** Asks at the terminal, yes or no; null where standard input is none and nobody can be asked. */
export function askUser(question: string): boolean | null {
  if (!isTerminal(0)) return null;
  // Asking reads without waiting for what is typed: see `readInput`.
  makeBlocking(0);
  return confirm(question);
}

/** Text from standard input, as `standardInputBytes`. */
export async function* standardInput(end: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const bytes of standardInputBytes(end)) yield decoder.decode(bytes, { stream: true });
  if (!end.aborted) yield decoder.decode();
}

/**
 * Bytes from standard input until it ends or the signal comes, valid until the next are asked for. It is read only when
 * it is asked for: a command on a terminal reads from the same.
 */
export async function* standardInputBytes(end: AbortSignal): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(READ_BYTES);
  const ended = new Promise<null>((resolve) => {
    if (end.aborted) resolve(null);
    end.addEventListener("abort", () => resolve(null), { once: true });
  });
  for (;;) {
    const count = await Promise.race([ended, readInput(buffer)]);
    if (end.aborted) return;
    if (count === null) return;
    yield buffer.subarray(0, count);
  }
}

/** The lines of a text, without their newlines. A carriage return stays: to a shell it is a character like any other. */
export async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines = chunk.split("\n");
    for (const line of lines.slice(0, -1)) {
      yield begun.join("") + line;
      begun = [];
      length = 0;
    }
    begun.push(lines.at(-1)!);
    length += lines.at(-1)!.length;
    if (length <= MAX_LINE) continue;
    yield begun.join("");
    begun = [];
    length = 0;
  }
  if (length > 0) yield begun.join("");
}
