/** How a Deno command is run. */
export interface RunOptions {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A Deno command that failed, with what it wrote to standard error. */
export class DenoCommandError extends Error {
  override name = "DenoCommandError";
  readonly stderr: string;

  /** Takes the command line and its standard error. */
  constructor(command: readonly string[], stderr: string) {
    super(`Cannot run "${command.join(" ")}": ${stderr.trim()}`);
    this.stderr = stderr;
  }
}

/**
 * Runs Deno quietly to its end. Deno 2.7 reads the system's certificates only if it is told to, so
 * it is, unless the environment chooses otherwise.
 *
 * @param deno Command line of the Deno to run.
 * @throws {DenoCommandError} when it fails.
 */
export async function runDeno(deno: readonly string[], options: RunOptions): Promise<void> {
  const [program = "deno", ...before] = deno;
  const args = [...before, ...options.args];
  const { success, stderr } = await new Deno.Command(program, {
    args,
    cwd: options.cwd,
    env: {
      DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") ?? "mozilla,system",
      NO_COLOR: "1",
      ...options.env,
    },
    stdin: "null",
    stdout: "null",
  }).output();
  if (!success) throw new DenoCommandError([program, ...args], new TextDecoder().decode(stderr));
}
