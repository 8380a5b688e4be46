/**
 * A file as standard input of a command that must not hold the file itself: whoever has a file open for reading can open
 * it anew for writing by `/proc/self/fd/0`. Landlock decides about that; mounts do not, because such a link leads past them.
 */
import { close, pipe, poll, read, syscall } from "./linux/ffi.ts";
import { ERRNO, F_SETFL, OPEN, POLL } from "./linux/uapi.ts";
import { SystemCallError } from "../errors.ts";

const CHUNK = 65_536;

/** Copies a file into a pipe until its end, the pipe's end, or `close`. */
export class PipedInput {
  /** The end for reading, close-on-exec. */
  readonly fd: number;
  readonly #source: number;
  readonly #write: number;
  readonly #wake: number;
  readonly #done: Promise<void>;
  #stopped = false;

  /** @param source a regular file's descriptor; closed in the end. @throws {SystemCallError} without a descriptor left. */
  constructor(source: number) {
    const ends = pipe();
    const wake = syscall("eventfd2", 0, OPEN.CLOEXEC | OPEN.NONBLOCK);
    if (typeof ends === "number" || wake < 0) {
      close(source);
      throw new SystemCallError("pipe2", ERRNO.EBADF, "Cannot open a pipe for the command's input");
    }
    this.fd = ends.read;
    this.#source = source;
    this.#write = ends.write;
    this.#wake = wake;
    syscall("fcntl", ends.write, F_SETFL, OPEN.NONBLOCK);
    this.#done = this.#copy();
  }

  /** Stop copying and close all descriptors. */
  async close(): Promise<void> {
    this.#stopped = true;
    syscall("write", this.#wake, new BigUint64Array([1n]), 8);
    close(this.fd);
    await this.#done;
    close(this.#wake);
  }

  async #copy(): Promise<void> {
    const buffer = new Uint8Array(CHUNK);
    let rest = buffer.subarray(0, 0);
    while (!this.#stopped) {
      // A regular file never keeps a read waiting.
      if (rest.length === 0) rest = buffer.subarray(0, Math.max(0, read(this.#source, buffer)));
      if (rest.length === 0) break;
      const count = syscall("write", this.#write, rest, rest.length);
      if (count > 0) rest = rest.subarray(count);
      else if (count !== -ERRNO.EAGAIN) break;
      else await this.#writable();
    }
    close(this.#write);
    close(this.#source);
  }

  #writable(): Promise<void> {
    const room = { fd: this.#write, events: POLL.OUT, ready: false };
    return poll([room, { fd: this.#wake, ready: false }], -1);
  }
}
