/** The bytes of one kept line as they are read, bounded in memory whatever the line is. */
import { byteMarker } from "./line_text.ts";
import { joined } from "./marked_bytes.ts";

/** What lines are searched for: see `linePattern`. */
export interface LinePattern {
  /** True when something in the line matches; takes linear time. */
  test(text: string): boolean;
}

/** A line as it is shown. */
export type Screen = (line: string) => string;

/** A longer line is cut, in bytes. */
const MAX_LINE = 1024 * 1024;
/** What two parts of a longer line have in common, so that a match at the end of one is not missed. */
const OVERLAP = 64 * 1024;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

interface Part {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Takes one line after another. Of a long one it gives the first part in which something matches, else the beginning. */
export class LineBytes {
  readonly #screen: Screen;
  readonly #pattern: LinePattern | null;
  #parts: Uint8Array[] = [];
  /** Where in the line the bytes in `#parts` begin and end. */
  #from = 0;
  #to = 0;
  #size = 0;
  #first: Part | null = null;
  #found: Part | null = null;

  constructor(screen: Screen, pattern: LinePattern | null = null) {
    this.#screen = screen;
    this.#pattern = pattern;
  }

  /** True when the line has no bytes so far. */
  get isEmpty(): boolean {
    return this.#size === 0;
  }

  /** Takes the next bytes of the line; their memory may be used again. */
  add(bytes: Uint8Array): void {
    this.#size += bytes.length;
    for (let at = 0; at < bytes.length && this.#found === null;) {
      if (this.#to - this.#from === MAX_LINE) {
        this.#endPart();
        continue;
      }
      const part = bytes.slice(at, at + MAX_LINE - (this.#to - this.#from));
      this.#parts.push(part);
      this.#to += part.length;
      at += part.length;
    }
  }

  /** Text of the line, and room for the next one. */
  take(): string {
    const last = this.#part();
    const part = this.#found ?? (this.#first === null || this.#matches(last) ? last : this.#first);
    const text = this.#marked(part);
    this.#parts = [];
    this.#from = this.#to = this.#size = 0;
    this.#first = this.#found = null;
    return text;
  }

  /** A part is complete and the line goes on. */
  #endPart(): void {
    const part = this.#part();
    this.#first ??= part;
    if (this.#pattern === null || this.#matches(part)) {
      this.#found = part;
      this.#parts = [];
      return;
    }
    this.#parts = [joined(this.#parts).slice(-OVERLAP)];
    this.#from = this.#to - OVERLAP;
  }

  #part(): Part {
    const text = this.#screen(decoder.decode(joined(this.#parts)));
    return { text, from: this.#from, to: this.#to };
  }

  #matches(part: Part): boolean {
    return this.#pattern !== null && this.#pattern.test(this.#marked(part));
  }

  #marked({ text, from, to }: Part): string {
    const before = from > 0 ? byteMarker(from) : "";
    return before + text + (this.#size > to ? byteMarker(this.#size - to) : "");
  }
}
