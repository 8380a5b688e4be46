/**
 * The journal: what one append costs over 100,000 of them, and what a reader of the last 20 records costs in a full set of
 * rotated files. The peers do the least that could do: one write of the same line, one parse of 20 such lines.
 */
import { Journal } from "../src/record/journal.ts";
import { findRecord, readNewest } from "../src/record/read.ts";
import type { CommandRecord } from "../src/record/record.ts";
import { compare, type Row } from "./compare.ts";

const APPENDS = 100_000;

/** Appends of one row, so that a cost that grows would show between rows. */
const BLOCK = 20_000;

/** Enough records of this size fill all rotations. */
const FULL = 6_000;

/** A typical record: a short command with a screen of output. */
export function typical(index: number): Omit<CommandRecord, "prev"> {
  return {
    version: 1,
    command_id: `c${index}`,
    parent_command_id: null,
    parent_by: null,
    session_id: "s0000001",
    task_id: null,
    command: ["deno", "test"],
    argv: ["/usr/bin/deno", "test"],
    cwd: "/home/you/project",
    started_at: new Date(1.7e12 + index).toISOString(),
    duration_ms: 1_234,
    exit_code: 0,
    signal: null,
    error: null,
    stdout_tail: "test something that is as long as tests are ... ok (12ms)\n".repeat(12),
    stderr_tail: "",
    truncations: { stdout: null, stderr: null },
    redactions: {},
    bytes: { stdout: 700, stderr: 0 },
    lines: { stdout: 12, stderr: 0 },
    agent_note: null,
    outcome: { kind: "success", reason: "ok" },
    suggestions: [],
    feedback: [],
    sandbox: {
      backend: "kernel",
      landlockAbi: 6,
      policy: "default",
      enforced: { read: "kernel", write: "kernel", net: "kernel", env: "checked", run: "checked" },
      proof: { noNewPrivs: 1, seccomp: 2, capEff: "0000000000000000" },
    },
    denials: [],
    changed: [],
    jobs: [],
    output_id: `c${index}`,
  };
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Times single calls in turns of a block; the ratio is that of the medians to the peer's. */
function timeBlock(name: string, run: (index: number) => void, first: number): Omit<Row, "ratio"> {
  const times = new Float64Array(BLOCK);
  for (let index = 0; index < BLOCK; index++) {
    const started = performance.now();
    run(first + index);
    times[index] = performance.now() - started;
  }
  times.sort();
  return { name, median: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** Measure appends, in blocks over all of them; the first row is a bare write. */
export function benchAppend(): readonly Row[] {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-bench-" });
  Deno.chmodSync(directory, 0o700);
  const bare = Deno.openSync(`${directory}/bare`, { create: true, append: true });
  const encoder = new TextEncoder();
  try {
    using journal = Journal.open({ directory });
    const rows = [timeBlock("one write of the line, bare", (index) => {
      bare.writeSync(encoder.encode(JSON.stringify(typical(index)) + "\n"));
    }, 0)];
    for (let first = 0; first < APPENDS; first += BLOCK) {
      const name = `append ${first + 1} to ${first + BLOCK}: locked, chained, rotated`;
      rows.push(timeBlock(name, (index) => void journal.append(typical(index)), first));
    }
    const peer = rows[0]?.median ?? NaN;
    return rows.map((row) => ({ ...row, ratio: row.median / peer }));
  } finally {
    bare.close();
    Deno.removeSync(directory, { recursive: true });
  }
}

/** Measure readers of a full set of rotated files; the first row parses 20 lines. */
export async function benchRead(): Promise<readonly Row[]> {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-bench-" });
  Deno.chmodSync(directory, 0o700);
  try {
    {
      using journal = Journal.open({ directory });
      for (let index = 0; index < FULL; index++) journal.append(typical(index));
    }
    Deno.statSync(`${directory}/journal.jsonl.5`);
    const lines = Array.from({ length: 20 }, (_, index) => JSON.stringify(typical(index)));
    const run = (name: string, work: () => void) => ({
      name,
      run: () => {
        work();
        return Promise.resolve();
      },
    });
    return await compare([
      run("parse 20 lines, bare", () => lines.forEach((line) => JSON.parse(line))),
      run("the last 20 of 6 MB", () => void readNewest({ directory, limit: 20 })),
      run(
        "the last 20 of a task that is not there: all of 6 MB",
        () => void readNewest({ directory, limit: 20, task: "none" }),
      ),
      run("one record by its id", () => void findRecord({ directory, id: `c${FULL - 9}` })),
    ], { rounds: 50, warmUp: 5 });
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}
