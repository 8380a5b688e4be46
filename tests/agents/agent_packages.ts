/** The agents that are tried, from the npm registry, in pinned versions, installed into a cache. */
import type { AgentName } from "../../src/cli/agents/agent_names.ts";
import { installedProgram, type NpmPackage } from "../spec/npm_package.ts";

const PACKAGES: Readonly<Record<AgentName, NpmPackage>> = {
  claude: {
    name: "@anthropic-ai/claude-code",
    version: "2.1.330",
    program: "@anthropic-ai/claude-code-linux-x64/claude",
  },
  codex: { name: "@openai/codex", version: "0.169.0", program: ".bin/codex" },
  opencode: {
    name: "opencode-ai",
    version: "1.18.33",
    program: "opencode-linux-x64-baseline/bin/opencode",
  },
  gemini: { name: "@google/gemini-cli", version: "0.61.0", program: ".bin/gemini" },
};

/** The agents to try: those that `DEBRIEF_AGENTS` lists, else all. */
export function chosenAgents(): readonly AgentName[] {
  const all = Object.keys(PACKAGES) as AgentName[];
  const chosen = Deno.env.get("DEBRIEF_AGENTS")?.split(",");
  const unknown = chosen?.find((name) => !all.some((agent) => agent === name));
  if (unknown !== undefined) throw new Error(`Cannot try the agent "${unknown}": it is not known`);
  return all.filter((agent) => chosen?.includes(agent) ?? true);
}

/**
 * The program of an agent, installed if it is not there yet. The packages' own start scripts only look for it.
 *
 * @throws {Error} with npm's own words when it cannot be installed.
 */
export async function installedAgent(agent: AgentName): Promise<string> {
  return await installedProgram(agent, PACKAGES[agent]);
}
