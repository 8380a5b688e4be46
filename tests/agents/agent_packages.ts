/** The agents that are tried, from the npm registry, in pinned versions, installed into a cache. */
import { join } from "node:path/posix";
import type { AgentName } from "../../src/cli/agents/agent_names.ts";

/** An agent's package. */
interface AgentPackage {
  readonly name: string;
  readonly version: string;
  /** The program inside of `node_modules`; the packages' own start scripts only look for it. */
  readonly program: string;
}

const PACKAGES: Readonly<Record<AgentName, AgentPackage>> = {
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

/** `DEBRIEF_AGENTS_CACHE`, else a directory of the user's cache. */
function cacheDirectory(): string {
  const named = Deno.env.get("DEBRIEF_AGENTS_CACHE");
  if (named) return named;
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  return join(cache, "debrief-test-agents");
}

/** The agents to try: those that `DEBRIEF_AGENTS` lists, else all. */
export function chosenAgents(): readonly AgentName[] {
  const all = Object.keys(PACKAGES) as AgentName[];
  const chosen = Deno.env.get("DEBRIEF_AGENTS")?.split(",");
  const unknown = chosen?.find((name) => !all.some((agent) => agent === name));
  if (unknown !== undefined) throw new Error(`Cannot try the agent "${unknown}": it is not known`);
  return all.filter((agent) => chosen?.includes(agent) ?? true);
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * The program of an agent, installed if it is not there yet. No script of any package is run.
 *
 * @throws {Error} with npm's own words when it cannot be installed.
 */
export async function installedAgent(agent: AgentName): Promise<string> {
  const { name, version, program } = PACKAGES[agent];
  const directory = join(cacheDirectory(), `${agent}-${version}`);
  const path = join(directory, "node_modules", program);
  if (exists(path)) return path;
  Deno.mkdirSync(directory, { recursive: true });
  Deno.writeTextFileSync(join(directory, "package.json"), '{"private":true}\n');
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${name}@${version}`],
    cwd: directory,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success && exists(path)) return path;
  throw new Error(`Cannot install ${name}@${version}: ${new TextDecoder().decode(stderr)}`);
}
