/** A command's standard input that its caller writes to while it runs. */
import { UsageError } from "../errors.ts";
import { close, pipe, poll, syscall } from "./linux/ffi.ts";
import { ERRNO, F_SETFL, OPEN, POLL } from "./linux/uapi.ts";

/** Bytes that may wait for a command that does not read them. */
export const MAX_WAITING = 1 << 20;

/** A pipe whose writing end stays here. */
export class InputPipe {
  /** The end for reading, close-on-exec. */
  readonly fd: number;
  readonly #write: number;
  /** Settles when everything so far was written. */
  #last: Promise<boolean> = Promise.resolve(true);
  #waiting = 0;
  #ended = false;
  #closed = false;

  /** @throws {UsageError} without a descriptor left. */
  constructor() {
    const ends = pipe();
    if (typeof ends === "number") {
      throw new UsageError(`Cannot open a pipe for the command's input: errno ${-ends}`);
    }
    this.fd = ends.read;
    this.#write = ends.write;
    syscall("fcntl", ends.write, F_SETFL, OPEN.NONBLOCK);
  }

  /** True after `end`, or when the command has ended. */
  get isEnded(): boolean {
    return this.#ended;
  }

  /**
   * Write bytes after those that were given before.
   *
   * @returns false when the command ended before it took them into its pipe.
   * @throws {UsageError} after `end`, and when more than 1 MiB would wait.
   */
  send(bytes: Uint8Array): Promise<boolean> {
    if (this.#ended) throw new UsageError("Cannot send input: its end was sent before");
    if (this.#waiting + bytes.length > MAX_WAITING) {
      throw new UsageError(`Cannot send ${bytes.length} bytes of input: ${this.#waiting} wait`);
    }
    this.#waiting += bytes.length;
    const copy = bytes.slice();
    return this.#last = this.#last.then((whole) => whole && this.#put(copy));
  }

  /** Send the end of the input after what was sent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#last = this.#last.then((whole) => {
      close(this.#write);
      return whole;
    });
  }

  /** The command has ended. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // The last end for reading: a write that waits fails.
    close(this.fd);
    this.end();
    await this.#last;
  }

  async #put(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    for (let at = 0; at < bytes.length;) {
      const count = syscall("write", this.#write, bytes.subarray(at), bytes.length - at);
      if (count >= 0) {
        at += count;
        this.#waiting -= count;
      } else if (count === -ERRNO.EAGAIN) {
        await poll([{ fd: this.#write, events: POLL.OUT, ready: false }], -1);
      } else if (count !== -ERRNO.EINTR) return false;
    }
    return true;
  }
}
