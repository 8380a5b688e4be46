/** Reads the lines of a private key from a text that arrives in parts. */
import type { KeyStep } from "./private_key.ts";
import { LINE_FEED } from "./ascii.ts";
import { END, PENDING, type ViewText } from "./view_text.ts";

/** A kind of key that is read line by line. */
export interface KeyLines {
  readonly identity: string;
  readonly body: readonly string[];
  /** Bytes of the next line that are to be given at once. */
  readonly reach: number;
  step(line: string, isCut: boolean): KeyStep;
}

/** An open key; positions are absolute. */
export class PrivateKeyReader {
  readonly key: KeyLines;
  /** Where its BEGIN marker begins. */
  readonly start: number;
  /** Where the next line begins that has to be judged. */
  at: number;
  /** What was read and is no END reaches up to here. */
  readTo: number;
  readonly #text: ViewText;
  #end: number;

  constructor(text: ViewText, place: { start: number; at: number; key: KeyLines }) {
    this.key = place.key;
    this.#text = text;
    this.start = place.start;
    this.at = place.at;
    this.readTo = place.at;
    this.#end = place.at;
  }

  /** Reads on; returns where the key ends, or -1 when more lines are needed. */
  read(): number {
    for (;;) {
      const end = this.#text.windowEnd(this.at, this.key.reach);
      if (end < 0) return -1;
      const next = this.#text.at(end);
      if (next === PENDING) return -1;
      const isCut = next !== LINE_FEED && next !== END;
      const step = this.key.step(this.#text.latin1(this.at, end), isCut);
      this.readTo = end;
      if (step.kind === "end") return this.at + step.length;
      if (step.kind === "stop") return this.#end;
      this.#end = end;
      if (next === END) return end;
      this.at = isCut ? end : end + 1;
    }
  }
}
