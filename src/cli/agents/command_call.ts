/** How a model asks an agent to run a command: through its own shell tool, or the one of `debrief mcp`. */
import type { AgentMode, AgentName } from "./agent_names.ts";
import type { OfferedTool, ToolCall } from "./dialogue.ts";

/** A tool by which commands are run. */
interface CommandTool extends OfferedTool {
  readonly input: (command: string) => Readonly<Record<string, unknown>>;
}

const described = (command: string) => ({ command, description: "a step of the script" });
const plain = (command: string) => ({ command });

const TOOLS: Readonly<Record<AgentName, Readonly<Record<AgentMode, CommandTool>>>> = {
  claude: {
    transparent: { name: "Bash", input: described },
    strict: { name: "mcp__debrief__run", input: plain },
  },
  codex: {
    transparent: {
      name: "exec_command",
      // Codex hands a command over as running after ten seconds unless it is told to wait; 30 s is its limit.
      input: (command) => ({ cmd: command, yield_time_ms: 30_000 }),
    },
    strict: { name: "run", namespace: "mcp__debrief", input: plain },
  },
  opencode: {
    transparent: { name: "bash", input: described },
    strict: { name: "debrief_run", input: plain },
  },
  gemini: {
    transparent: { name: "run_shell_command", input: described },
    strict: { name: "mcp_debrief_run", input: plain },
  },
};

/** The call that runs a command. */
export function commandCall(
  command: string,
  { agent, mode }: { readonly agent: AgentName; readonly mode: AgentMode },
): ToolCall {
  const { name, namespace, input } = TOOLS[agent][mode];
  return { name, ...(namespace === undefined ? {} : { namespace }), input: input(command) };
}
/** True when an agent offers the tool by which it runs commands in this mode. */
export function offersCommands(
  tools: readonly OfferedTool[],
  { agent, mode }: { readonly agent: AgentName; readonly mode: AgentMode },
): boolean {
  const { name, namespace } = TOOLS[agent][mode];
  return tools.some((tool) => tool.name === name && tool.namespace === namespace);
}
