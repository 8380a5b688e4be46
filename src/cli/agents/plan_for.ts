/** The plan for a wish, with what only the agent itself can tell. */
import { reasonOf } from "../../errors.ts";
import { dirname, join } from "node:path/posix";
import { isProgram, programCandidates } from "../../sandbox/find_program.ts";
import { type AgentChanges, hookCommand, type Wish } from "./agent_changes.ts";
import { codexTrust } from "./codex_trust.ts";
import { ConfigFiles } from "./config_file.ts";
import { isInside } from "./outside_path.ts";
import type { LedgerEntry } from "./install_ledger.ts";
import { type InstallPlan, planInstall } from "./install_plan.ts";

/** A plan and what its user has to know. */
export interface NotedPlan {
  readonly plan: InstallPlan;
  readonly notes: readonly string[];
}

/** The program of an agent on the user's `PATH`, and not one that the project holds; null where there is none. */
export function agentProgram(
  name: string,
  { environment, project, home }: Pick<Wish, "environment" | "project" | "home">,
): string | null {
  const searchPath = environment.PATH ?? "/usr/bin:/bin";
  return programCandidates({ name, searchPath }).find((path) =>
    path.startsWith("/") && isProgram(path, project) &&
    (isInside(home, project) || !isInside(path, project))
  ) ??
    null;
}

function notesOf({ scope, executable, project, agent, mode }: Wish): readonly string[] {
  const notes: string[] = [];
  if (scope === "project") {
    notes.push(
      "the agent's own tools for files can change a project's configuration, the user's is safer",
    );
  }
  if (scope === "project" && (agent === "codex" || agent === "gemini")) {
    notes.push(
      `${agent} reads a project's configuration only where you told it to trust the project`,
    );
  }
  if (executable.startsWith(`${project}/`)) {
    notes.push(`${executable} lies where commands can write: copy it to a directory of yours`);
  }
  if (agent === "codex" && mode === "transparent") {
    notes.push(
      `inside of Codex's own sandbox Debrief refuses to run commands: set sandbox_mode = "danger-full-access", or use --strict`,
    );
  }
  return notes;
}

/** The changes, and for a hook of Codex that it is trusted: the user sees both in one diff and agrees to both. */
async function withTrust(
  wish: Wish,
  { changes, plan }: { readonly changes: AgentChanges; readonly plan: InstallPlan },
): Promise<AgentChanges> {
  const [hooks] = changes.files;
  const text = plan.files.find(({ path }) => path === hooks?.path)?.text;
  const codex = agentProgram("codex", wish);
  if (hooks === undefined || text === undefined || text === null) return changes;
  if (codex === null) {
    throw new Error("codex is not on PATH, in which nothing of the project counts");
  }
  const { environment, project: cwd } = wish;
  const command = hookCommand(wish);
  const trust = await codexTrust({ path: hooks.path, text, command }, { codex, environment, cwd });
  // Trust is the user's matter, also for the hooks of a project.
  const path = join(
    wish.scope === "user"
      ? dirname(hooks.path)
      : environment.CODEX_HOME || join(wish.home, ".codex"),
    "config.toml",
  );
  return { ...changes, files: [...changes.files, { path, format: "toml", changes: [trust] }] };
}

/** Work out what to write. @throws {Error} naming the file and the key that cannot be changed. */
export async function planFor(
  wish: Wish,
  { changes, previous }: {
    readonly changes: AgentChanges;
    readonly previous: LedgerEntry | null;
  },
): Promise<NotedPlan> {
  const files = new ConfigFiles(wish);
  const read = (path: string) => files.read(path);
  const install = (wanted: AgentChanges) => planInstall({ ...wanted, ...wish }, { previous, read });
  const plan = install(changes);
  const notes = notesOf(wish);
  if (wish.agent !== "codex" || wish.mode !== "transparent") return { plan, notes };
  try {
    return { plan: install(await withTrust(wish, { changes, plan })), notes };
  } catch (error) {
    const reason = reasonOf(error);
    const remedy = "Codex skips the hook until you trust it: start codex and type /hooks";
    return { plan, notes: [...notes, `${remedy} (${reason})`] };
  }
}
