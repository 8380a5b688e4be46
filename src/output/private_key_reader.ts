/** Reads the lines of a private key from a text that arrives in parts. */
import { type KeyStep, MAX_KEY } from "./private_key.ts";
import type { ViewText } from "./view_text.ts";

/** A kind of key that is read line by line. */
export interface KeyLines {
  readonly identity: string;
  readonly body: readonly string[];
  step(line: string): KeyStep;
}

/** An open key; positions are absolute. */
export class PrivateKeyReader {
  readonly key: KeyLines;
  /** Where its BEGIN marker begins. */
  readonly start: number;
  /** Where the next line begins that has to be judged. */
  at: number;
  readonly #text: ViewText;
  #end: number;

  constructor(text: ViewText, place: { start: number; at: number; key: KeyLines }) {
    this.key = place.key;
    this.#text = text;
    this.start = place.start;
    this.at = place.at;
    this.#end = place.at;
  }

  /** Reads on; returns where the key ends, or -1 when more lines are needed. */
  read(): number {
    for (;;) {
      const end = this.#text.windowEnd(this.at, MAX_KEY);
      if (end < 0) return -1;
      const step = this.key.step(this.#text.latin1(this.at, end));
      if (step.kind === "end") return this.at + step.length;
      if (step.kind === "stop") return this.#end;
      this.#end = end;
      if (end === this.#text.end) return end;
      this.at = end + 1;
    }
  }
}
