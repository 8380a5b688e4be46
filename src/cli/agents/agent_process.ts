/**
 * Starting an agent's own program, unjailed: the one thing besides jails that Debrief starts, because its user typed
 * `debrief install` or `debrief doctor`. No command of an agent gets here.
 */

/** What is started. */
export interface AgentProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** After this many seconds it is ended. */
  readonly seconds: number;
}

/** A running agent, which ends with the scope, and all that it started with it. */
export interface RunningAgent extends AsyncDisposable {
  readonly child: Deno.ChildProcess;
}

/** What an agent said. */
export interface AgentAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes of each stream of an agent that are kept, from its end. */
const TAIL_BYTES = 64 * 1024;

/** Milliseconds for which streams are read after the agent has ended: something it started may hold them open. */
const DRAIN_MILLISECONDS = 1000;

/** Start an agent in a process group of its own: agents are scripts that start the program proper. */
export function startAgent(agent: AgentProcess): RunningAgent {
  const env = Object.entries(agent.environment).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  );
  const child = new Deno.Command("timeout", {
    args: ["--kill-after=2", String(agent.seconds), agent.program, ...agent.args],
    cwd: agent.cwd,
    clearEnv: true,
    env: Object.fromEntries(env),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return {
    child,
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGTERM");
      } catch {
        // It has ended by itself.
      }
      await child.status;
      await Promise.allSettled([child.stdout.cancel(), child.stderr.cancel()]);
    },
  };
}

async function tailOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string> {
  let tail = new Uint8Array();
  const keep = new WritableStream<Uint8Array>({
    write(chunk) {
      const joined = new Uint8Array(tail.length + chunk.length);
      joined.set(tail);
      joined.set(chunk, tail.length);
      tail = joined.subarray(-TAIL_BYTES);
    },
  });
  await stream.pipeTo(keep, { signal }).catch(() => {});
  return new TextDecoder().decode(tail);
}

/** Run an agent to its end. */
export async function runAgent(agent: AgentProcess, input: string): Promise<AgentAnswer> {
  await using running = startAgent(agent);
  const { stdin, stdout, stderr, status } = running.child;
  const drained = new AbortController();
  const streams = Promise.all([tailOf(stdout, drained.signal), tailOf(stderr, drained.signal)]);
  await new Blob([input]).stream().pipeTo(stdin).catch(() => {});
  const { code } = await status;
  const timer = setTimeout(() => drained.abort(), DRAIN_MILLISECONDS);
  const [out, err] = await streams;
  clearTimeout(timer);
  return { code, stdout: out, stderr: err };
}
