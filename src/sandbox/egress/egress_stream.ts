/**
 * One side of a proxied connection: bounded reads, complete writes, and a deadline that is checked from outside. Nothing is
 * read while nothing can be written, so memory stays at one buffer for each direction.
 */

/** Bytes read at once, and kept for each direction. */
const CHUNK = 16 * 1024;

/** What a client or an origin sends that its protocol does not allow; the connection ends with it. */
export class ProtocolError extends Error {
  override name = "ProtocolError";
}

/** When a connection is given up: at a fixed time, or after silence. Both sides of a connection share one. */
export class Deadline {
  #at = Infinity;
  #idleMs: number | null = null;

  /** All that is awaited from now on must be there in `ms`, however much arrives. */
  within(ms: number): void {
    this.#idleMs = null;
    this.#at = performance.now() + ms;
  }

  /** Only silence of `ms` ends it from now on. */
  whileActive(ms: number): void {
    this.#idleMs = ms;
    this.touch();
  }

  /** Something was read or written. */
  touch(): void {
    if (this.#idleMs !== null) this.#at = performance.now() + this.#idleMs;
  }

  /** True when it is over. */
  get expired(): boolean {
    return performance.now() >= this.#at;
  }
}

/** A connection with a read buffer. */
export class EgressStream {
  readonly #conn: Deno.TcpConn;
  readonly #deadline: Deadline;
  #buffer = new Uint8Array(CHUNK);
  #start = 0;
  #end = 0;

  constructor(conn: Deno.TcpConn, deadline: Deadline) {
    this.#conn = conn;
    this.#deadline = deadline;
    conn.setNoDelay(true);
  }

  /** The next byte without taking it; null at the end. */
  async peek(): Promise<number | null> {
    if (this.#start === this.#end && !await this.#fill()) return null;
    return this.#buffer[this.#start] ?? null;
  }

  /** At most `max` of the next bytes, valid until the next call; null at the end. */
  async some(max: number = CHUNK): Promise<Uint8Array | null> {
    if (await this.peek() === null) return null;
    const end = Math.min(this.#end, this.#start + max);
    const bytes = this.#buffer.subarray(this.#start, end);
    this.#start = end;
    return bytes;
  }

  /** Exactly `count` bytes. @throws {ProtocolError} when there are fewer. */
  async exactly(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count;) {
      const piece = await this.some(count - at);
      if (piece === null) throw new ProtocolError("the connection ended too early");
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /**
   * The bytes up to and with `delimiter`.
   *
   * @throws {ProtocolError} when it does not come within `max` bytes, or not at all.
   */
  async through(delimiter: string, max: number): Promise<Uint8Array> {
    const wanted = new TextEncoder().encode(delimiter);
    for (let searched = this.#start;;) {
      const found = this.#indexOf(wanted, searched);
      const length = (found < 0 ? this.#end : found + wanted.length) - this.#start;
      if (length > max) throw new ProtocolError(`more than ${max} bytes before the end of a head`);
      if (found >= 0) {
        const bytes = this.#buffer.slice(this.#start, this.#start + length);
        this.#start += length;
        return bytes;
      }
      const before = Math.max(0, this.#end - this.#start - wanted.length + 1);
      if (!await this.#fill()) throw new ProtocolError("the connection ended too early");
      searched = this.#start + before;
    }
  }

  /** Write all of it; returns when the system has taken it. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      at += await this.#conn.write(bytes.subarray(at));
      this.#deadline.touch();
    }
  }

  /** Say that nothing more will be written; the other direction stays open. */
  async closeWrite(): Promise<void> {
    // The other side may be gone already.
    await this.#conn.closeWrite().catch(() => {});
  }

  /** Give the connection up; reads and writes under way fail. */
  close(): void {
    try {
      this.#conn.close();
    } catch {
      // It was closed before.
    }
  }

  /** Read more behind what is there; false at the end. The buffer grows only while a delimiter is looked for. */
  async #fill(): Promise<boolean> {
    if (this.#start === this.#end) {
      this.#start = this.#end = 0;
      if (this.#buffer.length > CHUNK) this.#buffer = new Uint8Array(CHUNK);
    } else if (this.#end === this.#buffer.length) {
      const kept = this.#buffer.subarray(this.#start, this.#end);
      const size = kept.length > this.#buffer.length / 2 ? 2 * this.#buffer.length : undefined;
      const larger = size === undefined ? this.#buffer : new Uint8Array(size);
      larger.set(kept);
      this.#buffer = larger;
      this.#end = kept.length;
      this.#start = 0;
    }
    const count = await this.#conn.read(this.#buffer.subarray(this.#end));
    if (count === null) return false;
    this.#deadline.touch();
    this.#end += count;
    return true;
  }

  #indexOf(wanted: Uint8Array, from: number): number {
    const last = wanted[wanted.length - 1] as number;
    for (let at = from + wanted.length - 1; at < this.#end; at++) {
      at = this.#buffer.indexOf(last, at);
      if (at < 0 || at >= this.#end) return -1;
      const start = at - wanted.length + 1;
      if (wanted.every((byte, index) => this.#buffer[start + index] === byte)) return start;
    }
    return -1;
  }
}
