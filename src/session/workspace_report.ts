/** What was changed in a workspace: told by git, which is asked inside a jail, else by the times of the files. */
import { reasonOf } from "../errors.ts";
import { relative } from "node:path/posix";
import type { HandoffChanges } from "../record/handoff_schema.ts";
import { shortText } from "../record/visible_text.ts";
import { DEFAULT_PATH } from "../sandbox/default_path.ts";
import { type Reading, runReader } from "./run_reader.ts";
import type { SessionContext } from "./session_context.ts";
import { changedSince } from "./workspace_changes.ts";

/** Time of one call of git, in ms, and bytes that it may print. */
const GIT = { timeoutMs: 20_000, maxBytes: 1 << 20 } as const;
/** Files and commits that are listed, and characters of each. */
const MAX = { files: 500, commits: 50, text: 400 } as const;

/** Nothing is known. @param reason why. */
export function unknownChanges(reason: string): HandoffChanges {
  return { source: "unknown", reason, branch: null, files: [], commits: [], more: 0 };
}

/**
 * Looks at a session's workspace. A repository's own configuration can make git run programs: they run in a jail that
 * writes nothing and reaches nothing.
 *
 * @param since begin of the work, in ms since 1970.
 */
export async function workspaceReport(
  context: Pick<SessionContext, "jail" | "variables">,
  since: number,
): Promise<HandoffChanges> {
  const { WORKSPACE, HOME } = context.variables;
  const git = async (...words: readonly string[]) => {
    const reading: Reading = {
      argv: ["git", "--no-pager", ...words],
      environment: {
        PATH: DEFAULT_PATH,
        HOME,
        LC_ALL: "C",
        GIT_OPTIONAL_LOCKS: "0",
        GIT_TERMINAL_PROMPT: "0",
      },
      cwd: WORKSPACE,
      input: "",
      ...GIT,
    };
    const { end, stdout, stderr } = await runReader(context.jail, reading);
    if (end.status?.kind === "exited" && end.status.code === 0) return stdout;
    const said = stderr.trim().split("\n").at(-1)!
      .replace(/^fatal: /, "").replace(/ \(or any .{0,200}$/, "");
    throw new Error(shortText(said || "git did not answer", MAX.text));
  };
  try {
    const status = await git("status", "--porcelain=v1", "-z", "--branch", "--untracked-files=all");
    const begin = `--since=@${Math.floor(since / 1_000)}`;
    // A repository without a commit has no log.
    const log = await git("log", begin, `--max-count=${MAX.commits}`, "-z", "--format=%h %s")
      .catch(() => "");
    return gitChanges(status, log);
  } catch (error) {
    const reason = reasonOf(error);
    return timeChanges(WORKSPACE, { since, reason });
  }
}

/** From `git status --porcelain=v1 -z --branch` and `git log -z --format='%h %s'`. */
export function gitChanges(status: string, log: string): HandoffChanges {
  const words = status.split("\0").filter((word) => word !== "");
  const files: { status: string; path: string }[] = [];
  let branch: string | null = null;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (word.startsWith("## ")) {
      branch = shortText(word.slice(3), MAX.text);
      continue;
    }
    files.push({
      status: shortText(word.slice(0, 2), 8),
      path: shortText(word.slice(3), MAX.text),
    });
    // Behind a rename or copy comes the old path.
    if (/^[RC]|^.[RC]/.test(word)) index++;
  }
  const commits = log.split("\0").filter((line) => line !== "").map((line) => {
    const at = line.indexOf(" ");
    return { id: line.slice(0, at), subject: shortText(line.slice(at + 1), MAX.text) };
  });
  return {
    source: "git",
    reason: null,
    branch,
    files: files.slice(0, MAX.files),
    commits,
    more: Math.max(0, files.length - MAX.files),
  };
}

function timeChanges(
  workspace: string,
  { since, reason }: { readonly since: number; readonly reason: string },
): HandoffChanges {
  const found = changedSince(workspace, since);
  if (found === null) return unknownChanges(`${reason}; the workspace has too many files`);
  const files = found.map((path) => ({
    status: "",
    path: shortText(relative(workspace, path), MAX.text),
  }));
  return {
    ...unknownChanges(reason),
    source: "times",
    files: files.slice(0, MAX.files),
    more: Math.max(0, files.length - MAX.files),
  };
}
