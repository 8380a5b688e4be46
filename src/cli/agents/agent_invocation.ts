/**
 * How each agent is run once, without its user, against a model API on loopback: with the configuration that it has, and
 * only the model and what talks to the network changed.
 */
import { join } from "node:path/posix";
import type { AgentName } from "./agent_names.ts";

/** The agent and its model. */
export interface Invocation {
  readonly agent: AgentName;
  /** Where the model API is, without a slash at its end. */
  readonly url: string;
  /** A directory for files that live as long as the run. */
  readonly scratch: string;
}

/** What is to be said to a program, besides what it would have. */
export interface ProgramCall {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const PROMPT = "Follow the script.";

/** No key of the user's goes to a scripted model, and nothing of this run to anyone else. */
const KEY = "none";

/** A closed port: what would go past the scripted model goes nowhere. */
const NOWHERE = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
};

function claude({ url }: Invocation): ProgramCall {
  const env = {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_AUTH_TOKEN: "",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  const tools = "Bash,mcp__debrief";
  const settings = JSON.stringify({ env });
  const args = ["-p", "--no-session-persistence", "--settings", settings, "--allowedTools", tools];
  return { args: [...args, "--", PROMPT], environment: env };
}

function codex({ url }: Invocation): ProgramCall {
  const provider = `{name="scripted", base_url="${url}/v1", wire_api="responses"}`;
  const settings = [
    `model="scripted"`,
    `model_provider="scripted"`,
    `model_providers.scripted=${provider}`,
    `approval_policy="never"`,
    "check_for_update_on_startup=false",
    "analytics.enabled=false",
  ];
  const args = ["exec", "--ephemeral", "--skip-git-repo-check"];
  return { args: [...args, ...settings.flatMap((one) => ["-c", one]), PROMPT], environment: {} };
}

function opencode({ url }: Invocation): ProgramCall {
  const model = "scripted/scripted";
  const scripted = {
    npm: "@ai-sdk/openai-compatible",
    name: "scripted",
    options: { baseURL: `${url}/v1`, apiKey: KEY },
    models: { scripted: { name: "scripted" } },
  };
  const config = {
    autoupdate: false,
    share: "disabled",
    model,
    small_model: model,
    provider: { scripted },
  };
  return {
    args: ["run", "--auto", "--model", model, PROMPT],
    environment: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    },
  };
}

/** Which account Gemini CLI uses is said by its settings alone, and those of the system come before the user's. */
function gemini({ url, scratch }: Invocation): ProgramCall {
  const settings = join(scratch, "gemini-system-settings.json");
  const content = {
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  };
  Deno.writeTextFileSync(settings, JSON.stringify(content));
  return {
    // A model by name: choosing one would be a question to a model.
    args: ["--model", "gemini-2.5-pro", "--approval-mode", "yolo", "--skip-trust", "-p", PROMPT],
    environment: {
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: settings,
    },
  };
}

const CALLS: Readonly<Record<AgentName, (invocation: Invocation) => ProgramCall>> = {
  claude,
  codex,
  opencode,
  gemini,
};

/** Arguments and variables of a run. */
export function agentInvocation(invocation: Invocation): ProgramCall {
  const { args, environment } = CALLS[invocation.agent](invocation);
  return { args, environment: { ...NOWHERE, ...environment } };
}
