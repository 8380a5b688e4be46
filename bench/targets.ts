/** What was promised, beside what was measured. */
import { IN_SESSION } from "./command.ts";
import { FILTER, FILTER_RATE, MASK } from "./filter.ts";
import { JAILED, TOLD } from "./jail.ts";
import { IDLE } from "./memory.ts";
import { FIRST_PICTURE } from "./review.ts";
import type { Section } from "./section.ts";
import { COLD } from "./start.ts";
import { PIPELINE } from "./throughput.ts";

/** A bound on a ratio to a row of the same section. */
interface Target {
  readonly what: string;
  readonly row: string;
  /** The row that it is compared with; the first one when absent, none when null. A prefix is enough. */
  readonly peer?: string | null;
  /** The largest ratio; where there is none, `least` is the smallest. */
  readonly most?: number;
  readonly least?: number;
}

const TARGETS: readonly Target[] = [
  { what: "cold start / compiled hello world", row: COLD, most: 1.35 },
  { what: "cold start / codex sandbox", row: COLD, peer: "codex sandbox", most: 1 },
  { what: "command in a session / bare bash", row: IN_SESSION, most: 2 },
  { what: "idle session / compiled hello world", row: IDLE, most: 1.8 },
  { what: "jailed start / posix_spawn", row: JAILED, most: 1.3 },
  { what: "jailed start, told of before / posix_spawn", row: TOLD, most: 1.3 },
  // 0.6 of the reader's throughput.
  { what: "a gigabyte with all stages / bare reader", row: PIPELINE, most: 1.67 },
  {
    what: "memory at 4 GB of output / at 100 MB",
    row: "peak memory at 4000 MB of output",
    peer: "peak memory at 100 MB of output",
    most: 1.1,
  },
  { what: "redaction of 50 MB / secretlint's", row: FILTER, peer: MASK, most: 0.1 },
  { what: FILTER_RATE, row: FILTER_RATE, peer: null, least: 1 },
  { what: "review's first picture / ink's hello world", row: FIRST_PICTURE, most: 1.5 },
];

/** Ratios of the time and, where it was measured, of the CPU time. */
function ratiosOf(section: Section, { row, peer }: Target): readonly number[] | null {
  const rows = [...section.rows ?? [], ...section.figures ?? []];
  const found = rows.find(({ name }) => name === row);
  if (peer === null) return found?.ratio === undefined ? null : [found.ratio];
  const other = rows.find(({ name }, index) => peer ? name.startsWith(peer) : index === 0);
  if (found?.ratio === undefined || other?.ratio === undefined) return null;
  const cpu = "cpu" in found && "cpu" in other && found.cpu && other.cpu
    ? [found.cpu.ratio / other.cpu.ratio]
    : [];
  return [found.ratio / other.ratio, ...cpu];
}

/** One line for each target that was measured: the ratio of wall time or memory decides, that of CPU time is beside it. */
export function targetLines(sections: readonly Section[]): readonly string[] {
  return TARGETS.flatMap((target) => {
    const ratios = sections.map((section) => ratiosOf(section, target)).find((found) => found);
    if (!ratios) return [];
    const [ratio = NaN, cpu] = ratios;
    const { most = Infinity, least = 0, what } = target;
    const verdict = ratio <= most && ratio >= least ? "met" : "MISSED";
    const beside = cpu === undefined ? "" : `, CPU ${cpu.toFixed(2)} x`;
    const bound = target.most === undefined ? `at least ${least}` : `at most ${most}`;
    return `${verdict.padEnd(7)} ${ratio.toFixed(2)} x${beside}, ${bound} x: ${what}`;
  });
}
