/** Directories that the command line names. */
import { resolve } from "node:path/posix";
import { UsageError } from "../errors.ts";
import { checkWorkspace, findWorkspace } from "../sandbox/workspace.ts";
import { COPIES, type UserPaths, userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";

/** Variable that names the workspace, wherever an agent starts its shell. */
const WORKSPACE = "DEBRIEF_WORKSPACE";

/**
 * The value of a directory flag as an absolute path, null when it was not given; for the workspace also that of its variable.
 *
 * @throws {UsageError} for a variable that holds no absolute path.
 */
export function directoryOf(
  line: CommandLine,
  flag: "journal" | "workspace" | "cwd",
): string | null {
  const value = line.values.get(flag);
  if (value !== undefined) return resolve(Deno.cwd(), value);
  return flag === "workspace" ? namedWorkspace() : null;
}

/** The workspace that the environment names: an agent's shell has no flags of its own. @throws {UsageError} */
function namedWorkspace(): string | null {
  const path = Deno.env.get(WORKSPACE) ?? "";
  if (path === "") return null;
  if (path.startsWith("/")) return path;
  throw new UsageError(`Cannot use ${WORKSPACE} "${path}": an absolute path is accepted`);
}

/** The workspace of a session that this command line would open. @throws {UsageError} when there is none. */
export function workspaceOf(line: CommandLine, user: UserPaths): string {
  const named = directoryOf(line, "workspace");
  return named === null ? findWorkspace({ cwd: Deno.cwd(), ...user }) : checkWorkspace(named, user);
}

/**
 * The directory of journal and outputs: inside a jail the session's copies, else what `--journal` or the user's
 * environment says.
 */
export function stateDirectory(line: CommandLine): string {
  const environment = Deno.env.toObject();
  const journal = directoryOf(line, "journal");
  return journal ?? environment[COPIES] ?? userPaths(environment, null).state;
}
