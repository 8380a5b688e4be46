/** Runs the program itself: the compiled one that `DEBRIEF_BINARY` names, else `main.ts` from the source. */
import { join } from "node:path/posix";
import type { TestPlace } from "../session/test_session.ts";

const ROOT = join(import.meta.dirname!, "../..");

/** How the program is started. */
export interface RunOptions {
  readonly place: TestPlace;
  /** Variables besides those of the place. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Text of standard input; without it there is nothing to read. */
  readonly stdin?: string;
}

/** What came of it. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where the source's packages are kept: with another HOME they would be fetched again. */
function cacheDirectory(): string {
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/", ".cache");
  return Deno.env.get("DENO_DIR") ?? join(cache, "deno");
}

/** Program and arguments that start Debrief. */
export function debriefWords(args: readonly string[]): readonly string[] {
  const binary = Deno.env.get("DEBRIEF_BINARY");
  if (binary) return [binary, ...args];
  const flags = ["run", "--quiet", "--no-prompt", "--cached-only", "--no-lock", "-A"];
  return [Deno.execPath(), ...flags, join(ROOT, "main.ts"), ...args];
}

/** The environment of such a process. */
export function processEnvironment({ place, env }: RunOptions): Record<string, string> {
  return { ...place.environment, DENO_DIR: cacheDirectory(), ...env };
}

/** Start Debrief with piped standard streams. */
export function startDebrief(args: readonly string[], options: RunOptions): Deno.ChildProcess {
  const [name, ...words] = debriefWords(args);
  return new Deno.Command(name!, {
    args: words,
    cwd: options.cwd ?? options.place.at("work"),
    clearEnv: true,
    env: processEnvironment(options),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Wait for a started process. */
export async function finished(child: Deno.ChildProcess): Promise<Result> {
  const { code, stdout, stderr } = await child.output();
  const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

/** Run Debrief to its end. */
export async function runDebrief(args: readonly string[], options: RunOptions): Promise<Result> {
  const child = startDebrief(args, options);
  const result = finished(child);
  // A program that ends without reading closes the pipe: that is its right.
  await new Blob([options.stdin ?? ""]).stream().pipeTo(child.stdin).catch(() => {});
  return await result;
}

/** Run a bash script in which `debrief` stands for the program. */
export async function runWithDebrief(script: string, options: RunOptions): Promise<Result> {
  const child = new Deno.Command("bash", {
    args: [
      "-c",
      `debrief() { "\${words[@]}" "$@"; }; words=("$@"); ${script}`,
      "bash",
      ...debriefWords([]),
    ],
    cwd: options.cwd ?? options.place.at("work"),
    clearEnv: true,
    env: processEnvironment(options),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return await finished(child);
}

/** Text from a stream until it holds what is waited for. @throws {Error} when the stream ends before. */
export async function waitForText(
  stream: ReadableStream<Uint8Array>,
  wanted: string,
): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    while (!text.includes(wanted)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`"${wanted}" did not come, but: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    return text;
  } finally {
    reader.releaseLock();
  }
}
