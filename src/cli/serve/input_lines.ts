/** Lines of a protocol on standard input: bounded in bytes, UTF-8, and nothing that is wrong with one loses the next. */

/** Bytes of a line: the longest command, were each of its letters escaped, fits. */
export const MAX_LINE_BYTES = 1 << 23;

const LINE_FEED = 0x0a;

/** One line, or what is wrong with it. */
export type InputLine =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "too-long"; readonly bytes: number }
  | { readonly kind: "not-utf-8" };

/** Collects the bytes of one line; keeps none of a line that is too long. */
class LineBytes {
  readonly #max: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Take bytes, whose memory may be used again afterwards. */
  add(bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size <= this.#max) this.#parts.push(bytes.slice());
    else this.#parts = [];
  }

  take(): InputLine {
    const [parts, bytes] = [this.#parts, this.#size];
    this.#parts = [];
    this.#size = 0;
    if (bytes > this.#max) return { kind: "too-long", bytes };
    const decoder = new TextDecoder("utf-8", { fatal: true });
    try {
      const texts = parts.map((part) => decoder.decode(part, { stream: true }));
      return { kind: "line", text: texts.join("") + decoder.decode() };
    } catch {
      return { kind: "not-utf-8" };
    }
  }
}

/**
 * The lines of a stream, without their newlines; empty ones are passed over, a last one needs no newline.
 *
 * @param options.maxBytes bytes of a line; what is longer is counted and skipped.
 */
export async function* inputLines(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes = MAX_LINE_BYTES }: { readonly maxBytes?: number } = {},
): AsyncGenerator<InputLine> {
  const line = new LineBytes(maxBytes);
  for await (const chunk of chunks) {
    let at = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, at)) {
      line.add(chunk.subarray(at, end));
      at = end + 1;
      if (!line.isEmpty) yield line.take();
    }
    line.add(chunk.subarray(at));
  }
  if (!line.isEmpty) yield line.take();
}
