/**
 * Reads a pipe that is always full one step ahead, on a pool thread: copying out of the kernel takes half as long as all
 * that is done with the bytes, and at full speed there is a second core for it.
 */
import { readLater } from "./linux/ffi.ts";

/** What one read takes at most: as much as the pipe holds. */
const AHEAD_BYTES = 1 << 20;
/** A read that brings less says that the writer is the slower one. */
const ENOUGH = AHEAD_BYTES / 4;
/** Full reads in a row by which a pipe is known to be worth it. */
const FULL_READS = 8;

/** Reads of one descriptor, which nobody else reads while `isActive`. */
export class ReadAhead {
  readonly #piece: number;
  #buffers: [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] | null = null;
  #turn = 0;
  #fulls = 0;
  #pending: Promise<number> | null = null;
  #rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** @param piece how much is taken at once. */
  constructor(piece: number) {
    this.#piece = piece;
  }

  /** True while bytes are there, or on their way. */
  get isActive(): boolean {
    return this.hasMore || this.#pending !== null;
  }

  /** True when bytes are there. */
  get hasMore(): boolean {
    return this.#rest.length > 0;
  }

  /** Note how an ordinary read ended; after several full ones in a row the next is begun here. */
  note(fd: number, isFull: boolean): void {
    this.#fulls = isFull ? this.#fulls + 1 : 0;
    if (this.#fulls >= FULL_READS) this.#begin(fd);
  }

  #begin(fd: number): void {
    this.#buffers ??= [new Uint8Array(AHEAD_BYTES), new Uint8Array(AHEAD_BYTES)];
    const buffer = this.#buffers[this.#turn % 2] as Uint8Array<ArrayBuffer>;
    this.#pending = readLater(fd, buffer);
  }

  /** Wait for the read that is under way; the next one begins at once. Nothing may be there any more. */
  async settle(fd: number): Promise<void> {
    if (this.#pending === null) return;
    const count = await this.#pending;
    this.#pending = null;
    const buffer = this.#buffers?.[this.#turn++ % 2];
    if (buffer !== undefined && count > 0) this.#rest = buffer.subarray(0, count);
    if (count >= ENOUGH) this.#begin(fd);
    else this.#fulls = 0;
  }

  /** The next bytes, which are valid until all are taken; null when none are there. */
  take(): Uint8Array<ArrayBuffer> | null {
    if (!this.hasMore) return null;
    const piece = this.#rest.subarray(0, this.#piece);
    this.#rest = this.#rest.subarray(this.#piece);
    return piece;
  }

  /** Wait until nothing is read any more: before that the descriptor must not be closed. */
  async close(): Promise<void> {
    await this.#pending;
    this.#pending = null;
  }
}
