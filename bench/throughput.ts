/**
 * A large output through everything: jail, redaction, screen, truncation, kept output and record. Peers are `wc` behind
 * the same pipe and a program on the same runtime that reads the pipe and does nothing else. Memory is the peak that the
 * kernel counted for the process (`VmHWM`).
 */
import { compare, type Contender, type Row } from "./compare.ts";

const EXECUTABLE = new URL("../dist/debrief", import.meta.url).pathname;
/** The row of a large output with everything that is done with it. */
export const PIPELINE = "debrief -c 'cat log'";

const MEGABYTE = 1_000_000;
/** Bytes of the file that is measured with; larger outputs are the same file several times. */
const FILE_BYTES = 1000 * MEGABYTE;
const ROUNDS = 3;
/** Outputs whose memory is compared, in megabytes. */
const SIZES = [10, 100, 1000, 4000] as const;

const READER = `
const child = new Deno.Command("cat", { args: [Deno.args[0]], stdout: "piped" }).spawn();
let bytes = 0;
for await (const chunk of child.stdout) bytes += chunk.length;
if (bytes === 0) Deno.exit(1);
`;

/** Peak memory of a process at one size of output. */
export interface Peak {
  readonly megabytes: number;
  readonly peakMiB: number;
}

/** What was measured. */
export interface Throughput {
  readonly rows: readonly Row[];
  readonly peaks: readonly Peak[];
}

/** A log of many different lines: a repeated line would flatter every cache. */
function writeLog(path: string, bytes: number): void {
  let random = 1;
  const next = (below: number) => {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    return random % below;
  };
  const words = "request handled by worker with status after retry from cache queue pool".split(
    " ",
  );
  let block = "";
  while (block.length < 8 * MEGABYTE) {
    const text = Array.from({ length: 3 + next(7) }, () => words[next(words.length)]).join(" ");
    block += `2026-11-0${1 + next(9)}T10:${10 + next(50)}:${10 + next(50)}Z [INFO] ${text} id=${
      next(1 << 30).toString(16)
    } took ${next(900)} ms\n`;
  }
  const encoded = new TextEncoder().encode(block);
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  for (let left = bytes; left > 0; left -= encoded.length) {
    for (let part = encoded.subarray(0, left); part.length > 0;) {
      part = part.subarray(file.writeSync(part));
    }
  }
}

function peakOf(pid: number): number {
  try {
    const text = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function run(path: string, options: Deno.CommandOptions): Promise<number> {
  const child = new Deno.Command(path, { ...options, stdout: "null", stderr: "null" }).spawn();
  let peak = 0;
  const timer = setInterval(() => peak = Math.max(peak, peakOf(child.pid)), 20);
  const { code } = await child.status;
  clearInterval(timer);
  if (code !== 0) throw new Error(`Cannot measure "${path}": status ${code}`);
  return peak;
}

/** Measure; null when `dist/debrief` is not built. */
export async function benchThroughput(): Promise<Throughput | null> {
  try {
    Deno.statSync(EXECUTABLE);
  } catch {
    return null;
  }
  const home = Deno.makeTempDirSync({ prefix: "debrief-bench-" });
  try {
    Deno.mkdirSync(`${home}/project/.git`, { recursive: true });
    const log = `${home}/project/log`;
    writeLog(log, FILE_BYTES);
    Deno.writeTextFileSync(`${home}/reader.ts`, READER);
    const options = {
      cwd: `${home}/project`,
      env: { HOME: home, PATH: "/usr/bin:/bin" },
      clearEnv: true,
    };
    const debrief = (script: string) => run(EXECUTABLE, { ...options, args: ["-c", script] });
    const contender = (name: string, act: () => Promise<unknown>): Contender => ({
      name,
      run: async () => void await act(),
    });
    const read = ["run", "--quiet", "--allow-run", "--allow-read", `${home}/reader.ts`, log];
    const rows = await compare([
      contender(
        "a pipe reader on the same runtime",
        () => run(Deno.execPath(), { ...options, args: read }),
      ),
      contender("cat | wc -l", () => run("bash", { ...options, args: ["-c", "cat log | wc -l"] })),
      contender(PIPELINE, () => debrief("cat log")),
    ], { rounds: ROUNDS, warmUp: 1 });
    const peaks: Peak[] = [];
    for (const megabytes of SIZES) {
      const files = Array(Math.ceil(megabytes / 1000)).fill("log").join(" ");
      const peakMiB = await debrief(`cat ${files} | head -c ${megabytes * MEGABYTE}`);
      peaks.push({ megabytes, peakMiB });
    }
    return { rows, peaks };
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}
