/** Programs as benchmarks start them. */
import { npmDenort } from "../tools/denort.ts";
import type { Contender } from "./compare.ts";

/** What is measured: `deno task build` writes it. */
export const EXECUTABLE = new URL("../dist/debrief", import.meta.url).pathname;

const BUILD_INFO = new URL("../dist/bundle/build_info.json", import.meta.url);

/** True when a file is there. */
export function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** The first of these programs that is there. */
export function firstThere(...paths: readonly string[]): string | null {
  return paths.find(isThere) ?? null;
}

/** Where and with what a program is started. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A home with an empty repository, outside of `/tmp`, where some peers refuse to work; the caller removes it. */
export function makePlace(): Place & { readonly home: string } {
  const base = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME") ?? ""}/.cache`;
  Deno.mkdirSync(base, { recursive: true });
  const home = Deno.makeTempDirSync({ dir: base, prefix: "debrief-bench-" });
  const cwd = `${home}/project`;
  Deno.mkdirSync(`${cwd}/.git`, { recursive: true });
  return { home, cwd, env: { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin", NO_COLOR: "1" } };
}

/** Run a program to its end. @throws {Error} when it fails. */
export async function runProgram(argv: readonly string[], { cwd, env }: Place): Promise<void> {
  const [path = "", ...args] = argv;
  const options = { args, cwd, env, clearEnv: true, stdin: "null", stdout: "null" } as const;
  const { code, stderr } = await new Deno.Command(path, options).output();
  if (code === 0) return;
  const said = new TextDecoder().decode(stderr).trim().slice(0, 300);
  throw new Error(`Cannot measure "${argv.join(" ")}": status ${code}: ${said}`);
}

/** A program as a contender. */
export function program(name: string, argv: readonly string[], place: Place): Contender {
  return { name, run: () => runProgram(argv, place) };
}

/** The Deno that the executable was compiled with, and what it needs for that. */
async function compiler(): Promise<{ words: readonly string[]; env: Record<string, string> }> {
  const info = isThere(BUILD_INFO.pathname) ? JSON.parse(Deno.readTextFileSync(BUILD_INFO)) : null;
  if (info?.denort !== "npm") return { words: [Deno.execPath()], env: {} };
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME") ?? ""}/.cache`;
  const fetchProgram = () => Promise.reject(new Error("Cannot compile: build dist/debrief again"));
  const path = await npmDenort({ cacheDir: `${cache}/debrief`, fetchProgram });
  const words = Deno.version.deno === info.deno
    ? [Deno.execPath()]
    : ["npx", "-y", `deno@${info.deno}`];
  return { words, env: { DENORT_BIN: path, DENO_TLS_CA_STORE: "mozilla,system" } };
}

/**
 * A program compiled as Debrief is, on the same base runtime.
 *
 * @throws {Error} when it cannot be compiled.
 */
export async function compilePeer(directory: string, source: string): Promise<string> {
  const path = `${directory}/peer-${source.length}`;
  Deno.writeTextFileSync(`${path}.ts`, source);
  const { words: [name = "", ...words], env } = await compiler();
  const flags = ["--quiet", "--no-check", "--no-config", "--no-lock", "--no-code-cache"];
  const args = [...words, "compile", ...flags, "--output", path, `${path}.ts`];
  const { success, stderr } = await new Deno.Command(name, { args, env, stdout: "null" }).output();
  if (!success) throw new Error(`Cannot compile a peer: ${new TextDecoder().decode(stderr)}`);
  return path;
}
