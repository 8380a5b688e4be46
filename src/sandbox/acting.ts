/**
 * Keeps commands from holding up the thread that acts for them. A call on a file waits for the file's lock, which writers
 * of gigabytes keep for minutes, and while the main thread waits there no time limit runs and nothing is ended. So it
 * notes in shared memory when it begins and ends to act, and the jail's thread, which waits for orders, looks at that.
 */

/** Time between looks where no order says another, in ms. */
export const LOOK_MS = 1000;
/** Looks at one and the same act, until what makes it wait is ended. A shell that was stopped counts for one. */
const PATIENCE = 10;

/** What one thread does for commands, told to another one. */
export class Acting {
  /** What both threads share; it can be posted. */
  readonly memory: SharedArrayBuffer;
  /** The number of the act under way, 0 between two. */
  readonly #now: Uint32Array;
  #count = 0;
  #seen = 0;
  #looks = 0;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.memory = memory;
    this.#now = new Uint32Array(memory);
  }

  /** Do something of which the other thread knows that it is under way. It must be synchronous. */
  during<T>(act: () => T): T {
    this.#count = this.#count % 0xffffffff + 1;
    Atomics.store(this.#now, 0, this.#count);
    try {
      return act();
    } finally {
      Atomics.store(this.#now, 0, 0);
    }
  }

  /** Look from the other thread, every `LOOK_MS`. @returns true when one act has been under way for too long. */
  look(): boolean {
    const now = Atomics.load(this.#now, 0);
    this.#looks = now !== 0 && now === this.#seen ? this.#looks + 1 : 0;
    this.#seen = now;
    if (this.#looks < PATIENCE) return false;
    this.#looks = 0;
    return true;
  }
}
