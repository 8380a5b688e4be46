/**
 * Two threads of this process that talk by turns: one gives orders, the other answers with two numbers. An order is a
 * number, too, with numbers and addresses behind it, in memory that both share: text would have to be written, read and
 * copied on the way, which cost more than all else that a start needs. Whoever gives orders waits for answers together
 * with much else, so that one comes through a pipe; the other waits for nothing else, and so for a word of the memory.
 * No other process has either: both ends of the pipe are close-on-exec, and the memory is the shell's.
 */
import { close, read, type Result, writeAll } from "./linux/ffi.ts";
import { ERRNO } from "./linux/uapi.ts";
import { openPipe } from "./open_pipe.ts";

/** What one side holds; it can be posted to the thread that is to have it. */
export interface ChannelEnd {
  /** Descriptor of this process: the pipe's end to read from, or to write to. */
  readonly pipe: number;
  readonly memory: SharedArrayBuffer;
}

/** What the other thread is to do. */
export interface Order {
  /** Above 0. */
  readonly code: number;
  /** At most `MOST_OPERANDS` words; what lies at an address must stay there until the answer. */
  readonly operands: readonly bigint[];
}

/** What came of it. */
export interface Answer {
  /** 0 or more, or the negative errno. */
  readonly result: Result;
  /** Which of several things the result is about; 0 where there was one. */
  readonly index: number;
}

/** Enough for a program and its descriptors. */
export const MOST_OPERANDS = 30;
/** In the first half-word: no order will come. The rest of it is the code of the one that is there. */
const CLOSED = -0x8000_0000;
/** Half-words: whether an order is there, how many operands it has. */
const [STATE, COUNT] = [0, 1];

/** What both sides work with. */
class Side {
  protected readonly pipe: number;
  /** Two half-words before the operands. */
  protected readonly head: Int32Array;
  protected readonly operands: BigInt64Array;
  /** The answer, as the pipe carries it. */
  protected readonly answer = new Int32Array(2);
  protected readonly answerBytes = new Uint8Array(this.answer.buffer);

  /** @param end no longer anybody else's. */
  constructor(end: ChannelEnd) {
    this.pipe = end.pipe;
    this.head = new Int32Array(end.memory);
    this.operands = new BigInt64Array(end.memory, BigInt64Array.BYTES_PER_ELEMENT);
  }

  /** Close this end; the other side receives null. */
  close(): void {
    close(this.pipe);
  }
}

/** The end that gives orders, the next one only after the answer to the one before was received. */
export class OrderChannel extends Side {
  /** Can be read when an answer is there, or the other end is closed. */
  get input(): number {
    return this.pipe;
  }

  /** Give an order. @throws {RangeError} for one with too many operands. */
  send({ code, operands }: Order): void {
    if (operands.length > MOST_OPERANDS) {
      throw new RangeError(
        `Cannot give an order with ${operands.length} operands: ${MOST_OPERANDS} at most`,
      );
    }
    this.operands.set(operands);
    this.head[COUNT] = operands.length;
    Atomics.store(this.head, STATE, code);
    Atomics.notify(this.head, STATE);
  }

  /** Wait for the answer and take it; null when the other end is closed. */
  receive(): Answer | null {
    let count: Result;
    do count = read(this.pipe, this.answerBytes); while (count === -ERRNO.EINTR);
    if (count !== this.answerBytes.length) return null;
    return { result: this.answer[0]!, index: this.answer[1]! };
  }

  override close(): void {
    Atomics.or(this.head, STATE, CLOSED);
    Atomics.notify(this.head, STATE);
    super.close();
  }
}

/** The end that answers. */
export class AnswerChannel extends Side {
  /** Wait until an order is there or the other end is closed, at most so long. @returns false when the time is over. */
  wait(mostMs: number): boolean {
    Atomics.wait(this.head, STATE, 0, mostMs);
    return Atomics.load(this.head, STATE) !== 0;
  }

  /** Wait for an order and take it; null when the other end is closed. */
  receive(): Order | null {
    while (!this.wait(Infinity));
    const code = Atomics.load(this.head, STATE) & ~CLOSED;
    if (code === 0) return null;
    const operands = [...this.operands.subarray(0, this.head[COUNT])];
    // Taken; that there will be none any more stays.
    Atomics.and(this.head, STATE, CLOSED);
    return { code, operands };
  }

  /** Answer. @returns 0, or the negative errno. */
  send({ result, index }: Answer): Result {
    this.answer[0] = result;
    this.answer[1] = index;
    return writeAll(this.pipe, this.answerBytes);
  }
}

/** Two ends that belong together: who gives orders has the near one. @throws {SystemCallError} without a descriptor. */
export function openChannel(): { readonly near: ChannelEnd; readonly far: ChannelEnd } {
  const pipe = openPipe();
  const memory = new SharedArrayBuffer((1 + MOST_OPERANDS) * BigInt64Array.BYTES_PER_ELEMENT);
  return { near: { pipe: pipe.read, memory }, far: { pipe: pipe.write, memory } };
}

/** Close what `openChannel` has made, where no thread has taken its end. */
export function closeEnds(...ends: readonly ChannelEnd[]): void {
  for (const { pipe } of ends) close(pipe);
}
