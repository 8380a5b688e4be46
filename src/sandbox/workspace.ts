/** The directory that a session works in, and the private directory that it gets. */
import { isWithin } from "../policy/paths.ts";
import { dirname, join } from "node:path/posix";
import { UsageError } from "../errors.ts";
import { realPathOfMaybeAbsent } from "./exclusions.ts";

/** What a workspace must not be, or hold. */
export interface WorkspaceContext {
  readonly cwd: string;
  readonly home: string;
  /** Directory of journal, key and spool. */
  readonly state: string;
}

/** Directories of the system (Filesystem Hierarchy Standard 3.0), with everything beneath. */
const SYSTEM = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/proc",
  "/sbin",
  "/sys",
  "/usr/bin",
  "/usr/include",
  "/usr/lib",
  "/usr/lib32",
  "/usr/lib64",
  "/usr/libexec",
  "/usr/libx32",
  "/usr/sbin",
  "/usr/share",
];
/** Those that hold projects of some people as well, and are none themselves. */
const HOLDERS = ["/home", "/opt", "/run", "/usr", "/usr/local", "/usr/src", "/var", "/var/lib"];

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Why a directory cannot be a workspace, in words; null when it can. */
function flawOf(path: string, context: Omit<WorkspaceContext, "cwd">): string | null {
  if (path === "/") return "it is the whole file system";
  const home = realPathOfMaybeAbsent(context.home);
  if (isWithin(home, path)) {
    return path === home ? "it is the home directory" : "it holds the home directory";
  }
  if (isWithin(realPathOfMaybeAbsent(context.state), path)) {
    return `it holds Debrief's own state "${context.state}"; keep that elsewhere with --journal DIR`;
  }
  return null;
}

/**
 * A directory as the workspace: its real path.
 *
 * @throws {UsageError} when that is no directory, `/`, the home directory, an ancestor of it, or holds the state: all
 * that lies in a workspace is writable, so these would hand over the user's own files.
 */
export function checkWorkspace(path: string, context: Omit<WorkspaceContext, "cwd">): string {
  const real = realDirectory(path);
  const flaw = real === null ? "it is not a directory" : flawOf(real, context);
  if (real !== null && flaw === null) return real;
  throw new UsageError(
    `Cannot use "${
      real ?? path
    }" as the workspace: ${flaw}; change to a project directory, or name one with --workspace DIR`,
  );
}

function realDirectory(path: string): string | null {
  try {
    const real = Deno.realPathSync(path);
    return Deno.statSync(real).isDirectory ? real : null;
  } catch {
    return null;
  }
}

/**
 * The nearest ancestor of the current directory that holds `.git`, else the current directory; a real path.
 *
 * @throws {UsageError} as `checkWorkspace`, and for a directory of the system: root could change all of it, so that has
 * to be asked for by name.
 */
export function findWorkspace(context: WorkspaceContext): string {
  const cwd = checkDirectory(context.cwd);
  for (let path = cwd;; path = dirname(path)) {
    if (exists(join(path, ".git"))) return checkFound(path, context);
    if (path === "/") return checkFound(cwd, context);
  }
}

function checkFound(path: string, context: WorkspaceContext): string {
  const found = checkWorkspace(path, context);
  if (!HOLDERS.includes(found) && !SYSTEM.some((directory) => isWithin(found, directory))) {
    return found;
  }
  throw new UsageError(
    `Cannot take "${found}" for the workspace: it belongs to the system; change to a project directory, or name it with --workspace if commands may change all of it`,
  );
}

function checkDirectory(path: string): string {
  const real = realDirectory(path);
  if (real !== null) return real;
  throw new UsageError(`Cannot work in "${path}": it is not a directory`);
}
