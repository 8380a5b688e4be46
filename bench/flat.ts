/** Whether a long session stays as fast and as small as it began: 10,000 commands through the executable. */
import { EXECUTABLE, makePlace } from "./programs.ts";
import { residentTree } from "./resident.ts";
import type { BenchOptions, Figure, Section } from "./section.ts";

const COMMANDS = 10_000;
/** Commands that are looked at together. */
const PARTS = 10;

/** `USER_HZ`, in which `/proc` counts CPU time; 100 on every architecture that Linux runs on today. */
const TICKS_PER_SECOND = 100;

/** CPU time of a process and of the children that it reaped, in ms: fields 14 to 17 of `proc_pid_stat(5)`. */
function cpuMsOf(pid: number): number {
  const text = Deno.readTextFileSync(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ").slice(11, 15).map(Number);
  return fields.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND * 1000;
}

/** The state of a session after a part of its commands. */
interface Mark {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly memory: number;
}

/** Counts blocks in a session's output. */
class Blocks {
  readonly #decoder = new TextDecoder();
  #line = "";
  #count = 0;

  /** How many began so far. */
  take(bytes: Uint8Array): number {
    const lines = (this.#line + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#line = lines.pop() ?? "";
    this.#count += lines.filter((line) => /^--- debrief .*exit /.test(line)).length;
    return this.#count;
  }
}

async function marksOf(child: Deno.ChildProcess, each: number): Promise<readonly Mark[]> {
  const blocks = new Blocks();
  const marks: Mark[] = [];
  const mark = () =>
    marks.push({
      wallMs: performance.now(),
      cpuMs: cpuMsOf(child.pid),
      memory: residentTree(child.pid),
    });
  for await (const bytes of child.stdout) {
    const count = blocks.take(bytes);
    if (marks.length === 0 && count > 0) mark();
    else if (count >= marks.length * each) mark();
  }
  return marks;
}

function figuresOf(marks: readonly Mark[], each: number): readonly Figure[] {
  const parts = marks.slice(1).map((mark, index) => ({
    wall: (mark.wallMs - marks[index]!.wallMs) / each,
    cpu: (mark.cpuMs - marks[index]!.cpuMs) / each,
    memory: mark.memory,
  }));
  const [first] = parts;
  return parts.map(({ wall, cpu, memory }, index) => ({
    name: `commands ${index * each + 1} to ${(index + 1) * each}`,
    value: `${wall.toFixed(2)} ms, ${cpu.toFixed(2)} ms CPU, ${memory.toFixed(0)} MiB`,
    ratio: cpu / first!.cpu,
  }));
}

/** Measure. The ratio is that of the CPU time for each command to that of the first part. */
export async function* benchFlat({ rounds }: BenchOptions): AsyncGenerator<Section> {
  const place = makePlace();
  const each = rounds(COMMANDS) / PARTS;
  const child = new Deno.Command(EXECUTABLE, {
    cwd: place.cwd,
    env: { ...place.env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    const writer = child.stdin.getWriter();
    const text = Array.from({ length: each * PARTS }, (_, index) => `: ${index}\n`).join("");
    const fed = writer.write(new TextEncoder().encode(text)).then(() => writer.close());
    const marks = await marksOf(child, each);
    await fed;
    yield { title: `${each * PARTS} commands in one session`, figures: figuresOf(marks, each) };
  } finally {
    await child.status;
    Deno.removeSync(place.home, { recursive: true });
  }
}
