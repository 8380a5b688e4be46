/**
 * What each agent's configuration has to say so that its commands run through Debrief. Tried with Claude Code 2.1.330,
 * Codex 0.169.0, opencode 1.18.33 and Gemini CLI 0.61.0 by the tests in `tests/agents`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path/posix";
import { quoteWord } from "../../command/quote.ts";
import type { AgentMode, AgentName, AgentScope } from "./agent_names.ts";
import type { Change } from "./config_change.ts";
import type { ConfigFormat } from "./config_text.ts";

/** The changes to one file. */
export interface FileChanges {
  readonly path: string;
  readonly format: ConfigFormat;
  readonly changes: readonly Change[];
}

/** A symbolic link that an agent's configuration names. */
export interface Link {
  readonly path: string;
  readonly target: string;
}

/** All that is to be changed. */
export interface AgentChanges {
  readonly files: readonly FileChanges[];
  readonly links: readonly Link[];
}

/** For whom and what. */
export interface Wish {
  readonly agent: AgentName;
  readonly mode: AgentMode;
  readonly scope: AgentScope;
  /** The executable of Debrief, absolute. */
  readonly executable: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Top of the project, for the scope `project`. */
  readonly project: string;
  /** Directory of Debrief's own that no command can write to. */
  readonly state: string;
}

/** Seconds for which Codex waits for its server, 10 unless told: without it nothing would run a command. */
const START_SECONDS = 60;
/** Milliseconds for which an agent waits for a command: its policy ends it before. */
const TOOL_MILLISECONDS = 3_600_000;

/** How long a hook may take that only rewrites a text. The agents differ in the unit. */
const HOOK_SECONDS = 60;

/**
 * A host that cannot start its hook, or sees it die, lets the command run as it is. Only status 2 stops it, and that only
 * together with a reason on standard error.
 */
export function hookCommand({ executable, agent }: Pick<Wish, "executable" | "agent">): string {
  const refusal = "{ echo 'debrief: the hook did not answer' >&2; exit 2; }";
  return `${quoteWord(executable)} hook ${agent} || ${refusal}`;
}

function directory(wish: Wish, name: "CLAUDE_CONFIG_DIR" | "CODEX_HOME", folder: string): string {
  if (wish.scope === "project") return join(wish.project, folder);
  return wish.environment[name] || join(wish.home, folder);
}

function set(path: readonly string[], value: unknown): Change {
  return { kind: "set", path, value };
}

function add(path: readonly string[], value: unknown): Change {
  return { kind: "add", path, value };
}

/** Claude Code accepts another shell only under the name of one that it knows. */
export function shellLink({ state, executable }: Pick<Wish, "state" | "executable">): Link {
  return { path: join(state, "agents", "bash"), target: executable };
}

/** Where Claude Code looks for MCP servers: not where it looks for everything else. */
function claudeServers(wish: Wish): string {
  if (wish.scope === "project") return join(wish.project, ".mcp.json");
  return join(wish.environment.CLAUDE_CONFIG_DIR || wish.home, ".claude.json");
}

function claude(wish: Wish): AgentChanges {
  // What is of one machine is not for the file that a project shares.
  const name = wish.scope === "project" ? "settings.local.json" : "settings.json";
  const path = join(directory(wish, "CLAUDE_CONFIG_DIR", ".claude"), name);
  if (wish.mode === "transparent") {
    const link = shellLink(wish);
    const changes = [set(["env", "CLAUDE_CODE_SHELL"], link.path)];
    return { files: [{ path, format: "jsonc", changes }], links: [link] };
  }
  const server = { type: "stdio", command: wish.executable, args: ["mcp"], alwaysLoad: true };
  const changes = [add(["permissions", "deny"], "Bash")];
  if (wish.scope === "project") changes.push(add(["enabledMcpjsonServers"], "debrief"));
  return {
    files: [
      { path, format: "jsonc", changes },
      {
        path: claudeServers(wish),
        format: "jsonc",
        changes: [set(["mcpServers", "debrief"], server)],
      },
    ],
    links: [],
  };
}

function codex(wish: Wish): AgentChanges {
  const folder = directory(wish, "CODEX_HOME", ".codex");
  if (wish.mode === "transparent") {
    const hook = { type: "command", command: hookCommand(wish), timeout: HOOK_SECONDS };
    const group = { matcher: "^Bash$", hooks: [hook] };
    const changes = [add(["hooks", "PreToolUse"], group)];
    return { files: [{ path: join(folder, "hooks.json"), format: "jsonc", changes }], links: [] };
  }
  const server = {
    command: wish.executable,
    args: ["mcp"],
    // Codex gives a server few variables; these decide where Debrief looks for its policy and keeps its records.
    env_vars: ["DEBRIEF_POLICY", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "TMPDIR"],
    startup_timeout_sec: START_SECONDS,
    tool_timeout_sec: TOOL_MILLISECONDS / 1000,
    // What runs in a jail is not asked about, as Codex does not ask about what runs in its own sandbox.
    default_tools_approval_mode: "approve",
  };
  const changes = [
    set(["features", "shell_tool"], false),
    set(["mcp_servers", "debrief"], server),
  ];
  return { files: [{ path: join(folder, "config.toml"), format: "toml", changes }], links: [] };
}

function opencode(wish: Wish): AgentChanges {
  const user = join(wish.environment.XDG_CONFIG_HOME || join(wish.home, ".config"), "opencode");
  const folder = wish.scope === "project" ? wish.project : user;
  const commented = join(folder, "opencode.jsonc");
  const path = existsSync(commented) ? commented : join(folder, "opencode.json");
  const server = {
    type: "local",
    command: [wish.executable, "mcp"],
    enabled: true,
    timeout: TOOL_MILLISECONDS,
  };
  const changes = wish.mode === "transparent"
    ? [set(["shell"], wish.executable)]
    : [set(["permission", "bash"], "deny"), set(["mcp", "debrief"], server)];
  return { files: [{ path, format: "jsonc", changes }], links: [] };
}

function gemini(wish: Wish): AgentChanges {
  const home = wish.environment.GEMINI_CLI_HOME || wish.home;
  const folder = wish.scope === "project" ? wish.project : home;
  const path = join(folder, ".gemini", "settings.json");
  const hook = {
    name: "debrief",
    type: "command",
    command: hookCommand(wish),
    timeout: HOOK_SECONDS * 1000,
  };
  const group = { matcher: "^run_shell_command$", hooks: [hook] };
  const server = { command: wish.executable, args: ["mcp"], timeout: TOOL_MILLISECONDS };
  const changes = wish.mode === "transparent" ? [add(["hooks", "BeforeTool"], group)] : [
    add(["tools", "exclude"], "run_shell_command"),
    set(["mcpServers", "debrief"], server),
  ];
  return { files: [{ path, format: "jsonc", changes }], links: [] };
}

const CHANGES: Readonly<Record<AgentName, (wish: Wish) => AgentChanges>> = {
  claude,
  codex,
  opencode,
  gemini,
};

/** The changes that fulfil a wish. */
export function agentChanges(wish: Wish): AgentChanges {
  return CHANGES[wish.agent](wish);
}
