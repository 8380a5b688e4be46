/**
 * Output that waits for its readers: written in order, on a pool thread, so that a reader which does not read stops
 * neither the clock nor signals. Bounded by whoever asks `ready` before giving more.
 */
import { isTerminal } from "../sandbox/command_input.ts";
import { descriptorStatus } from "../sandbox/linux/files.ts";
import { writeLater } from "../sandbox/linux/ffi.ts";
import type { OutputFlow } from "../sandbox/output_flow.ts";
import { ClosedPipe, hasReader, isNonBlocking, roomLater, writeBytes } from "./terminal.ts";

/** Bytes behind which no more is taken: two full reads of a command's pipe. */
const FULL_BYTES = 256 * 1024;
/** Bytes of one write, as many as a pipe usually holds: each that ends shows that somebody reads. */
const WRITE_BYTES = 64 * 1024;
/** How long a reader may take nothing when nobody waits for it any longer, in ms. */
const PATIENCE_MS = 5000;

/** What differs between queues. */
export interface QueueOptions {
  /** How long a reader may take nothing after `hurry`, in ms. */
  readonly patienceMs?: number;
  /** Descriptor on which the queue says what it drops; standard error when absent. */
  readonly notices?: number;
}

/** How one piece is written. */
export interface PieceOptions {
  /** True where a reader that went away is no error. */
  readonly optional?: boolean;
}

interface Piece {
  readonly fd: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly optional: boolean;
}

/** Bytes on their way, and what ends the wait for them. */
interface Write {
  readonly fd: number;
  readonly late: PromiseWithResolvers<"late">;
  /** True when nobody waits for them: what was not written yet must not be written later. */
  dropped: boolean;
}

const encoder = new TextEncoder();

/** The output of one front end. */
export class OutputQueue implements OutputFlow {
  readonly #patienceMs: number;
  readonly #notices: number;
  #pieces: Piece[] = [];
  #bytes = 0;
  #pumping: Promise<void> | null = null;
  #current: Write | null = null;
  #room: PromiseWithResolvers<void> | null = null;
  /** Writes that did not return in time, by descriptor: nothing can overtake them. */
  readonly #stuck = new Map<number, Promise<void>>();
  readonly #slow = new Map<number, boolean>();
  readonly #failed = new Set<number>();
  readonly #failure = new AbortController();
  #hurried = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #told = false;

  constructor({ patienceMs = PATIENCE_MS, notices = 2 }: QueueOptions = {}) {
    this.#patienceMs = patienceMs;
    this.#notices = notices;
  }

  /** Aborted, with the error, when output cannot be written any more. */
  get failure(): AbortSignal {
    return this.#failure.signal;
  }

  /**
   * Write bytes when their turn comes, at once where that cannot block. What cannot be written is dropped.
   *
   * @throws as `writeBytes`, for what is written at once.
   */
  push(fd: number, bytes: Uint8Array, { optional = false }: PieceOptions = {}): void {
    const isDropped = this.#failed.has(fd) || (this.#hurried && this.#stuck.has(fd));
    if (bytes.length === 0 || isDropped) return;
    if (this.#pumping === null && !this.#isSlow(fd)) return this.#writeNow(fd, bytes);
    // The memory of the bytes is used again when this returns.
    this.#pieces.push({ fd, bytes: new Uint8Array(bytes), optional });
    this.#bytes += bytes.length;
    this.#pumping ??= this.#pump();
  }

  /** Throws when the reader of a descriptor went away; only once for each. @throws {ClosedPipe} */
  checkReader(fd: number): void {
    if (this.#failed.has(fd) || hasReader(fd)) return;
    this.#failed.add(fd);
    throw new ClosedPipe();
  }

  /** As `OutputFlow.ready`. */
  ready(): Promise<void> | null {
    if (this.#bytes < FULL_BYTES) return null;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** As `OutputFlow.hurry`; until `resume`. */
  hurry(): void {
    if (this.#hurried) return;
    this.#hurried = true;
    this.#watch();
  }

  /** Wait for readers again, whatever they left before. */
  resume(): void {
    this.#hurried = this.#told = false;
    this.#unwatch();
  }

  /**
   * Wait until everything is written, or dropped.
   *
   * @param signal hurries when it is aborted.
   * @throws what `failure` was aborted with.
   */
  async flush(signal?: AbortSignal): Promise<void> {
    const onAbort = () => this.hurry();
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort);
    while (this.#pumping !== null) await this.#pumping;
    signal?.removeEventListener("abort", onAbort);
    this.#failure.signal.throwIfAborted();
  }

  /** Whether a write can wait for somebody: to a pipe, a socket or a terminal, but to no file and no `/dev/null`. */
  #isSlow(fd: number): boolean {
    const known = this.#slow.get(fd);
    if (known !== undefined) return known;
    const kind = descriptorStatus(fd)?.kind;
    const slow = kind === "other" || (kind === "character-device" && isTerminal(fd));
    this.#slow.set(fd, slow);
    return slow;
  }

  #writeNow(fd: number, bytes: Uint8Array): void {
    try {
      writeBytes(fd, bytes);
    } catch (error) {
      this.#failed.add(fd);
      throw error;
    }
  }

  async #pump(): Promise<void> {
    for (let piece = this.#take(); piece !== null; piece = this.#take()) {
      const write: Write = { fd: piece.fd, late: Promise.withResolvers(), dropped: false };
      this.#current = write;
      if (this.#hurried) this.#watch();
      const done = (this.#stuck.get(piece.fd) ?? Promise.resolve())
        .then(() => this.#write(piece, write))
        .catch((error) => this.#fail(piece, error));
      const end = await Promise.race([done, write.late.promise]);
      this.#unwatch();
      this.#current = null;
      if (end === "late") this.#leave(write, done);
      this.#bytes -= piece.bytes.length;
      this.#release();
    }
    this.#pumping = null;
  }

  /** The next bytes for one descriptor. */
  #take(): Piece | null {
    const [first] = this.#pieces;
    if (first === undefined) return null;
    const { fd, optional } = first;
    const taken: Uint8Array[] = [];
    let length = 0;
    while (length < WRITE_BYTES) {
      const [piece] = this.#pieces;
      if (piece === undefined || piece.fd !== fd || piece.optional !== optional) break;
      const part = piece.bytes.subarray(0, WRITE_BYTES - length);
      taken.push(part);
      length += part.length;
      const rest = piece.bytes.subarray(part.length);
      if (rest.length > 0) this.#pieces[0] = { ...piece, bytes: rest };
      else this.#pieces.shift();
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of taken) {
      bytes.set(part, at);
      at += part.length;
    }
    return { fd, bytes, optional };
  }

  async #write({ fd, bytes }: Piece, write: Write): Promise<void> {
    if (write.dropped || this.#failed.has(fd)) return;
    if (!this.#isSlow(fd)) return writeBytes(fd, bytes);
    for (let at = 0; at < bytes.length && !write.dropped;) {
      const count = await writeLater(fd, bytes.subarray(at));
      if (count >= 0) at += count;
      else if (!hasReader(fd)) throw new ClosedPipe();
      else if (isNonBlocking(fd)) await roomLater(fd);
      // Nothing was written, and it did not wait for a reader: the same again says why.
      else return writeBytes(fd, bytes.subarray(at));
    }
  }

  #fail({ fd, optional }: Piece, error: unknown): void {
    this.#failed.add(fd);
    this.#drop(fd);
    const isError = !(optional && error instanceof ClosedPipe);
    if (isError) this.#failure.abort(error);
  }

  #drop(fd: number): void {
    const isDropped = (piece: Piece) => piece.fd === fd;
    for (const piece of this.#pieces.filter(isDropped)) this.#bytes -= piece.bytes.length;
    this.#pieces = this.#pieces.filter((piece) => !isDropped(piece));
    this.#release();
  }

  /** Nobody waits for this one any longer; the thread in it may do so for ever. */
  #leave(write: Write, done: Promise<void>): void {
    const { fd } = write;
    write.dropped = true;
    this.#drop(fd);
    const stuck = done.then(() => {
      if (this.#stuck.get(fd) === stuck) this.#stuck.delete(fd);
    });
    this.#stuck.set(fd, stuck);
    if (this.#told || this.#stuck.has(this.#notices)) return;
    this.#told = true;
    const text = `debrief: nobody reads descriptor ${fd}: the rest of the output is not printed\n`;
    const bytes = encoder.encode(text);
    this.#pieces.unshift({ fd: this.#notices, bytes, optional: true });
    this.#bytes += bytes.length;
  }

  #release(): void {
    if (this.#bytes >= FULL_BYTES) return;
    this.#room?.resolve();
    this.#room = null;
  }

  #watch(): void {
    if (this.#current === null || this.#timer !== null) return;
    const { late } = this.#current;
    this.#timer = setTimeout(() => late.resolve("late"), this.#patienceMs);
  }

  #unwatch(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
