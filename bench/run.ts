/**
 * `deno task bench [--peers] [--quick] [NAME…]`: every benchmark, or those that are named. All of them, and not quickly,
 * write `bench/RESULTS.md`; `--peers` fetches other programs from the npm registry.
 */
import { parseArgs } from "@std/cli/parse-args";
import { benchCommand } from "./command.ts";
import type { Row } from "./compare.ts";
import { benchFilter } from "./filter.ts";
import { benchFlat } from "./flat.ts";
import { benchJail } from "./jail.ts";
import { benchAppend, benchRead } from "./journal.ts";
import { benchMemory } from "./memory.ts";
import { benchOutput } from "./output.ts";
import { benchParallel } from "./parallel.ts";
import { EXECUTABLE, isThere } from "./programs.ts";
import { benchProtect } from "./protect.ts";
import { acceptanceFigures, benchRedact } from "./redact.ts";
import { sectionText, targetsText, writeResults } from "./results.ts";
import { benchFirstPaint, benchKeys } from "./review.ts";
import type { BenchOptions, Section } from "./section.ts";
import { benchStart } from "./start.ts";
import { benchThroughput } from "./throughput.ts";

/** A quick look does this part of the rounds. */
const QUICK = 20;

type Bench = (options: BenchOptions) => AsyncGenerator<Section>;

function table(title: string, rows: readonly Row[] | null): Section {
  return rows === null ? { title, notes: ["dist/bundle is not built"] } : { title, rows };
}

async function* journal(): AsyncGenerator<Section> {
  yield table("Journal: one append", benchAppend());
  yield table("Journal: one reading", await benchRead());
}

async function* protect(): AsyncGenerator<Section> {
  yield table("Protected paths: 50,000 files, 20 nested repositories", await benchProtect());
}

async function* jail(): AsyncGenerator<Section> {
  for await (const { title, rows } of benchJail()) yield table(`Jail: ${title}`, rows);
}

async function* review(): AsyncGenerator<Section> {
  yield table("Review: first picture", await benchFirstPaint());
  yield table("Review: one key", await benchKeys());
}

async function* throughput(): AsyncGenerator<Section> {
  const measured = await benchThroughput();
  if (measured === null) return;
  yield table("A gigabyte of output", measured.rows);
  const figures = measured.peaks.map(({ megabytes, peakMiB }) => ({
    name: `peak memory at ${megabytes} MB of output`,
    value: `${peakMiB.toFixed(0)} MiB`,
    ratio: peakMiB / measured.peaks[0]!.peakMiB,
  }));
  yield { title: "Memory by output", figures };
}

async function* output({ peers }: BenchOptions): AsyncGenerator<Section> {
  yield { title: "Redaction", text: await benchRedact({ peers }) + "\n" + acceptanceFigures() };
  yield { title: "The output stage", text: benchOutput() };
}

/** In the order in which they are run: what is promised first. */
const BENCHES: Readonly<Record<string, Bench>> = {
  start: benchStart,
  command: benchCommand,
  parallel: benchParallel,
  memory: benchMemory,
  flat: benchFlat,
  journal,
  protect,
  jail,
  review,
  throughput,
  filter: benchFilter,
  output,
};

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text + "\n\n"));
}

const flags = parseArgs(Deno.args, { boolean: ["peers", "quick"], string: ["_"] });
const names = flags._.length === 0 ? Object.keys(BENCHES) : flags._.map(String);
const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
if (unknown !== undefined) {
  const known = Object.keys(BENCHES).join(", ");
  throw new Error(`Cannot run the benchmark "${unknown}": there are ${known}`);
}
if (!isThere(EXECUTABLE)) throw new Error("Cannot measure dist/debrief: deno task build makes it");
const { peers, quick } = flags;
const rounds = (full: number) => quick ? Math.max(3, Math.ceil(full / QUICK)) : full;
const sections: Section[] = [];
for (const name of names) {
  for await (const section of BENCHES[name]!({ peers, rounds })) {
    sections.push(section);
    print(sectionText(section));
  }
}
print(targetsText(sections));
if (flags._.length === 0 && !quick) {
  writeResults(sections, ["deno task bench", ...(peers ? ["--peers"] : [])].join(" "));
}
Deno.exit(0);
