/** Cold start of the executable against bash and against a compiled program that does nothing. */
import { compare, type Contender, type Row } from "./compare.ts";

const EXECUTABLE = new URL("../dist/debrief", import.meta.url).pathname;

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** A compiled program that prints one line; null when it cannot be made (no base runtime: set DENORT_BIN). */
function compilePeer(home: string): string | null {
  const path = `${home}/hello`;
  Deno.writeTextFileSync(`${path}.ts`, `console.log("hello")`);
  const args = [
    "compile",
    "--quiet",
    "--no-check",
    "--no-code-cache",
    "--output",
    path,
    `${path}.ts`,
  ];
  return new Deno.Command(Deno.execPath(), { args, stderr: "null" }).outputSync().success
    ? path
    : null;
}

/** Measure; null when `dist/debrief` is not built. */
export async function benchStart(): Promise<readonly Row[] | null> {
  if (!exists(EXECUTABLE)) return null;
  const home = Deno.makeTempDirSync({ prefix: "debrief-bench-" });
  Deno.mkdirSync(`${home}/project/.git`, { recursive: true });
  const contender = (name: string, path: string, args: readonly string[]): Contender => ({
    name,
    run: async () => {
      const env = { HOME: home, PATH: "/usr/bin:/bin" };
      const command = new Deno.Command(path, {
        args: [...args],
        cwd: `${home}/project`,
        env,
        clearEnv: true,
      });
      const { code } = await command.output();
      if (code !== 0) throw new Error(`Cannot measure "${name}": status ${code}`);
    },
  });
  try {
    const peer = compilePeer(home);
    return await compare([
      ...(peer === null ? [] : [contender("a compiled program that prints a line", peer, [])]),
      contender("bash -c true", "bash", ["-c", "true"]),
      contender("debrief --version", EXECUTABLE, ["--version"]),
      contender("debrief -c true", EXECUTABLE, ["-c", "true"]),
    ], { rounds: 30, warmUp: 3 });
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}
