/** Which of the ways to configure an agent its configuration follows. */
import { agentChanges, type Wish } from "./agent_changes.ts";
import type { AgentMode, AgentScope } from "./agent_names.ts";
import { isLinked } from "./apply_plan.ts";
import { assignmentOf } from "./config_change.ts";
import { readText } from "./config_file.ts";
import { readConfig } from "./config_text.ts";

/** A way that is followed, and the files that say so. */
export interface Configuration {
  readonly mode: AgentMode;
  readonly scope: AgentScope;
  readonly paths: readonly string[];
}

function isFollowed(wish: Wish): boolean {
  const { files, links } = agentChanges(wish);
  return links.every(isLinked) && files.every(({ path, format, changes }) => {
    const text = readText(path);
    if (text === null) return false;
    try {
      const table = readConfig(text, format);
      return changes.every((change) => assignmentOf(table, change) === null);
    } catch {
      return false;
    }
  });
}

/** All that are followed, the stronger one first. */
export function findConfigurations(wish: Wish): readonly Configuration[] {
  const ways = (["strict", "transparent"] as const).flatMap((mode) =>
    (["user", "project"] as const).map((scope) => ({ ...wish, mode, scope }))
  );
  return ways.filter(isFollowed).map((way) => ({
    mode: way.mode,
    scope: way.scope,
    paths: agentChanges(way).files.map(({ path }) => path),
  }));
}
