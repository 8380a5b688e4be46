/** Output of one command on its way to whoever iterates it. */

/** Redacted text in order of arrival. */
export interface OutputChunk {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** Characters that wait before the connection is read no further, and that are kept for an iteration to come. */
const MAX_WAITING = 1 << 20;

/**
 * Takes chunks and gives them to one iteration. Until that begins the first MiB is kept and the rest dropped: nobody may
 * want it. From then on nothing is lost, and what waits holds the connection up.
 */
export class OutputChunks implements AsyncIterable<OutputChunk> {
  #chunks: OutputChunk[] = [];
  #waiting = 0;
  #ended = false;
  /** Whether somebody takes them. */
  #reader: "none" | "there" | "gone" = "none";
  #news: PromiseWithResolvers<void> | null = null;
  #room: PromiseWithResolvers<void> | null = null;

  /** Take one; a promise settles when more can be taken. */
  push(chunk: OutputChunk): Promise<void> | null {
    const isFull = this.#waiting >= MAX_WAITING;
    if (this.#reader === "gone" || (isFull && this.#reader === "none")) return null;
    this.#chunks.push(chunk);
    this.#waiting += chunk.text.length;
    this.#tell();
    if (this.#reader === "none" || this.#waiting < MAX_WAITING) return null;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** No more come. */
  end(): void {
    this.#ended = true;
    this.#tell();
  }

  /** The one iteration. @throws {TypeError} when there was one before. */
  [Symbol.asyncIterator](): AsyncGenerator<OutputChunk, void> {
    if (this.#reader !== "none") {
      throw new TypeError("Cannot iterate the output: it was iterated before");
    }
    this.#reader = "there";
    return this.#iterate();
  }

  async *#iterate(): AsyncGenerator<OutputChunk, void> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk !== undefined) {
          this.#waiting -= chunk.text.length;
          this.#release();
          yield chunk;
        } else if (this.#ended) return;
        else await (this.#news ??= Promise.withResolvers()).promise;
      }
    } finally {
      // Nobody takes the rest: it must hold nothing up.
      this.#reader = "gone";
      this.#chunks = [];
      this.#waiting = 0;
      this.#release();
    }
  }

  #tell(): void {
    this.#news?.resolve();
    this.#news = null;
  }

  #release(): void {
    if (this.#waiting >= MAX_WAITING) return;
    this.#room?.resolve();
    this.#room = null;
  }
}
