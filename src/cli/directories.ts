/** Directories that the command line names. */
import { resolve } from "node:path/posix";
import { checkWorkspace, findWorkspace } from "../sandbox/workspace.ts";
import { COPIES, type UserPaths, userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";

/** The value of a directory flag as an absolute path, null when it was not given. */
export function directoryOf(
  line: CommandLine,
  flag: "journal" | "workspace" | "cwd",
): string | null {
  const value = line.values.get(flag);
  return value === undefined ? null : resolve(Deno.cwd(), value);
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
