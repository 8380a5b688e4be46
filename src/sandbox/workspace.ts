/** The directory that a session works in, and the private directory that it gets. */
import { dirname, join } from "node:path/posix";
import { UsageError } from "../errors.ts";

/** What a workspace must not be, or hold. */
export interface WorkspaceContext {
  readonly cwd: string;
  readonly home: string;
  /** Directory of journal, key and spool. */
  readonly state: string;
}

function isWithin(path: string, directory: string): boolean {
  return directory === "/" || path === directory || path.startsWith(directory + "/");
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The nearest ancestor of the current directory that holds `.git`, else the current directory; a real path.
 *
 * @throws {UsageError} when that is `/`, the home directory, an ancestor of it, or holds the state: all that lies in a
 * workspace is writable, so these would hand over the user's own files.
 */
export function findWorkspace(context: WorkspaceContext): string {
  const cwd = Deno.realPathSync(context.cwd);
  const ancestors: string[] = [];
  for (let current = cwd;; current = dirname(current)) {
    ancestors.push(current);
    if (current === "/") break;
  }
  const reason = (path: string): string | null => {
    if (path === "/") return "it is the whole file system";
    if (isWithin(context.home, path)) {
      return path === context.home ? "it is the home directory" : "it holds the home directory";
    }
    if (isWithin(context.state, path)) return `it holds Debrief's own state "${context.state}"`;
    return null;
  };
  const workspace = ancestors.find((path) => exists(join(path, ".git"))) ?? cwd;
  const refusal = reason(workspace);
  if (refusal === null) return workspace;
  throw new UsageError(
    `Cannot use "${workspace}" as the workspace: ${refusal}; change to a project directory, or name one with --workspace DIR`,
  );
}
