/** The search path for what is started outside of the jail: without directories in which commands could put a program. */
import { findWorkspace, type WorkspaceContext } from "../../sandbox/workspace.ts";

/** Variables of a process. */
type Environment = Readonly<Record<string, string>>;

function workspaceOf(context: WorkspaceContext): string | null {
  try {
    return findWorkspace(context);
  } catch {
    // The home directory and the like: nothing there is a workspace.
    return null;
  }
}

/** True for what lies in a directory, by its real path. */
export function isInside(path: string, directory: string): boolean {
  try {
    return `${Deno.realPathSync(path)}/`.startsWith(`${directory}/`);
  } catch {
    return false;
  }
}

/**
 * The environment with a `PATH` that names no directory of the workspace, and no relative one: `npx` and tools like it put
 * `node_modules/.bin` of a project first.
 */
export function withOutsidePath(environment: Environment, context: WorkspaceContext): Environment {
  const { PATH } = environment;
  if (PATH === undefined) return environment;
  const workspace = workspaceOf(context);
  const kept = PATH.split(":").filter((directory) =>
    directory.startsWith("/") && (workspace === null || !isInside(directory, workspace))
  );
  return { ...environment, PATH: kept.join(":") };
}
