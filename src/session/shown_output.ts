/** Output on its way to the front end: lines that look like a block are marked, also when they arrive in pieces. */
import { escapeLookalikes, mayBecomeLookalike } from "../feedback/fence.ts";
import type { StreamName } from "../output/summary.ts";
import type { EventSink } from "./events.ts";

/** What ends a line on some screen; the same set as in `escapeLookalikes`. */
const LINE_ENDS = /[\n\r\v\f\u0085\u2028\u2029]/;

/** One stream. Only a line that could still become a look-alike is held back until it is decided. */
export class FenceGuard {
  readonly #nonce: string;
  #held = "";
  /** True while the rest of a line follows whose beginning was passed on. */
  #inLine = false;

  constructor(nonce: string) {
    this.#nonce = nonce;
  }

  /** Take text; returns what may be shown. */
  push(text: string): string {
    const whole = this.#held + text;
    const rest = this.#inLine ? whole.search(LINE_ENDS) : 0;
    if (rest < 0) return whole;
    let last = whole.length;
    while (last > rest && !LINE_ENDS.test(whole.charAt(last - 1))) last--;
    const begun = whole.slice(last);
    const holds = begun !== "" && mayBecomeLookalike(begun);
    this.#held = holds ? begun : "";
    this.#inLine = begun !== "" && !holds;
    const end = holds ? last : whole.length;
    return whole.slice(0, rest) + escapeLookalikes(whole.slice(rest, end), this.#nonce);
  }

  /** What is held back at the end. */
  finish(): string {
    const held = this.#held;
    this.#held = "";
    return escapeLookalikes(held, this.#nonce);
  }
}

/** Both streams of one command, as events. */
export class ShownOutput {
  readonly #emit: EventSink;
  readonly #guards: Readonly<Record<StreamName, FenceGuard>>;

  constructor(emit: EventSink, nonce: string) {
    this.#emit = emit;
    this.#guards = { stdout: new FenceGuard(nonce), stderr: new FenceGuard(nonce) };
  }

  /** Take redacted text. */
  show({ stream, text }: { readonly stream: StreamName; readonly text: string }): void {
    this.#pass(stream, this.#guards[stream].push(text));
  }

  /** Show what is held back. */
  finish(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      this.#pass(stream, this.#guards[stream].finish());
    }
  }

  #pass(stream: StreamName, text: string): void {
    if (text !== "") this.#emit({ kind: "output", stream, text });
  }
}
