/** The agents that Debrief configures, and the ways to do it. */
import { UsageError } from "../../errors.ts";

/** The agents, in the order in which help lists them. */
export const AGENTS = ["claude", "codex", "opencode", "gemini"] as const;

/** An agent. */
export type AgentName = typeof AGENTS[number];

/**
 * How an agent's commands get to Debrief: `transparent`, its own shell tool runs them through Debrief; `strict`, it has no
 * shell tool, but the tools of `debrief mcp`.
 */
export type AgentMode = "transparent" | "strict";

/** Whose configuration is meant: the user's, or that of the project in the current directory. */
export type AgentScope = "user" | "project";

/** The name as an agent. @throws {UsageError} when it is none, or there is none. */
export function agentNamed(name: string | undefined): AgentName {
  const found = AGENTS.find((agent) => agent === name);
  if (found !== undefined) return found;
  const stated = name === undefined
    ? "Cannot go on without an agent"
    : `Cannot use the agent "${name}"`;
  throw new UsageError(`${stated}: accepted are ${AGENTS.join(", ")}`);
}

/** The mode that needs nothing further from its user: hooks of Codex have to be trusted. */
export function defaultMode(agent: AgentName): AgentMode {
  return agent === "codex" ? "strict" : "transparent";
}
