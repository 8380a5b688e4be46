/** Paired timing: the rows of a table take turns, so that a slow moment of the machine hits all of them. */

import { syscall } from "../src/sandbox/linux/ffi.ts";

/** One thing to time. */
export interface Contender {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** Milliseconds of one contender over all rounds. */
export interface Row {
  readonly name: string;
  readonly median: number;
  /** The fastest round; absent where rounds were not timed one by one. */
  readonly min?: number;
  /** CPU time of this process and of the children it reaped: median in ms, and median of the ratios. */
  readonly cpu?: { readonly median: number; readonly ratio: number };
  readonly p99: number;
  /** Median of the pair-by-pair ratios to the first contender. */
  readonly ratio: number;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** `RUSAGE_SELF` (all threads) and `RUSAGE_CHILDREN` (those reaped), `linux/resource.h`. */
const WHOSE = [0, -1];

/** CPU time so far, in ms. */
function cpuMs(): number {
  // struct rusage begins with ru_utime and ru_stime, each of seconds and microseconds.
  const usage = new BigInt64Array(18);
  return WHOSE.reduce((total, who) => {
    syscall("getrusage", who, usage);
    const [userS, userUs, systemS, systemUs] = [...usage].map(Number) as number[];
    return total + (userS! + systemS!) * 1e3 + (userUs! + systemUs!) / 1e3;
  }, 0);
}

/** Time contenders in turns; the first one is the peer that the others are compared with. */
export async function compare(
  contenders: readonly Contender[],
  options: { readonly rounds: number; readonly warmUp: number },
): Promise<readonly Row[]> {
  const times = contenders.map(() => [] as number[]);
  const cpus = contenders.map(() => [] as number[]);
  for (let round = -options.warmUp; round < options.rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      const [cpuBefore, started] = [cpuMs(), performance.now()];
      await contender.run();
      const [ended, cpuAfter] = [performance.now(), cpuMs()];
      if (round < 0) continue;
      times[index]!.push(ended - started);
      cpus[index]!.push(cpuAfter - cpuBefore);
    }
  }
  const ratio = (values: readonly number[], peer: readonly number[]) =>
    quantile(values.map((value, round) => value / peer[round]!), 0.5);
  return contenders.map(({ name }, index) => ({
    name,
    median: quantile(times[index]!, 0.5),
    min: quantile(times[index]!, 0),
    p99: quantile(times[index]!, 0.99),
    ratio: ratio(times[index]!, times[0]!),
    cpu: { median: quantile(cpus[index]!, 0.5), ratio: ratio(cpus[index]!, cpus[0]!) },
  }));
}

function cells({ ratio, median, min, p99, cpu }: Row): readonly string[] {
  const ms = (value: number | undefined) => `${value?.toFixed(2) ?? "-"} ms`;
  const times = (value: number | undefined) => `${value?.toFixed(2) ?? "-"} x`;
  return [times(ratio), times(cpu?.ratio), ms(median), ms(min), ms(p99), ms(cpu?.median)];
}

/** A table for people: ratios first, because times belong to one machine on one day. */
export function render(title: string, rows: readonly Row[]): string {
  const head = ["time", "CPU", "median", "min", "p99", "CPU"];
  const table = [head, ...rows.map(cells)];
  const lines = table.map((row, index) =>
    [...row.map((cell) => cell.padStart(12)), ` ${rows[index - 1]?.name ?? ""}`].join("").trimEnd()
  );
  return [title, ...lines, ""].join("\n");
}
