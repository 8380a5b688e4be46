/** Standard input as bytes, text, lines and answers. */
import { isTerminal } from "../sandbox/command_input.ts";
import { poll } from "../sandbox/linux/ffi.ts";
import { POLL } from "../sandbox/linux/uapi.ts";
import { makeBlocking } from "./terminal.ts";

const READ_BYTES = 65_536;
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
