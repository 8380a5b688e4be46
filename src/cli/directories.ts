/** Directories that the command line names. */
import { resolve } from "node:path/posix";
import { UsageError } from "../errors.ts";
import { COPIES, userPaths } from "../session/session_paths.ts";
import type { CommandLine } from "./command_line.ts";

/**
 * The value of a directory flag as an absolute path, null when it was not given.
 *
 * @throws {UsageError} when a workspace is named that is no directory; a journal is created where it is missing.
 */
export function directoryOf(line: CommandLine, flag: "journal" | "workspace"): string | null {
  const value = line.values.get(flag);
  if (value === undefined) return null;
  const path = resolve(Deno.cwd(), value);
  if (flag === "journal") return path;
  try {
    if (Deno.statSync(path).isDirectory) return Deno.realPathSync(path);
  } catch {
    // Falls through to the error below, which says the same.
  }
  throw new UsageError(`Cannot use "${path}" as the workspace: it is not a directory`);
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
