/**
 * Two threads of this process that talk by turns: one asks, the other answers. A message lies in memory that both share,
 * as JSON, and its length goes through a pipe, on which either side can wait in the kernel: a worker's messages cost
 * a turn of both event loops. No other process has either: both ends of the pipes are close-on-exec, and the memory is
 * the shell's.
 */
import { close, read, type Result, writeAll } from "./linux/ffi.ts";
import { ERRNO } from "./linux/uapi.ts";
import { openPipe } from "./open_pipe.ts";

/** What one side holds; it can be posted to the thread that is to have it. */
export interface ChannelEnd {
  /** Descriptors of this process. */
  readonly input: number;
  readonly output: number;
  readonly memory: SharedArrayBuffer;
}

/** Enough for what nearly every message needs, in bytes. */
const USUAL_BYTES = 64 * 1024;
/**
 * Bytes of the longest message; not taken up before one needs them. The kernel takes arguments and environment of 6 MiB
 * at most (`bprm_stack_limits`, `fs/exec.c`), and JSON writes a byte as six at worst.
 */
const MOST_BYTES = 64 * 1024 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One end. A message is sent only after the answer to the one before was received. */
export class Channel<Sent, Received> {
  readonly #end: ChannelEnd;
  readonly #length = new Uint32Array(1);

  /** @param end no longer anybody else's. */
  constructor(end: ChannelEnd) {
    this.#end = end;
  }

  /** Two ends that belong together. @throws {SystemCallError} when the process has no descriptor left. */
  static open(): { readonly near: ChannelEnd; readonly far: ChannelEnd } {
    const there = openPipe();
    try {
      const back = openPipe();
      const memory = new SharedArrayBuffer(USUAL_BYTES, { maxByteLength: MOST_BYTES });
      return {
        near: { input: back.read, output: there.write, memory },
        far: { input: there.read, output: back.write, memory },
      };
    } catch (error) {
      close(there.read);
      close(there.write);
      throw error;
    }
  }

  /** Can be read when an answer is there, or the other end is closed. */
  get input(): number {
    return this.#end.input;
  }

  /** Send a message. @returns 0, or the negative errno: `E2BIG` for one that is too long. */
  send(message: Sent): Result {
    const { memory, output } = this.#end;
    const bytes = encoder.encode(JSON.stringify(message));
    if (bytes.length > MOST_BYTES) return -ERRNO.E2BIG;
    if (bytes.length > memory.byteLength) memory.grow(bytes.length);
    new Uint8Array(memory).set(bytes);
    this.#length[0] = bytes.length;
    return writeAll(output, new Uint8Array(this.#length.buffer));
  }

  /** Wait for a message and take it; null when the other end is closed. */
  receive(): Received | null {
    const { memory, input } = this.#end;
    let count: Result;
    do count = read(input, new Uint8Array(this.#length.buffer)); while (count === -ERRNO.EINTR);
    if (count !== this.#length.byteLength) return null;
    // A copy: the decoder takes no shared memory.
    const bytes = new Uint8Array(memory).slice(0, this.#length[0]!);
    return JSON.parse(decoder.decode(bytes)) as Received;
  }

  /** Close this end; the other side receives null. */
  close(): void {
    close(this.#end.input);
    close(this.#end.output);
  }
}

/** Close what `open` has made, where no thread has taken its end. */
export function closeEnds(...ends: readonly ChannelEnd[]): void {
  for (const { input, output } of ends) {
    close(input);
    close(output);
  }
}
