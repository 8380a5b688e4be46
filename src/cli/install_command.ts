/** `debrief install AGENT`: changes an agent's configuration so that its commands run through Debrief, and takes it back. */
import { createTwoFilesPatch } from "diff";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { findWorkspace } from "../sandbox/workspace.ts";
import { userPaths } from "../session/session_paths.ts";
import { agentChanges, type Wish } from "./agents/agent_changes.ts";
import { type AgentMode, agentNamed, type AgentScope, defaultMode } from "./agents/agent_names.ts";
import { applyPlan, isDone, isLinked } from "./agents/apply_plan.ts";
import { ConfigFiles } from "./agents/config_file.ts";
import { ledgerPath, readLedger } from "./agents/install_ledger.ts";
import { type InstallPlan, planUndo } from "./agents/install_plan.ts";
import { withOutsidePath } from "./agents/outside_path.ts";
import { requiredExecutable } from "./agents/required_executable.ts";
import { planFor } from "./agents/plan_for.ts";
import type { CommandLine } from "./command_line.ts";
import { visibleOwnText } from "./own_text.ts";
import { askUser } from "./standard_input.ts";
import { writeText } from "./terminal.ts";

function modeOf({ switches }: CommandLine, fallback: AgentMode): AgentMode {
  const strict = switches.has("strict");
  if (strict && switches.has("transparent")) {
    throw new UsageError("Cannot use --strict and --transparent: they exclude each other");
  }
  if (strict) return "strict";
  return switches.has("transparent") ? "transparent" : fallback;
}

function scopeOf({ values }: CommandLine): AgentScope {
  const scope = values.get("scope") ?? "user";
  if (scope === "user" || scope === "project") return scope;
  throw new UsageError(`Cannot use --scope "${scope}": accepted are user, project`);
}

function diffText({ files, links, removedLinks }: InstallPlan): string {
  const patches = files.filter(({ now, text }) => now !== text).map(({ path, now, text }) =>
    createTwoFilesPatch(
      now === null ? "/dev/null" : path,
      text === null ? "/dev/null" : path,
      now ?? "",
      text ?? "",
    ).replace(/^(?:Index: .*\n)?=+\n/, "")
  );
  const made = links.filter((link) => !isLinked(link))
    .map(({ path, target }) => `+ link ${path} -> ${target}\n`);
  const removed = removedLinks.filter(isLinked)
    .map(({ path, target }) => `- link ${path} -> ${target}\n`);
  return [...patches, ...made, ...removed].join("");
}

/** True when the user agreed. @throws {UsageError} where nobody can be asked. */
function agreed({ switches }: CommandLine): boolean {
  if (switches.has("yes")) return true;
  const answer = askUser("Apply these changes?");
  if (answer !== null) return answer;
  throw new UsageError("Cannot ask whether to apply this: use --yes, or --dry-run to only look");
}

function wishOf(line: CommandLine, scope: AgentScope): Wish {
  const [name, surplus] = line.operands;
  if (surplus !== undefined) throw new UsageError(`Cannot use "${surplus}": one agent is named`);
  const agent = agentNamed(name);
  const own = Deno.env.toObject();
  const { home, state } = userPaths(own, null);
  const cwd = Deno.cwd();
  const environment = withOutsidePath(own, { cwd, home, state });
  // Only a project's configuration has to lie in a project.
  const project = scope === "project" ? findWorkspace({ cwd, home, state }) : cwd;
  const mode = modeOf(line, defaultMode(agent));
  const executable = line.switches.has("undo") ? "" : requiredExecutable();
  return { agent, mode, scope, executable, environment, home, project, state };
}

/**
 * Run the command; status 1 when the user did not agree.
 *
 * @throws {UsageError} for flags that cannot be used, and when nobody can be asked.
 * @throws {Error} naming the file and key that cannot be changed or taken back.
 */
export async function runInstallCommand(line: CommandLine): Promise<number> {
  const wish = wishOf(line, scopeOf(line));
  const { agent, mode } = wish;
  const ledger = ledgerPath(wish.state, wish);
  const previous = readLedger(ledger);
  const undo = line.switches.has("undo");
  if (undo && previous === null) {
    throw new UsageError(`Cannot undo the installation for ${agent}: there is none in this scope`);
  }
  const files = new ConfigFiles(wish);
  const { plan, notes } = undo && previous !== null
    ? { plan: planUndo(previous, (path) => files.read(path)), notes: [] }
    : await planFor(wish, { changes: agentChanges(wish), previous });
  const say = (text: string) => writeText(1, visibleOwnText(text));
  const done = isDone(plan);
  say(diffText(plan));
  if (line.switches.has("dry-run")) {
    if (done) say(`${agent}: nothing to change\n`);
    return EXIT.ok;
  }
  if (!done && !agreed(line)) return EXIT.findings;
  if (!done || undo) applyPlan(plan, { ledger, files });
  const state = undo ? "taken back" : done ? `${mode}, nothing to change` : `${mode}, installed`;
  say(`${agent}: ${state}\n${notes.map((note) => `note: ${note}\n`).join("")}`);
  if (!undo) {
    say(
      `prove it: debrief doctor --agent ${agent}; take it back: debrief install ${agent} --undo\n`,
    );
  }
  return EXIT.ok;
}
