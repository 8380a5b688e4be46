/** Paired timing: the rows of a table take turns, so that a slow moment of the machine hits all of them. */

/** One thing to time. */
export interface Contender {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Milliseconds of one contender over all rounds. */
export interface Row {
  readonly name: string;
  readonly median: number;
  readonly p99: number;
  /** Median of the pair-by-pair ratios to the first contender. */
  readonly ratio: number;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Time contenders in turns; the first one is the peer that the others are compared with. */
export async function compare(
  contenders: readonly Contender[],
  options: { readonly rounds: number; readonly warmUp: number },
): Promise<readonly Row[]> {
  const times = contenders.map(() => [] as number[]);
  for (let round = -options.warmUp; round < options.rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const started = performance.now();
      await contender.run();
      if (round >= 0) times[index]!.push(performance.now() - started);
    }
  }
  return contenders.map(({ name }, index) => ({
    name,
    median: quantile(times[index]!, 0.5),
    p99: quantile(times[index]!, 0.99),
    ratio: quantile(times[index]!.map((time, round) => time / times[0]![round]!), 0.5),
  }));
}

/** A table for people: ratios first, because times belong to one machine on one day. */
export function render(title: string, rows: readonly Row[]): string {
  const lines = rows.map(({ name, ratio, median, p99 }) =>
    `  ${ratio.toFixed(2).padStart(6)} x  ${median.toFixed(2).padStart(9)} ms  p99 ${
      p99.toFixed(2).padStart(9)
    } ms  ${name}`
  );
  return [title, ...lines, ""].join("\n");
}
