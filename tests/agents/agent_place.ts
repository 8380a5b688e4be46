/** A user with an empty home, one agent and Debrief: configured by `debrief install`, driven by a scripted model. */
import { dirname, join } from "node:path/posix";
import { agentInvocation } from "../../src/cli/agents/agent_invocation.ts";
import type { AgentMode, AgentName } from "../../src/cli/agents/agent_names.ts";
import { commandCall } from "../../src/cli/agents/command_call.ts";
import type { ToolCall } from "../../src/cli/agents/dialogue.ts";
import { ModelApi, type ModelRequest, turnsInOrder } from "../../src/cli/agents/model_api.ts";
import { readNewest } from "../../src/record/read.ts";
import type { CommandRecord } from "../../src/record/record.ts";
import { TestPlace } from "../session/test_session.ts";
import { installedAgent } from "./agent_packages.ts";

/** Seconds for a run of an agent with all its commands, on a slow machine under load. */
const RUN_SECONDS = 300;

/** The last words of every script, by which an agent is known to have come to its end. */
const LAST = "The script has ended.";

/** The executable: an agent starts a file, so the source will not do. @throws {Error} when it was not built. */
function executable(): string {
  const path = Deno.env.get("DEBRIEF_BINARY") ?? join(import.meta.dirname!, "../../dist/debrief");
  try {
    return Deno.realPathSync(path);
  } catch {
    throw new Error(`Cannot try agents without the executable "${path}": run deno task build`);
  }
}

/** What came of a program. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What came of a run of an agent. */
export interface AgentRun {
  /** What the model was told of each command, in order. */
  readonly results: readonly string[];
  readonly requests: readonly ModelRequest[];
}

/** The user. */
export class AgentPlace implements Disposable {
  readonly agent: AgentName;
  readonly program: string;
  readonly place = new TestPlace();
  /** A copy, as a user would have it: outside of the workspace, in a directory on `PATH`. */
  readonly executable = this.place.at("bin/debrief");

  private constructor(agent: AgentName, program: string) {
    this.agent = agent;
    this.program = program;
  }

  /** A place with the agent in it. */
  static async open(agent: AgentName): Promise<AgentPlace> {
    const user = new AgentPlace(agent, await installedAgent(agent));
    const { place } = user;
    Deno.mkdirSync(place.at("bin"));
    Deno.copyFileSync(executable(), user.executable);
    await user.run("git", ["init", "--quiet", "."]);
    return user;
  }

  /** Variables of the user's login: no other place is named than the home directory. */
  get environment(): Record<string, string> {
    const { HOME = "", TMPDIR = "", LANG = "" } = this.place.environment;
    const path = [this.place.at("bin"), dirname(this.program), Deno.env.get("PATH") ?? ""];
    return { HOME, TMPDIR, LANG, PATH: path.join(":"), TERM: "dumb" };
  }

  /** Run a program in the workspace; it and all it started are killed when it takes too long. */
  async run(
    program: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const child = new Deno.Command("timeout", {
      args: ["--kill-after=5", String(RUN_SECONDS), program, ...args],
      cwd: this.place.at("work"),
      clearEnv: true,
      env: { ...this.environment, ...environment },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
    const { code, stdout, stderr } = await child.output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: decode(stdout), stderr: decode(stderr) };
  }

  /** Run Debrief. */
  async debrief(...args: readonly string[]): Promise<Ended> {
    return await this.run(this.executable, args);
  }

  /** What the user has set before: an account, and what the guide says to set besides `debrief install`. */
  prepare(mode: AgentMode): void {
    if (this.agent === "gemini") {
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
      };
      this.place.write("home/.gemini/settings.json", JSON.stringify(settings));
    }
    if (this.agent !== "codex" || mode !== "transparent") return;
    this.place.write("home/.codex/config.toml", 'sandbox_mode = "danger-full-access" # mine\n');
  }

  /** Configure the agent. @throws {Error} with what was said when that fails. */
  async install(mode: AgentMode): Promise<void> {
    this.prepare(mode);
    const { code, stdout, stderr } = await this.debrief(
      "install",
      this.agent,
      `--${mode}`,
      "--yes",
    );
    if (code !== 0) throw new Error(`Cannot install for ${this.agent}: ${stdout}${stderr}`);
  }

  /**
   * Let a model ask for these commands, or calls of other tools, one after the other.
   *
   * @throws {Error} when it did not get to the end.
   */
  async follow(commands: readonly (string | ToolCall)[], mode: AgentMode): Promise<AgentRun> {
    const { agent } = this;
    const call = (command: string | ToolCall) =>
      typeof command === "string" ? commandCall(command, { agent, mode }) : command;
    const turns = commands.map((command) => ({ kind: "calls" as const, calls: [call(command)] }));
    await using api = new ModelApi(turnsInOrder(turns, LAST));
    const scratch = this.place.at("tmp");
    const { args, environment } = agentInvocation({ agent, url: api.url, scratch });
    const { code, stdout, stderr } = await this.run(this.program, args, environment);
    const { requests, results } = api;
    if (stdout.includes(LAST) && results.length === commands.length) return { results, requests };
    const said = JSON.stringify({ code, stdout, stderr, results }, null, 1).slice(-20_000);
    throw new Error(`${agent} did not follow the script: ${said}`);
  }

  /** Records of the journal, oldest first. */
  records(): readonly CommandRecord[] {
    const directory = this.place.at("home/.local/state/debrief");
    return readNewest({ directory, limit: 1000 }).records.toReversed();
  }

  [Symbol.dispose](): void {
    this.place[Symbol.dispose]();
  }
}
