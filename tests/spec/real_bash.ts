/** Real bash, as the measure of the replays. */
import type { Result } from "./replay_table.ts";

/** How bash is started. */
export interface BashOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A file that becomes standard input. */
  readonly stdin: string;
}

/**
 * Run bash without start-up files, in a session of its own, so that a script that signals its group does not reach the
 * test. `setsid`, `env` and `sh` replace themselves: the process that is waited for is bash. A session
 * that was opened in this process ignores SIGXFSZ, which its commands do not inherit and bash here would.
 */
export async function runBash(args: readonly string[], options: BashOptions): Promise<Result> {
  const { code, stdout, stderr } = await new Deno.Command("setsid", {
    args: [
      ...["env", "--default-signal=XFSZ", "sh", "-c", 'exec "$@" <"$0"', options.stdin],
      ...["bash", "--noprofile", "--norc", ...args],
    ],
    cwd: options.cwd,
    clearEnv: true,
    env: { ...options.env, PWD: options.cwd },
    stdin: "null",
    signal: AbortSignal.timeout(30_000),
  }).output();
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}

/** Output as text the way Debrief hands it over: what is not UTF-8 becomes U+FFFD; a byte order mark stays. */
export function decode(bytes: Uint8Array<ArrayBuffer>): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
