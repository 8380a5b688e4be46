/** Keeps the outputs of a running session, and all of a user, within bounds while commands come and go. */
import { pruneSpool, removeOutput } from "./spool_prune.ts";

/** Bounds in bytes. */
export interface SpoolLimits {
  /** For the outputs of one session, so that none drives out those of all others. */
  readonly session: number;
  /** For all outputs together. */
  readonly total: number;
  /** After how much new output the total is looked at, because that costs a walk. */
  readonly check: number;
}

/** A session that stores less is one of many short ones, of which every 32nd looks at the total, in bytes. */
const LITTLE = 1 << 20;

/** Counts what a session stores; the oldest goes first. */
export class SpoolQuota {
  readonly #directory: string;
  readonly #limits: SpoolLimits;
  readonly #own: { readonly id: string; readonly bytes: number }[] = [];
  #ownBytes = 0;
  #unchecked = 0;

  constructor(directory: string, limits: SpoolLimits) {
    this.#directory = directory;
    this.#limits = limits;
  }

  /**
   * Takes note of an output that is complete, and makes room. Room that cannot be made is no error of the command: the
   * next one tries again.
   */
  add(id: string, bytes: number): void {
    this.#own.push({ id, bytes });
    this.#ownBytes += bytes;
    this.#unchecked += bytes;
    try {
      while (this.#ownBytes > this.#limits.session && this.#own.length > 1) this.#removeOldest();
      if (this.#unchecked >= this.#limits.check) this.#checkTotal(id);
    } catch {
      // Also a directory that somebody else is clearing at the same time.
    }
  }

  #removeOldest(): void {
    const oldest = this.#own.shift();
    if (oldest === undefined) return;
    this.#ownBytes -= oldest.bytes;
    removeOutput(this.#directory, oldest.id);
  }

  /** Makes room for all when the session ends. @param last its last output, which stays. */
  end(last: string): void {
    // The last character is one of 32 that chance has chosen.
    if (this.#unchecked < LITTLE && !last.endsWith("0")) return;
    try {
      this.#checkTotal(last);
    } catch {
      // The next session tries again.
    }
  }

  #checkTotal(keep: string): void {
    this.#unchecked = 0;
    pruneSpool({ directory: this.#directory, maxBytes: this.#limits.total, keep: [keep] });
  }
}
