/** The line that a command has begun and not finished: what it asks, when it waits for an answer. */
import { renderLine } from "../output/screen.ts";
import type { StreamName } from "../output/summary.ts";
import type { Waiting } from "../feedback/job_report.ts";
import type { InputWait } from "../sandbox/input_watch.ts";

/** Bytes at a stream's end that are redacted together: the lines before tell whether this one is part of a key. */
const KEPT_BYTES = 32_768;
/** First size of the memory for them: few commands ever write more. */
const FIRST_BYTES = 1024;
/** Longest line that is a question, in characters; what is longer is not shown at all. */
const MAX_CHARS = 300;

/** The end of one stream, in memory that is used again: at full speed new memory for it costs more than the copy. */
class StreamEnd {
  #memory = new Uint8Array(0);
  #size = 0;

  push(bytes: Uint8Array): void {
    const last = bytes.subarray(-KEPT_BYTES);
    if (this.#size + last.length > this.#memory.length) this.#makeRoom(last.length);
    this.#memory.set(last, this.#size);
    this.#size += last.length;
  }

  /** Keeps what is still among the last bytes when `more` follow; twice the memory that needs, so that it is rare. */
  #makeRoom(more: number): void {
    const kept = Math.min(this.#size, KEPT_BYTES - more);
    const from = this.#size - kept;
    const needed = Math.min(2 * KEPT_BYTES, Math.max(FIRST_BYTES, 2 * (kept + more)));
    if (needed > this.#memory.length) {
      const grown = new Uint8Array(needed);
      grown.set(this.#memory.subarray(from, this.#size));
      this.#memory = grown;
    } else {
      this.#memory.copyWithin(0, from, this.#size);
    }
    this.#size = kept;
  }

  get #kept(): Uint8Array {
    return this.#memory.subarray(Math.max(0, this.#size - KEPT_BYTES), this.#size);
  }

  /** The unfinished line, redacted with what stands before it; empty when there is none. */
  line(redact: (text: string) => string): string {
    const text = redact(new TextDecoder().decode(this.#kept));
    if (text.length - text.lastIndexOf("\n") - 1 > 4 * MAX_CHARS) return "";
    // What is drawn in pieces, over and beside each other, is whole only on the screen.
    const screen = redact(text.split("\n").map((line) => renderLine(line)).join("\n"));
    const shown = screen.slice(screen.lastIndexOf("\n") + 1).trim();
    return shown.length > MAX_CHARS ? "" : shown;
  }
}

/** Keeps the end of what both streams have written. */
export class PromptLine {
  readonly #ends: Readonly<Record<StreamName, StreamEnd>> = {
    stdout: new StreamEnd(),
    stderr: new StreamEnd(),
  };
  #last: StreamName = "stdout";

  /** Take bytes of a stream; their memory may be used again afterwards. */
  push(stream: StreamName, bytes: Uint8Array): void {
    this.#last = stream;
    this.#ends[stream].push(bytes);
  }

  /**
   * The unfinished line of the stream that was written last, else of the other, as a terminal shows it; null when there is
   * none.
   */
  text(redact: (text: string) => string): string | null {
    const [out, err] = [this.#ends.stdout.line(redact), this.#ends.stderr.line(redact)];
    return (this.#last === "stdout" ? out || err : err || out) || null;
  }
}

/** What one command waits for. */
export class InputQuestion {
  readonly #line = new PromptLine();
  readonly #redact: (text: string) => string;
  readonly #onChange: (waits: Waiting | null) => void;
  #waits: Waiting | null = null;

  /** @param onChange told when it begins to wait, and when it does no longer. */
  constructor(
    redact: (text: string) => string,
    onChange: (waits: Waiting | null) => void,
  ) {
    this.#redact = redact;
    this.#onChange = onChange;
  }

  /** Null while it does not wait. */
  get waits(): Waiting | null {
    return this.#waits;
  }

  /** Output has arrived. */
  push(stream: StreamName, bytes: Uint8Array): void {
    this.#line.push(stream, bytes);
  }

  /**
   * Its processes begin to wait for input, or no longer do. One that waits until it can be read, but asks nothing, may
   * as well wait for something else.
   *
   * @returns true when it waits at a question.
   */
  take(wait: InputWait | null): boolean {
    const asks = wait === null ? null : this.#line.text(this.#redact);
    const waits = wait === null || (wait === "poll" && asks === null) ? null : { asks };
    if (waits !== null || this.#waits !== null) this.#onChange(waits);
    this.#waits = waits;
    return asks !== null;
  }
}
