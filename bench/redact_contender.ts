/**
 * One contender of `bench/redact.ts`, in a process of its own so that memory and processor time are its own:
 * `deno run -A bench/redact_contender.ts NAME BYTES [RULES]` reads a generated log and prints figures as JSON.
 */
import process from "node:process";
import { Redactor } from "../src/output/redact.ts";
import { parseRules, redactLines } from "./gitleaks_rules.ts";
import { secretLog } from "./redact_log.ts";

/** Bytes that arrive at once, as from a pipe. */
const CHUNK = 64 * 1024;
/** Share of lines with a secret. */
const SHARE = 0.001;

/** The peers, pinned; their names are put together here so that no lock file takes them for dependencies. */
const SECRETLINT = [
  "@secretlint/core@13.0.7",
  "@secretlint/secretlint-rule-preset-recommend@13.0.7",
];

/** Reads the log and says how many secrets it found. */
type Run = (log: Uint8Array) => number | Promise<number>;

function debrief(log: Uint8Array): number {
  const redactor = new Redactor();
  const stream = redactor.stream();
  for (let at = 0; at < log.length; at += CHUNK) stream.push(log.subarray(at, at + CHUNK));
  stream.finish();
  return Object.values(redactor.counts).reduce((sum, count) => sum + count, 0);
}

async function secretlint(): Promise<Run> {
  const [core, preset] = await Promise.all(SECRETLINT.map((name) => import(`npm:${name}`)));
  const id = "@secretlint/secretlint-rule-preset-recommend";
  const config = { rules: [{ id, rule: preset.creator }] };
  return async (log) => {
    let found = 0;
    const decoder = new TextDecoder();
    for (let at = 0; at < log.length; at += 16 * CHUNK) {
      const content = decoder.decode(log.subarray(at, at + 16 * CHUNK));
      const source = { content, filePath: "/log.txt", ext: ".txt", contentType: "text" };
      const options = { config, noPhysicFilePath: true };
      found += (await core.lintSource({ source, options })).messages.length;
    }
    return found;
  };
}

function gitleaks(file: string): Run {
  const { rules } = parseRules(Deno.readTextFileSync(file));
  return (log) => redactLines(new TextDecoder().decode(log), rules).found;
}

async function runOf(name: string, file: string): Promise<Run> {
  if (name === "secretlint") return await secretlint();
  return name === "gitleaks rules" ? gitleaks(file) : debrief;
}

const [name = "", bytes = "0", file = ""] = Deno.args;
const log = secretLog(Number(bytes), { share: SHARE });
const run = await runOf(name, file);
// The first megabyte warms up, and shows what the program costs before it reads.
await run(log.subarray(0, 1_000_000));
const before = { cpu: process.cpuUsage(), wall: performance.now() };
const found = await run(log);
const cpu = process.cpuUsage(before.cpu);
const peak = /VmHWM:\s+(\d+) kB/.exec(Deno.readTextFileSync("/proc/self/status"))?.[1];
// deno-lint-ignore no-console -- the figures are read by the parent
console.log(JSON.stringify({
  found,
  bytes: log.length,
  cpuSeconds: (cpu.user + cpu.system) / 1e6,
  wallSeconds: (performance.now() - before.wall) / 1e3,
  peakMb: Number(peak ?? 0) / 1024,
}));
