/**
 * Two threads of this process that talk by turns: one gives orders, the other answers. A message lies in memory that both
 * share, as JSON. Whoever gives orders waits for answers together with much else, so that one comes through a pipe, with
 * its length; the other waits for nothing else, and so for a word of the memory: a worker's messages cost a turn of both
 * event loops, and a pipe two system calls more. No other process has either: both ends of the pipe are close-on-exec,
 * and the memory is the shell's.
 */
import { close, read, type Result, writeAll } from "./linux/ffi.ts";
import { ERRNO } from "./linux/uapi.ts";
import { openPipe } from "./open_pipe.ts";

/** What one side holds; it can be posted to the thread that is to have it. */
export interface ChannelEnd {
  /** Descriptor of this process: the pipe's end to read from, or to write to. */
  readonly pipe: number;
  readonly memory: SharedArrayBuffer;
  /** One word: bytes of the order that is there, and whether there will be none any more. */
  readonly state: SharedArrayBuffer;
}

/** Enough for what nearly every message needs, in bytes. */
const USUAL_BYTES = 64 * 1024;
/**
 * Bytes of the longest message; not taken up before one needs them. The kernel takes arguments and environment of 6 MiB
 * at most (`bprm_stack_limits`, `fs/exec.c`), and JSON writes a byte as six at worst.
 */
const MOST_BYTES = 64 * 1024 * 1024;
/** In the word: no order will come. The rest of it is a length. */
const CLOSED = -0x8000_0000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Messages in the memory of one end, read and written by whoever has the turn. */
class Messages {
  readonly #memory: SharedArrayBuffer;
  /** As long as the memory is, also when that grows. */
  readonly #shared: Uint8Array;
  /** The encoder and the decoder take no shared memory; fresh memory for each message kept the allocator busy. */
  readonly #own = new Uint8Array(USUAL_BYTES);

  constructor(memory: SharedArrayBuffer) {
    this.#memory = memory;
    this.#shared = new Uint8Array(memory);
  }

  /** @returns its length in bytes, or the negative errno: `E2BIG` for one that is too long. */
  put(message: unknown): Result {
    const text = JSON.stringify(message);
    const bytes = this.#encoded(text);
    if (bytes.length > MOST_BYTES) return -ERRNO.E2BIG;
    if (bytes.length > this.#memory.byteLength) this.#memory.grow(bytes.length);
    this.#shared.set(bytes);
    return bytes.length;
  }

  take(length: number): unknown {
    const bytes = length <= USUAL_BYTES ? this.#own.subarray(0, length) : new Uint8Array(length);
    bytes.set(this.#shared.subarray(0, length));
    return JSON.parse(decoder.decode(bytes));
  }

  #encoded(text: string): Uint8Array {
    const { read, written } = encoder.encodeInto(text, this.#own);
    return read === text.length ? this.#own.subarray(0, written) : encoder.encode(text);
  }
}

/** What both sides work with. */
class Side {
  protected readonly pipe: number;
  protected readonly state: Int32Array;
  protected readonly messages: Messages;
  /** Of the answer, as the pipe carries it. */
  protected readonly length = new Uint32Array(1);
  protected readonly lengthBytes = new Uint8Array(this.length.buffer);

  /** @param end no longer anybody else's. */
  constructor(end: ChannelEnd) {
    this.pipe = end.pipe;
    this.state = new Int32Array(end.state);
    this.messages = new Messages(end.memory);
  }

  /** Close this end; the other side receives null. */
  close(): void {
    close(this.pipe);
  }
}

/** The end that gives orders, the next one only after the answer to the one before was received. */
export class OrderChannel<Order, Reply> extends Side {
  /** Can be read when an answer is there, or the other end is closed. */
  get input(): number {
    return this.pipe;
  }

  /** Give an order. @returns 0, or the negative errno: `E2BIG` for one that is too long. */
  send(order: Order): Result {
    const length = this.messages.put(order);
    if (length < 0) return length;
    Atomics.store(this.state, 0, length);
    Atomics.notify(this.state, 0);
    return 0;
  }

  /** Wait for the answer and take it; null when the other end is closed. */
  receive(): Reply | null {
    let count: Result;
    do count = read(this.pipe, this.lengthBytes); while (count === -ERRNO.EINTR);
    if (count !== this.lengthBytes.length) return null;
    return this.messages.take(this.length[0]!) as Reply;
  }

  override close(): void {
    Atomics.or(this.state, 0, CLOSED);
    Atomics.notify(this.state, 0);
    super.close();
  }
}

/** The end that answers. */
export class ReplyChannel<Order, Reply> extends Side {
  /** Wait until an order is there or the other end is closed, at most so long. @returns false when the time is over. */
  wait(mostMs: number): boolean {
    Atomics.wait(this.state, 0, 0, mostMs);
    return Atomics.load(this.state, 0) !== 0;
  }

  /** Wait for an order and take it; null when the other end is closed. */
  receive(): Order | null {
    while (!this.wait(Infinity));
    const length = Atomics.load(this.state, 0) & ~CLOSED;
    if (length === 0) return null;
    const order = this.messages.take(length) as Order;
    // Taken; that there will be none any more stays.
    Atomics.and(this.state, 0, CLOSED);
    return order;
  }

  /** Answer. @returns 0, or the negative errno: `E2BIG` for an answer that is too long. */
  send(reply: Reply): Result {
    const length = this.messages.put(reply);
    if (length < 0) return length;
    this.length[0] = length;
    return writeAll(this.pipe, this.lengthBytes);
  }
}

/** Two ends that belong together: who gives orders has the near one. @throws {SystemCallError} without a descriptor. */
export function openChannel(): { readonly near: ChannelEnd; readonly far: ChannelEnd } {
  const pipe = openPipe();
  const memory = new SharedArrayBuffer(USUAL_BYTES, { maxByteLength: MOST_BYTES });
  const state = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  return { near: { pipe: pipe.read, memory, state }, far: { pipe: pipe.write, memory, state } };
}

/** Close what `openChannel` has made, where no thread has taken its end. */
export function closeEnds(...ends: readonly ChannelEnd[]): void {
  for (const { pipe } of ends) close(pipe);
}
