/** Prints how jobs end, between commands: what a command prints is not interrupted. */
import type { SessionEvent } from "../session/events.ts";
import type { Printer } from "./printer.ts";

/** Holds back while a command runs. */
export class JobEvents {
  readonly #printer: Printer;
  readonly #onPrint: () => void;
  #held: SessionEvent[] | null = null;

  /** @param onPrint called after something was printed outside of a command. */
  constructor(printer: Printer, onPrint: () => void = () => {}) {
    this.#printer = printer;
    this.#onPrint = onPrint;
  }

  /** Take an event of a job; its output is printed on request only. */
  readonly take = (event: SessionEvent): void => {
    if (event.kind !== "finished") return;
    if (this.#held !== null) {
      this.#held.push(event);
      return;
    }
    this.#printer.print(event);
    this.#onPrint();
  };

  /** A command begins. */
  hold(): void {
    this.#held ??= [];
  }

  /** It has ended: print what came meanwhile. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const event of held) this.#printer.print(event);
  }
}
