/** What a benchmark is asked for, and what it gives. */
import type { Row } from "./compare.ts";

/** How much is measured. */
export interface BenchOptions {
  /** True to fetch peers from the npm registry. */
  readonly peers: boolean;
  /** How often something is done, where a quick look does it less often. */
  readonly rounds: (full: number) => number;
}

/** One measured figure that is no time: bytes, or a ratio of two medians. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  /** To the first figure of the section, or as the name says. */
  readonly ratio?: number;
}

/** A table. */
export interface Section {
  readonly title: string;
  readonly rows?: readonly Row[];
  readonly figures?: readonly Figure[];
  /** Text that was laid out already. */
  readonly text?: string;
  /** What was not measured, and why. */
  readonly notes?: readonly string[];
}
