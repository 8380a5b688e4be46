/** In which order the lines of two streams arrived. */
import type { StreamName } from "./summary.ts";

interface Run {
  readonly sequence: number;
  to: number;
}

/** Runs that are kept; a stream's ring never holds lines of more. */
const MAX_RUNS = 64 * 1024;

/**
 * Numbers the runs in which one stream delivered bytes without the other in between. A single stream is one run, so its
 * numbers say nothing about chunks.
 */
export class Arrival {
  readonly #runs: Readonly<Record<StreamName, Run[]>> = { stdout: [], stderr: [] };
  #last: StreamName | null = null;
  #sequence = 0;

  /** Notes that a stream has delivered everything up to an offset. */
  note(stream: StreamName, to: number): void {
    const runs = this.#runs[stream];
    const current = runs[runs.length - 1];
    if (current !== undefined && this.#last === stream) {
      current.to = to;
      return;
    }
    this.#last = stream;
    runs.push({ sequence: ++this.#sequence, to });
    if (runs.length > 2 * MAX_RUNS) runs.splice(0, MAX_RUNS);
  }

  /** Number of the run that delivered the byte at an offset. */
  of(stream: StreamName, offset: number): number {
    const runs = this.#runs[stream];
    let low = 0;
    let high = runs.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((runs[middle] as Run).to > offset) high = middle;
      else low = middle + 1;
    }
    return runs[low]?.sequence ?? 0;
  }
}
