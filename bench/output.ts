/**
 * Throughput of the output stage, as a ratio to a bare pass over the same bytes (one loop that adds them up) in the same
 * run. Ratios can be compared between machines, megabytes per second cannot.
 */
import { OutputPipeline } from "../src/output/pipeline.ts";
import { Redactor } from "../src/output/redact.ts";
import { Spool } from "../src/output/spool.ts";

const CHUNK = 64 * 1024;
const ROUNDS = 5;
const BYTES = 64 * 1024 * 1024;
const BUDGET = { maxChars: 8000, maxLines: 200, maxTokens: 4000, spoolBytes: 16 * 1024 * 1024 };

const encoder = new TextEncoder();

function chunkOf(unit: string): Uint8Array {
  return encoder.encode(unit.repeat(Math.ceil(CHUNK / unit.length))).slice(0, CHUNK);
}

const INPUTS: Readonly<Record<string, Uint8Array>> = {
  "y": chunkOf("y\n"),
  "prose": chunkOf("The quick brown fox jumps over the lazy dog, 12345 times or more.\n"),
  "code": chunkOf('  const value = compute(first.second, "third"); // a comment: yes\n'),
  "json": chunkOf(
    '{"name": "left-pad", "version": "1.3.0", "files": ["a.js", "b.js"], "size": 1234}\n',
  ),
  "colours": chunkOf(
    "\x1b[32mok\x1b[0m module::test_of_something_longer ... \x1b[1m12 ms\x1b[0m\n",
  ),
  "errors": chunkOf("src/main.c:12:3: error: expected ';' before '}' token\n"),
  "secrets": chunkOf(`line of a log with password=${"hunter" + "22"}abc and more text after it\n`),
  "one line": chunkOf("0123456789abcdef"),
};

let sink = 0;

function barePass(chunk: Uint8Array): void {
  let sum = 0;
  for (let i = 0; i < chunk.length; i++) sum += chunk[i] as number;
  sink ^= sum;
}

/** Best of several rounds in megabytes per second, because everything that disturbs makes it slower. */
function measure(make: () => (chunk: Uint8Array) => void, chunk: Uint8Array): number {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const take = make();
    const count = BYTES / CHUNK / ROUNDS;
    const started = performance.now();
    for (let i = 0; i < count; i++) take(chunk);
    best = Math.max(best, count * CHUNK / 1e3 / (performance.now() - started));
  }
  return best;
}

function pipeline(spool: Spool | null): (chunk: Uint8Array) => void {
  const stage = new OutputPipeline({
    redactor: new Redactor(),
    budget: BUDGET,
    spool,
    show: () => {},
  });
  return (chunk) => stage.write("stdout", chunk);
}

function redaction(count: number): () => (chunk: Uint8Array) => void {
  const values = Array.from(
    { length: count },
    (_, i) => ({ name: `VALUE_${i}`, value: crypto.randomUUID() }),
  );
  return () => {
    const stream = new Redactor({ values }).stream();
    return (chunk) => void stream.push(chunk);
  };
}

/** Measure; a table for people. */
export function benchOutput(): string {
  const directory = Deno.makeTempDirSync();
  const rows = Object.entries(INPUTS).map(([input, chunk]) => {
    const bare = measure(() => barePass, chunk);
    const of = (rate: number) => `${rate.toFixed(0)} MB/s (${(rate / bare).toFixed(2)})`;
    return [
      input,
      `${bare.toFixed(0)} MB/s`,
      of(measure(redaction(0), chunk)),
      of(measure(redaction(20), chunk)),
      of(measure(() => pipeline(null), chunk)),
      of(measure(() => pipeline(new Spool({ directory, capBytes: BUDGET.spoolBytes })), chunk)),
    ];
  });
  Deno.removeSync(directory, { recursive: true });
  if (sink === 1) throw new Error("The bare pass was optimised away");
  const head = ["input", "bare pass", "redact", "with 20 values", "pipeline", "with spool"];
  return [head, ...rows].map((cells) => cells.map((cell) => cell.padEnd(18)).join("").trimEnd())
    .join("\n");
}
