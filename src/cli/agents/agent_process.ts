/**
 * Starting an agent's own program, unjailed: the one thing besides jails that Debrief starts, because its user typed
 * `debrief install` or `debrief doctor`. No command of an agent gets here.
 */

/** What is started. */
export interface AgentProcess {
  /** The program, absolute. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: "piped" | "null";
  /** After this many milliseconds it is killed. */
  readonly milliseconds: number;
}

/** A running agent, which ends with the scope. */
export interface RunningAgent extends AsyncDisposable {
  readonly child: Deno.ChildProcess;
}

/** Start an agent; standard error is piped only where it is to be read, so that nothing waits for a reader. */
export function startAgent(agent: AgentProcess): RunningAgent {
  const env = Object.entries(agent.environment).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  );
  const child = new Deno.Command(agent.program, {
    args: [...agent.args],
    cwd: agent.cwd,
    clearEnv: true,
    env: Object.fromEntries(env),
    stdin: agent.stdin,
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const kill = () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(kill, agent.milliseconds);
  return {
    child,
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      kill();
      await child.status;
    },
  };
}
