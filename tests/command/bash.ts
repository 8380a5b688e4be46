/** Runs the real bash, in a directory of its own and with no programs to find, for replaying what the parser says. */
const BASH = "/bin/bash";

/** What bash's own parser makes of a text. */
export type Verdict = "valid" | "invalid" | "unfinished";

/** Asks `bash -n`. An unfinished here-document counts as unfinished, though bash would run it. */
export function bashVerdict(source: string): Verdict {
  const { code, stderr } = new Deno.Command(BASH, {
    args: ["--noprofile", "--norc", "-n", "-c", "--", source],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    env: { LC_ALL: "C.UTF-8", PATH: "/nonexistent" },
    clearEnv: true,
  }).outputSync();
  const message = new TextDecoder().decode(stderr);
  if (
    /unexpected end of file|unexpected EOF|delimited by end-of-file|unexpected token `EOF'/.test(
      message,
    )
  ) {
    return "unfinished";
  }
  return code === 0 && message === "" ? "valid" : "invalid";
}

/** Runs a script in bash and returns its standard output. */
export function bashOutput(
  source: string,
  options: { env?: Record<string, string>; cwd?: string } = {},
): Uint8Array {
  const { stdout } = new Deno.Command(BASH, {
    args: ["--noprofile", "--norc", "-c", "--", source],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    clearEnv: true,
    cwd: options.cwd,
    env: { LC_ALL: "C.UTF-8", PATH: "/usr/bin:/bin", ...options.env },
  }).outputSync();
  return stdout;
}

/** The names that a script makes bash look for, where no program exists: `handler` is told each. */
export function bashStarts(source: string, cwd: string): string[] {
  const log = `${cwd}/${crypto.randomUUID()}`;
  const handler =
    `command_not_found_handle() { printf '%s\\0' "$1" >>'${log}'; return $((RANDOM % 2)); }\n`;
  new Deno.Command("/usr/bin/timeout", {
    args: ["-s", "KILL", "2", BASH, "--noprofile", "--norc", "-c", "--", handler + source],
    stdin: "null",
    stdout: "null",
    stderr: "null",
    clearEnv: true,
    cwd,
    env: { LC_ALL: "C.UTF-8", PATH: "/nonexistent", HOME: cwd },
  }).outputSync();
  try {
    return Deno.readTextFileSync(log).split("\0").filter((name) => name !== "");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
