/** Names of the programs that a session's commands can find, for suggestions. */
import { coversPath } from "../policy/match.ts";
import { directoryNames, realPath } from "../sandbox/linux/files.ts";
import type { SessionContext } from "./session_context.ts";

/** Most names that are looked at. */
const MAX_NAMES = 20_000;
/** Most directories of PATH that are looked at: a command can make it as long as an environment may be. */
const MAX_DIRECTORIES = 64;

/**
 * Names in the directories of the session's PATH that commands themselves may list; nothing is opened or executed.
 * A command may have set PATH and put links there, so what counts is where a directory really lies.
 */
export function programsOnPath(
  { state, jail }: Pick<SessionContext, "state" | "jail">,
): readonly string[] {
  const named = new Set(
    (state.environment.PATH ?? "").split(":").filter((path) => path.startsWith("/")),
  );
  const real = new Set([...named].slice(0, MAX_DIRECTORIES).map(realPath));
  const names = new Set<string>();
  for (const path of real) {
    if (
      path === null || !jail.plan.grants.some((grant) => grant.read && coversPath(grant.path, path))
    ) continue;
    for (const name of directoryNames(path) ?? []) {
      if (names.size >= MAX_NAMES) return [...names];
      names.add(name);
    }
  }
  return [...names];
}
