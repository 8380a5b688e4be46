/**
 * What background processes print after their command has ended. Their command's pipes stay open for them, and what
 * comes is read and thrown away: a closed pipe would end a server at its first line of log, a full one would stop it.
 */
import { close, poll, read, syscall } from "../sandbox/linux/ffi.ts";
import { ERRNO } from "../sandbox/linux/uapi.ts";

const READ_BYTES = 65_536;
/** `EFD_CLOEXEC | EFD_NONBLOCK`, `linux/eventfd.h`. */
const EVENT_FLAGS = 0o2000000 | 0o4000;

/** Reads from any number of pipes until their writers have gone or the session ends. */
export class JobOutput {
  readonly #fds = new Set<number>();
  readonly #buffer = new Uint8Array(READ_BYTES);
  #wake = -1;
  #loop: Promise<void> | null = null;
  #closed = false;

  /**
   * Take over the reading ends of a command's pipes. Those that nobody writes to any more are closed.
   *
   * @returns true when a process still holds one.
   */
  async take(fds: readonly number[]): Promise<boolean> {
    const entries = fds.map((fd) => ({ fd, ready: false }));
    await poll(entries, 0);
    let held = false;
    for (const { fd, ready } of entries) {
      if (this.#closed || (ready && this.#isAtEnd(fd))) close(fd);
      else {
        this.#fds.add(fd);
        held = true;
      }
    }
    if (held) this.#start();
    return held;
  }

  /** Stop reading and close all pipes. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#wake >= 0) syscall("write", this.#wake, new BigUint64Array([1n]), 8);
    await this.#loop;
    for (const fd of this.#fds) close(fd);
    this.#fds.clear();
    if (this.#wake >= 0) close(this.#wake);
    this.#wake = -1;
  }

  /** Read once. */
  #isAtEnd(fd: number): boolean {
    const count = read(fd, this.#buffer);
    return count <= 0 && count !== -ERRNO.EAGAIN && count !== -ERRNO.EINTR;
  }

  #start(): void {
    if (this.#wake < 0) this.#wake = syscall("eventfd2", 0, EVENT_FLAGS);
    if (this.#loop === null) this.#loop = this.#run();
    else syscall("write", this.#wake, new BigUint64Array([1n]), 8);
  }

  async #run(): Promise<void> {
    while (this.#fds.size > 0 && !this.#closed) {
      const woken = { fd: this.#wake, ready: false };
      const entries = [...this.#fds].map((fd) => ({ fd, ready: false }));
      await poll([...entries, woken], -1);
      if (woken.ready) read(this.#wake, this.#buffer);
      for (const { fd, ready } of entries) {
        if (!ready || !this.#isAtEnd(fd)) continue;
        this.#fds.delete(fd);
        close(fd);
      }
    }
    this.#loop = null;
  }
}
