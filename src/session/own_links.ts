/**
 * Links to the executable that have the name of a shell, on PATH: through them an agent finds Debrief when it looks for bash.
 * What Debrief starts itself must be the real one, or it would start itself for ever.
 */
import { join } from "node:path/posix";
import { DEFAULT_PATH } from "../sandbox/default_path.ts";
import { ownExecutable } from "./own_executable.ts";

/** Names that such links have. */
const SHELLS = ["bash", "sh", "zsh"];
/** Entries of a directory that are looked at: one with more holds more than links to a program. */
const MAX_LINKS = 16;

function leadsTo(path: string, executable: string): boolean {
  try {
    return Deno.realPathSync(path) === executable;
  } catch {
    return false;
  }
}

function realExecutable(): string | null {
  const executable = ownExecutable();
  return executable === null ? null : Deno.realPathSync(executable);
}

/** True when a directory holds links to the executable and nothing else. */
function holdsOwnLinksOnly(directory: string, executable: string): boolean {
  // Listing what is on PATH takes longer than everything else here.
  if (!SHELLS.some((name) => leadsTo(join(directory, name), executable))) return false;
  try {
    const names = Array.from(Deno.readDirSync(directory).take(MAX_LINKS), ({ name }) => name);
    return names.length > 0 && names.every((name) => leadsTo(join(directory, name), executable));
  } catch {
    return false;
  }
}

/**
 * Where the shell in the jail is looked for: PATH and, behind it, the system's directories, without those whose `bash` is this
 * program.
 *
 * @param executable the program's real path, null when Deno runs its source.
 */
export function shellPathOf(
  path: string | undefined,
  executable: string | null = realExecutable(),
): string {
  const directories = [path, DEFAULT_PATH].filter(Boolean).join(":").split(":");
  return directories.filter((directory) =>
    executable === null || !leadsTo(join(directory || ".", "bash"), executable)
  ).join(":");
}

/**
 * PATH for commands: without directories that hold nothing but links to this program, so that a script's `env bash` is bash.
 *
 * @param executable the program's real path, null when Deno runs its source.
 */
export function pathWithoutOwnLinks(
  path: string,
  executable: string | null = realExecutable(),
): string {
  const kept = path.split(":").filter((directory) =>
    executable === null || directory === "" || !holdsOwnLinksOnly(directory, executable)
  ).join(":");
  // An empty PATH would mean the current directory.
  return kept || DEFAULT_PATH;
}
