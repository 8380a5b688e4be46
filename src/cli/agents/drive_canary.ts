/** The strongest proof: the agent itself, with its own configuration, is asked by a scripted model to run the canary. */
import { agentInvocation } from "./agent_invocation.ts";
import type { AgentMode, AgentName } from "./agent_names.ts";
import { runAgent } from "./agent_process.ts";
import type { Canary } from "./canary.ts";
import { commandCall, offersCommands } from "./command_call.ts";
import { ModelApi, turnsInOrder } from "./model_api.ts";

/** What to drive, and where. */
export interface Drive {
  readonly agent: AgentName;
  readonly mode: AgentMode;
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** A directory of Debrief's own, beneath directories that only their owner can write to. */
  readonly scratch: string;
}

/** What the model saw. */
export interface Driven {
  /** What the agent answered to the model; null when it did not get that far. */
  readonly result: string | null;
  /** The agent's own shell tool was on offer. */
  readonly offersShell: boolean;
  /** The end of what the agent printed. */
  readonly said: string;
}

/** Seconds for one command; agents take up to twenty to start. */
const DRIVE_SECONDS = 120;

/** Drive the agent once. */
export async function driveCanary(drive: Drive, { command }: Canary): Promise<Driven> {
  const { agent, mode, program, cwd, scratch } = drive;
  const turn = { kind: "calls" as const, calls: [commandCall(command, { agent, mode })] };
  await using api = new ModelApi(turnsInOrder([turn], "The script has ended."));
  const { args, environment } = agentInvocation({ agent, url: api.url, scratch });
  const { stdout, stderr } = await runAgent({
    program,
    args,
    cwd,
    environment: { ...drive.environment, ...environment },
    seconds: DRIVE_SECONDS,
  }, "");
  return {
    result: api.results[0] ?? null,
    offersShell: api.requests.some(({ tools }) =>
      offersCommands(tools, { agent, mode: "transparent" })
    ),
    said: `${stdout}${stderr}`.trim().split("\n").slice(-8).join("\n"),
  };
}
