/** One file of a spooled output. Bytes may wait in memory until they are known to stay. */

/** Grows with what is added; nothing exists on disk before the first `flush`, or the first bytes where none wait. */
export class SpoolFile {
  readonly #path: string;
  readonly #memory: Uint8Array | null;
  #waiting = 0;
  #file: Deno.FsFile | null = null;
  #written = 0;

  /** @param memory where bytes wait; without it they are written at once. Nobody else may use it meanwhile. */
  constructor(path: string, memory: Uint8Array | null = null) {
    this.#path = path;
    this.#memory = memory;
  }

  /** Bytes that were added. */
  get size(): number {
    return this.#written + this.#waiting;
  }

  /** Bytes in the file. */
  get written(): number {
    return this.#written;
  }

  /** True from the moment on at which the file exists. */
  get exists(): boolean {
    return this.#file !== null;
  }

  /** True when so many more bytes can wait. */
  hasRoom(count: number): boolean {
    return this.#memory === null || this.#waiting + count <= this.#memory.length;
  }

  /** Adds bytes; there must be room for them. @throws {Error} when the file cannot be made or written. */
  add(bytes: Uint8Array): void {
    if (this.#memory === null) return this.#write(bytes);
    this.#memory.set(bytes, this.#waiting);
    this.#waiting += bytes.length;
  }

  /** Writes what waits. @throws {Error} as `add` does. */
  flush(): void {
    const waiting = this.#memory?.subarray(0, this.#waiting);
    this.#waiting = 0;
    if (waiting !== undefined && waiting.length > 0) this.#write(waiting);
  }

  #write(bytes: Uint8Array): void {
    // `createNew` is O_EXCL: it follows no link and opens nothing that was prepared.
    this.#file ??= Deno.openSync(this.#path, { write: true, createNew: true, mode: 0o600 });
    for (let at = 0; at < bytes.length;) {
      const count = this.#file.writeSync(bytes.subarray(at));
      at += count;
      this.#written += count;
    }
  }

  /** Gives the last bytes of the file back to a full disk. @throws {Error} when even that fails. */
  giveBack(count: number): void {
    const size = Math.max(0, this.#written - count);
    this.#file?.truncateSync(size);
    this.#written = size;
  }

  /** Closes the file; nothing can be written afterwards. */
  close(): void {
    try {
      this.#file?.close();
    } catch (error) {
      // Closed before: there is nothing left to release.
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }

  /** Closes the file and removes it. @throws {Error} when it cannot be removed. */
  remove(): void {
    this.close();
    if (this.#file !== null) Deno.removeSync(this.#path);
    this.#written = 0;
  }
}
