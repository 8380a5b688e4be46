/** `debrief doctor --agent NAME`: proves that an agent's commands run through Debrief. */
import { EXIT } from "../exit_codes.ts";
import { userPaths } from "../session/session_paths.ts";
import { agentNamed } from "./agents/agent_names.ts";
import { type Examination, examineAgent, type Finding } from "./agents/examine_agent.ts";
import { withOutsidePath } from "./agents/outside_path.ts";
import { requiredExecutable } from "./agents/required_executable.ts";
import type { CommandLine } from "./command_line.ts";
import { redactOwnText } from "./own_text.ts";
import { writeText } from "./terminal.ts";

const MARKS: Readonly<Record<Finding["kind"], string>> = {
  proven: "\u2713 proven:",
  inspected: "\u00b7 inspected:",
  failed: "\u2717",
};

function text({ agent, isProven, findings }: Examination): string {
  const verdict = isProven
    ? `\u2713 commands of ${agent} run through Debrief`
    : `\u2717 it is not proven that commands of ${agent} run through Debrief`;
  return [...findings.map(({ kind, text }) => `${MARKS[kind]} ${text}`), verdict].join("\n") + "\n";
}

/** Run the command; status 1 when it is not proven. @throws {UsageError} when the agent is not known. */
export async function runDoctorAgent(line: CommandLine): Promise<number> {
  const own = Deno.env.toObject();
  const { home, state } = userPaths(own, null);
  const cwd = Deno.cwd();
  const environment = withOutsidePath(own, { cwd, home, state });
  const examination = await examineAgent({
    agent: agentNamed(line.values.get("agent")),
    mode: "strict",
    scope: "user",
    executable: requiredExecutable(),
    environment,
    home,
    project: cwd,
    state,
  });
  const report = line.switches.has("json") ? JSON.stringify(examination) + "\n" : text(examination);
  if (!line.switches.has("quiet")) writeText(1, redactOwnText(report));
  return examination.isProven ? EXIT.ok : EXIT.findings;
}
