/** Pipes in the place of the standard streams. */
import { close, open, pipe, read, syscall } from "../../src/sandbox/linux/ffi.ts";
import { OPEN } from "../../src/sandbox/linux/uapi.ts";

/** `F_SETFL`, `linux/fcntl.h`. */
const SET_FLAGS = 4;

/** A pipe whose reading end never blocks. */
export function openPipe(): { readonly read: number; readonly write: number } {
  const ends = pipe();
  if (typeof ends === "number") throw new Error(`Cannot open a pipe: errno ${-ends}`);
  syscall("fcntl", ends.read, SET_FLAGS, OPEN.NONBLOCK);
  return ends;
}

/** All that is in a pipe now, at most 1 MiB. */
export function readAvailable(fd: number): string {
  const buffer = new Uint8Array(1 << 20);
  let length = 0;
  for (let count = 1; count > 0; length += Math.max(0, count)) {
    count = read(fd, buffer.subarray(length));
  }
  return new TextDecoder().decode(buffer.subarray(0, length));
}

/** A descriptor of a file that cannot be written. */
export function openReadOnly(): number {
  return open("/dev/null", OPEN.RDONLY);
}

/** Standard output and standard error as pipes, or as one pipe for both (`2>&1`). */
export class Streams {
  readonly #out = openPipe();
  readonly #err: ReturnType<typeof openPipe>;
  #closed = false;

  constructor(options: { readonly together: boolean } = { together: false }) {
    this.#err = options.together ? this.#out : openPipe();
  }

  /** What to write to. */
  get descriptors(): { readonly stdout: number; readonly stderr: number } {
    return { stdout: this.#out.write, stderr: this.#err.write };
  }

  /** What was written since the last look. */
  read(): { readonly stdout: string; readonly stderr: string } {
    const stdout = this.#closed ? "" : readAvailable(this.#out.read);
    return { stdout, stderr: this.#err === this.#out ? "" : readAvailable(this.#err.read) };
  }

  /** From now on nobody reads standard output. */
  closeStdout(): void {
    this.#closed = true;
    close(this.#out.read);
  }

  [Symbol.dispose](): void {
    for (const { read, write } of new Set([this.#out, this.#err])) {
      if (!this.#closed || read !== this.#out.read) close(read);
      close(write);
    }
  }
}
