/** Output on its way to a reader that may be slower than the command, or never read at all. */

/** Who takes the output from here, and can be behind. */
export interface OutputFlow {
  /** Null when more can be taken now, else a promise that settles when it can; it never rejects. */
  ready(): Promise<void> | null;
  /** From now on nobody waits for a reader that takes nothing: what it leaves is dropped after a few seconds. */
  hurry(): void;
}

/** Remembers whether output is held back, and for how long it was. */
export class OutputHold {
  readonly #flow: OutputFlow | null;
  readonly #onRelease: (heldMs: number) => void;
  #held = false;
  #closed = false;

  /** @param onRelease called when output is taken again, with the time for which it was not. */
  constructor(flow: OutputFlow | null, onRelease: (heldMs: number) => void) {
    this.#flow = flow;
    this.#onRelease = onRelease;
  }

  /** True while nothing more can be taken. */
  get isHeld(): boolean {
    return this.#held;
  }

  /** Look whether more can be taken. */
  look(): void {
    const ready = this.#held ? null : this.#flow?.ready() ?? null;
    if (ready === null) return;
    this.#held = true;
    const since = performance.now();
    ready.then(() => {
      this.#held = false;
      if (!this.#closed) this.#onRelease(performance.now() - since);
    });
  }

  /** As `OutputFlow.hurry`. */
  hurry(): void {
    if (this.#held) this.#flow?.hurry();
  }

  /** Forget a release that is still to come. */
  close(): void {
    this.#closed = true;
  }
}
