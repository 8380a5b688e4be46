/**
 * `debrief redact` as its users run it, against secretlint as its users run it: programs, from start to end, over the same
 * log. secretlint hides with `--format=mask-result`; its usual format only says where something is.
 */
import { compare, type Contender, type Row } from "./compare.ts";
import { installPeers } from "./peers.ts";
import { EXECUTABLE, makePlace, type Place, runProgram } from "./programs.ts";
import { secretLog } from "./redact_log.ts";
import type { BenchOptions, Figure, Section } from "./section.ts";

/** Row of the 50 MB log. */
export const FILTER = "debrief redact";
/** Row of secretlint when it hides what it finds. */
export const MASK = "secretlint --format=mask-result";
/** Figure that is compared with what was promised. */
export const FILTER_RATE = "throughput of debrief redact, of 150 MB/s";

const MEGABYTE = 1_000_000;
const LOG_MB = 50;
/** How often the log is repeated for the throughput, by other logs of the same kind. */
const LOGS = 10;
const PROMISED_MB = 150;
/** Share of lines with a secret. */
const SHARE = 0.001;
const ROUNDS = 5;
const PACKAGES = [
  "secretlint@13.0.6",
  "@secretlint/secretlint-rule-preset-recommend@13.0.6",
];
const CONFIG = { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend" }] };

/** A contender: a line of shell that reads `$LOG` and writes to its standard output. */
interface Filter {
  readonly name: string;
  readonly script: string;
}

function shell(place: Place, { name, script }: Filter): Contender {
  return { name, run: () => runProgram(["/bin/bash", "-c", `{ ${script}; } >/dev/null`], place) };
}

/** Lines of the log that are not in the output as they were. */
async function changedLines(place: Place, { script }: Filter, log: string): Promise<number> {
  const output = `${log}.out`;
  await runProgram(["/bin/bash", "-c", `{ ${script}; } >'${output}'`], place);
  const [before, after] = [log, output].map((path) => Deno.readTextFileSync(path).split("\n"));
  Deno.removeSync(output);
  const left = new Set(after);
  return before!.filter((line) => !left.has(line)).length;
}

function rate({ median }: Row, megabytes: number): Figure {
  const perSecond = megabytes / (median / 1000);
  return {
    name: FILTER_RATE,
    value: `${perSecond.toFixed(0)} MB/s`,
    ratio: perSecond / PROMISED_MB,
  };
}

/** Measure. The log of the throughput has other secrets in each of its parts. */
export async function* benchFilter({ peers, rounds }: BenchOptions): AsyncGenerator<Section> {
  const made = makePlace();
  try {
    const [log, long] = [`${made.home}/log.txt`, `${made.home}/long.txt`];
    Deno.writeFileSync(log, secretLog(LOG_MB * MEGABYTE, { share: SHARE }));
    for (let seed = 1; seed <= LOGS; seed++) {
      const part = secretLog(LOG_MB * MEGABYTE, { share: SHARE, seed });
      Deno.writeFileSync(long, part, { append: true });
    }
    Deno.writeTextFileSync(`${made.cwd}/.secretlintrc.json`, JSON.stringify(CONFIG));
    const bin = peers ? installPeers(PACKAGES) : "";
    const env = { ...made.env, LOG: log, LONG: long, BIN: bin, DEBRIEF: EXECUTABLE };
    const place = { cwd: made.cwd, env };
    const all: readonly Filter[] = [
      { name: FILTER, script: '"$DEBRIEF" redact <"$LOG"' },
      // Its status is 1 when it finds something.
      ...(peers
        ? [
          { name: MASK, script: `"$BIN/secretlint" --format=mask-result "$LOG" || [ $? = 1 ]` },
          {
            name: "secretlint, which hides nothing",
            script: `"$BIN/secretlint" --format=compact "$LOG" || [ $? = 1 ]`,
          },
        ]
        : []),
    ];
    const rows = await compare(all.map((one) => shell(place, one)), {
      rounds: rounds(ROUNDS),
      warmUp: 1,
    });
    const whole = { name: "", script: '"$DEBRIEF" redact <"$LONG"' };
    const [row] = await compare([shell(place, whole)], { rounds: rounds(ROUNDS), warmUp: 1 });
    const figures: Figure[] = [rate(row!, LOGS * LOG_MB)];
    for (const one of all.slice(0, 2)) {
      const value = String(await changedLines(place, one, log));
      figures.push({ name: `lines that ${one.name} changed`, value });
    }
    yield {
      title: `Redaction of ${LOG_MB} MB with 0.1 % secret lines, start included`,
      rows,
      figures,
    };
  } finally {
    Deno.removeSync(made.home, { recursive: true });
  }
}
