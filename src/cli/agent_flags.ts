/** Flags by which Debrief gets into the configuration of agents; part of the one table of flags. */
import type { Flag } from "./flag.ts";

/** In the order in which help lists them. */
export const AGENT_FLAGS: readonly Flag[] = [
  {
    name: "strict",
    summary: "take the agent its own shell tool and give it the tools of debrief mcp",
    commands: ["install"],
  },
  {
    name: "transparent",
    summary: "let the agent's own shell tool run its commands through Debrief",
    commands: ["install"],
  },
  {
    name: "scope",
    value: "user|project",
    summary: "change the user's configuration (the default) or that of this project",
    commands: ["install"],
  },
  {
    name: "dry-run",
    summary: "show what would be changed, and change nothing",
    commands: ["install"],
  },
  {
    name: "agent",
    value: "claude|codex|opencode|gemini",
    summary: "prove that the commands of this agent run through Debrief, by a canary",
    commands: ["doctor"],
  },
  { name: "yes", summary: "change without asking", commands: ["install"] },
  { name: "undo", summary: "take back what was installed", commands: ["install"] },
];
