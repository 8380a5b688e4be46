/** What a session takes while it waits, and the size of the executable, against a compiled program that waits. */
import { compilePeer, EXECUTABLE, makePlace, type Place } from "./programs.ts";
import { residentTree } from "./resident.ts";
import type { BenchOptions, Section } from "./section.ts";

/** Waits for what never comes, as a session between two commands. */
const WAITING = `console.log("ready"); await Deno.stdin.read(new Uint8Array(1));`;

/** Time after the first sign of life, in ms: what is freed when idle is freed by then. */
const SETTLE_MS = 1500;

/** Name of the row that the target is about. */
export const IDLE = "debrief, a session after its first command";

async function idleMemory(
  argv: readonly string[],
  options: { readonly place: Place; readonly input: string; readonly sign: string },
): Promise<number> {
  const { place: { cwd, env }, input, sign } = options;
  const [path = "", ...args] = argv;
  const child = new Deno.Command(path, {
    args,
    cwd,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const reader = child.stdout.getReader();
  try {
    await writer.write(new TextEncoder().encode(input));
    const decoder = new TextDecoder();
    for (let seen = ""; !seen.includes(sign);) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`Cannot measure "${path}": it ended`);
      seen += decoder.decode(value, { stream: true });
    }
    await new Promise((settled) => setTimeout(settled, SETTLE_MS));
    return residentTree(child.pid);
  } finally {
    await writer.close().catch(() => {});
    await reader.cancel();
    await child.status;
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

async function repeated(times: number, measure: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let time = 0; time < times; time++) values.push(await measure());
  return median(values);
}

/** Measure. */
export async function* benchMemory({ rounds }: BenchOptions): AsyncGenerator<Section> {
  const place = makePlace();
  const times = rounds(5);
  try {
    const peer = await compilePeer(place.home, WAITING);
    const hello = await repeated(
      times,
      () => idleMemory([peer], { place, input: "", sign: "ready" }),
    );
    const idle = await repeated(
      times,
      () => idleMemory([EXECUTABLE], { place, input: "true\n", sign: "--- debrief" }),
    );
    const mib = (value: number) => `${value.toFixed(1)} MiB`;
    yield {
      title: "Idle memory, all processes (VmRSS)",
      figures: [
        { name: "a compiled program that waits", value: mib(hello), ratio: 1 },
        { name: IDLE, value: mib(idle), ratio: idle / hello },
      ],
    };
    const [base, own] = [peer, EXECUTABLE].map((path) => Deno.statSync(path).size / 1e6);
    yield {
      title: "Size of the executable",
      figures: [
        { name: "a compiled program that waits", value: `${base?.toFixed(1)} MB`, ratio: 1 },
        { name: "debrief", value: `${own?.toFixed(1)} MB`, ratio: own! / base! },
      ],
    };
  } finally {
    Deno.removeSync(place.home, { recursive: true });
  }
}
