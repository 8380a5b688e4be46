/** Names of the programs that a session's commands can find, for suggestions. */
import { decidePath } from "../policy/match.ts";
import type { SessionContext } from "./session_context.ts";

/** Most names that are looked at. */
const MAX_NAMES = 20_000;

/** Names in the directories of the session's PATH that commands may read; nothing is opened or executed. */
export function programsOnPath({ state, policy }: SessionContext): readonly string[] {
  const names = new Set<string>();
  for (const directory of (state.environment.PATH ?? "").split(":")) {
    if (
      !directory.startsWith("/") ||
      !decidePath(policy, { permission: "read", path: directory }).allowed
    ) continue;
    try {
      for (const entry of Deno.readDirSync(directory)) {
        if (names.size >= MAX_NAMES) return [...names];
        if (!entry.isDirectory) names.add(entry.name);
      }
    } catch {
      // A directory of PATH that does not exist holds no program.
    }
  }
  return [...names];
}
