/** `debrief init`: writes a policy for the project, and what its agents are told. */
import { createTwoFilesPatch } from "diff";
import { basename, join } from "node:path/posix";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import { status } from "../sandbox/linux/files.ts";
import { userPaths } from "../session/session_paths.ts";
import { readText } from "./agents/config_file.ts";
import { detectProject, type Project } from "./init/detect_project.ts";
import { wholeText } from "./init/project_files.ts";
import { agentNotes, policyText, withNotes } from "./init/project_policy.ts";
import type { CommandLine } from "./command_line.ts";
import { noOperands } from "./counts.ts";
import { directoryOf, workspaceOf } from "./directories.ts";
import { redactOwnText, visibleOwnText } from "./own_text.ts";
import { replaceFile } from "./replace_file.ts";
import { askUser } from "./standard_input.ts";
import { writeText } from "./terminal.ts";

/** Where policies of projects lie, beneath the user's configuration: no command can write there. */
const PROJECTS = "projects";
/** What agents read by themselves. */
const NOTES = "AGENTS.md";

/** One file as it is, null for none, and as it is to be. */
interface Draft {
  readonly path: string;
  readonly now: string | null;
  readonly text: string;
  readonly write: () => void;
}

/** The name of the project. @throws {UsageError} for one that is no name of a file. */
function nameOf(line: CommandLine, workspace: string): string {
  const given = line.values.get("name");
  if (given === undefined) {
    return basename(workspace).replaceAll(/[^\w.-]+/g, "-").replace(/^[.-]+/, "") || "project";
  }
  if (/^\w[\w.-]{0,63}$/.test(given)) return given;
  throw new UsageError(
    `Cannot use --name "${given}": a letter and at most 63 letters, digits, dots or dashes are accepted`,
  );
}

function notesDraft(workspace: string, project: Project): Draft {
  const path = join(workspace, NOTES);
  const now = wholeText(path);
  const text = withNotes(now, agentNotes(project));
  const write = () => replaceFile(path, { now, text, mode: 0o644, within: workspace });
  return { path, now, text, write };
}

function patchOf({ path, now, text }: Draft): string {
  return createTwoFilesPatch(now === null ? "/dev/null" : path, path, now ?? "", text)
    .replace(/^(?:Index: .*\n)?=+\n/, "");
}

/** True when the user agreed. @throws {UsageError} where nobody can be asked. */
function agreed({ switches }: CommandLine): boolean {
  if (switches.has("yes")) return true;
  const answer = askUser("Write this?");
  if (answer !== null) return answer;
  throw new UsageError("Cannot ask whether to write this: use --yes, or --dry-run to only look");
}

/**
 * Run the command; status 1 when the user did not agree.
 *
 * @throws {UsageError} for flags that cannot be used, when a policy of this name says something else, and when nobody can
 *   be asked.
 */
export function runInitCommand(line: CommandLine): number {
  noOperands(line);
  const user = userPaths(Deno.env.toObject(), directoryOf(line, "journal"));
  const workspace = workspaceOf(line, user);
  const name = nameOf(line, workspace);
  const project = detectProject(workspace);
  const path = join(user.config, PROJECTS, `${name}.jsonc`);
  const text = policyText(project, name);
  const now = readText(path);
  const write = () => replaceFile(path, { now, text, mode: 0o600, within: null });
  const policy: Draft = { path, now, text, write };
  const drafts = [policy, notesDraft(workspace, project)];
  const changes = drafts.filter(({ now, text }) => now !== text);
  const json = line.switches.has("json");
  const say = (text: string) => json ? undefined : writeText(1, visibleOwnText(text));
  say(`found: ${foundText(project)}\n`);
  say(changes.map(patchOf).join(""));
  const dryRun = line.switches.has("dry-run");
  const replaces = policy.now !== null && policy.now !== policy.text;
  if (replaces && !line.switches.has("force") && !dryRun) {
    throw new UsageError(
      `Cannot write "${path}": there is another policy; --force replaces it, --name NAME writes beside it`,
    );
  }
  const writes = !dryRun && changes.length > 0;
  if (writes && !agreed(line)) return EXIT.findings;
  if (writes) changes.forEach((draft) => draft.write());
  const done = changes.length === 0 ? "nothing to change" : dryRun ? "nothing written" : "written";
  say(`${done}\n`);
  if (!dryRun || policy.now !== null) {
    say(`use it: export DEBRIEF_POLICY='${path}'\n${userNote(join(user.config, "policy.jsonc"))}`);
  }
  if (json) {
    const files = drafts.map(({ path, now, text }) => ({
      path,
      state: now === text ? "unchanged" : now === null ? "new" : "changed",
    }));
    const report = { version: 1, written: writes, policy: path, files, project };
    writeText(1, redactOwnText(JSON.stringify(report) + "\n"));
  }
  return EXIT.ok;
}

function foundText({ toolchains, remote }: Project): string {
  const names = toolchains.map(({ name, file }) => `${name} (${file})`);
  const all = remote === null ? names : [...names, `git remote ${remote}`];
  return all.length === 0 ? "nothing that says what the project needs" : all.join(", ");
}

/** What the variable comes to beside a policy of the user's own. */
function userNote(path: string): string {
  return status(path, { follow: true }) === null
    ? ""
    : `note: it narrows "${path}"; hosts that this one does not allow stay out of reach\n`;
}
