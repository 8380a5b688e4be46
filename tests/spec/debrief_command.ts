/** Runs the program itself: the compiled one that `DEBRIEF_BINARY` names, else `main.ts` from the source. */
import { join } from "node:path/posix";
import type { CommandRecord } from "../../src/record/record.ts";
import { decode } from "./real_bash.ts";
import type { ReplayPlace } from "./replay_place.ts";
import type { Result } from "./replay_table.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** How the program is started. */
export interface DebriefOptions {
  readonly place: ReplayPlace;
  /** Text of standard input; without it there is nothing to read. */
  readonly stdin?: string;
  /** Variables besides those of the place. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory; that of the place when absent. */
  readonly cwd?: string;
  /** Where the block goes: `off` when absent, so that standard error is the command's alone; null gives no flag. */
  readonly block?: string | null;
}

/** What came of it. */
export interface DebriefResult extends Result {
  /** All records of the place's journal, oldest first. */
  readonly records: readonly CommandRecord[];
}

/** The words before Debrief's own arguments. */
function program(): readonly string[] {
  const binary = Deno.env.get("DEBRIEF_BINARY");
  if (binary) return [binary];
  const { tasks } = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json")));
  const [, flags = ""] = tasks.start.command.match(/^deno run (.*) main\.ts$/) ?? [];
  if (flags === "") {
    throw new Error('Cannot start Debrief: the task "start" is not "deno run FLAGS main.ts"');
  }
  return [Deno.execPath(), "run", "--no-lock", ...flags.split(" "), join(ROOT, "main.ts")];
}

/** Where the source's packages are kept: with another HOME they would be fetched again. */
function cacheDirectory(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/", ".cache");
  return Deno.env.get("DENO_DIR") ?? join(cache, "deno");
}

/** Run Debrief to its end. */
export async function runDebrief(
  args: readonly string[],
  options: DebriefOptions,
): Promise<DebriefResult> {
  const { place, stdin } = options;
  const [name, ...words] = program();
  const block = options.block === undefined ? "off" : options.block;
  const child = new Deno.Command(name!, {
    args: [...words, ...(block === null ? [] : ["--block", block]), ...args],
    cwd: options.cwd ?? place.cwd,
    clearEnv: true,
    env: { ...place.environment, DENO_DIR: cacheDirectory(), ...options.env },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  if (stdin !== undefined) {
    // A program that ends without reading closes the pipe: that is its right.
    await new Blob([stdin]).stream().pipeTo(child.stdin).catch(() => {});
  }
  const { code, stdout, stderr } = await output;
  return { code, stdout: decode(stdout), stderr: decode(stderr), records: place.records() };
}
