/** Where the agent is not installed: what its configuration says is run as the agent would run it. */
import * as v from "valibot";
import { hookCommand, shellLink, type Wish } from "./agent_changes.ts";
import { type AgentAnswer, runAgent } from "./agent_process.ts";
import type { Canary } from "./canary.ts";

const SECONDS = 60;

/** Names under which the hooks of each agent know a shell command, and where its new text is. */
const CALLS = {
  claude: { hook_event_name: "PreToolUse", tool_name: "Bash" },
  codex: { hook_event_name: "PreToolUse", tool_name: "Bash" },
  gemini: { hook_event_name: "BeforeTool", tool_name: "run_shell_command" },
} as const;

const input = v.optional(v.looseObject({ command: v.string() }));
const AnswerSchema = v.object({
  hookSpecificOutput: v.looseObject({ updatedInput: input, tool_input: input }),
});

type Start = Pick<Wish, "environment" | "project">;

async function start(words: readonly string[], { environment, project }: Start, stdin: string) {
  const [program = "", ...args] = words;
  return await runAgent({ program, args, cwd: project, environment, seconds: SECONDS }, stdin);
}

/** The hook gets the call; a shell gets what it answers. */
async function throughHook(
  wish: Wish & { readonly agent: keyof typeof CALLS },
  { command }: Canary,
): Promise<AgentAnswer> {
  const call = JSON.stringify({ ...CALLS[wish.agent], tool_input: { command } });
  const answer = await start(["bash", "-c", hookCommand(wish)], wish, call);
  if (answer.code !== 0) return answer;
  const { hookSpecificOutput: output } = v.parse(AnswerSchema, JSON.parse(answer.stdout));
  const rewritten = (output.updatedInput ?? output.tool_input)?.command ?? "false";
  return await start(["bash", "-lc", rewritten], wish, "");
}

async function throughServer(wish: Wish, { command }: Canary): Promise<AgentAnswer> {
  const clientInfo = { name: "debrief-doctor", version: "1" };
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const lines = [
    { id: 1, method: "initialize", params: initialize },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "run", arguments: { command } } },
  ].map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join("");
  // The input stays open until there is an answer: its end is the end of the server.
  const script = `{ printf '%s' "$2"; sleep 5; } | "$1" mcp | grep -m 1 -F '"id":2'`;
  return await start(["bash", "-c", script, "bash", wish.executable, lines], wish, "");
}

/** Run the canary in the way that a configuration of this mode would. */
export async function replayCanary(wish: Wish, canary: Canary): Promise<AgentAnswer> {
  const { agent, mode, executable } = wish;
  if (mode === "strict") return await throughServer(wish, canary);
  if (agent === "opencode") return await start([executable, "-c", canary.command], wish, "");
  if (agent === "claude") {
    return await start([shellLink(wish).path, "-c", canary.command], wish, "");
  }
  return await throughHook({ ...wish, agent }, canary);
}
