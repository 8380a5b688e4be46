/** What goes on after git has refused, by what it says. */
import { endLines, programName } from "../observed.ts";
import {
  lineOf,
  type Proposal,
  run,
  type SuggestContext,
  type SuggestRule,
  withOption,
} from "./rule.ts";

/** The table. */
export const GIT_RULES: readonly SuggestRule[] = [
  { name: "git", propose: afterGit },
];

interface GitRow {
  readonly line: RegExp;
  readonly propose: (context: SuggestContext, line: string) => readonly Proposal[];
}

/** The first row whose pattern a line of the output matches. */
const ROWS: readonly GitRow[] = [
  {
    line: /^CONFLICT \(|^fatal: Exiting because of an unresolved conflict|unmerged files/,
    propose: ({ observed }) => [
      ...run("git diff --name-only --diff-filter=U", "lists the files in conflict"),
      ...run(`git ${stopped(observed)} --abort`, "goes back to before it"),
    ],
  },
  {
    line: /Your local changes to the following files would be overwritten/,
    propose: (_, line) =>
      run(`git stash && ${line}`, "puts local changes aside; `git stash pop` brings them back"),
  },
  {
    line: /^ ! \[rejected\]/,
    propose: (_, line) => run(`git pull --rebase && ${line}`, "takes in what the remote has first"),
  },
  {
    line: /^fatal: Unable to create '.{1,400}\/\.git\/index\.lock': File exists/,
    propose: (_, line) =>
      run(
        `rm -f .git/index.lock && ${line}`,
        "goes on, where no other git is at work: one that was killed leaves the lock",
      ),
  },
  {
    line: /^no changes added to commit/,
    propose: ({ observed }) =>
      run(withOption(observed, "-a", "commit"), "commits changes of tracked files as well"),
  },
  {
    line: /^The following paths are ignored by one of your \.gitignore files/,
    propose: ({ observed }) => run(withOption(observed, "-f", "add"), "adds ignored paths, too"),
  },
  {
    line:
      /^fatal: (?:Need to specify how to reconcile divergent branches|Not possible to fast-forward)/,
    propose: () => [
      ...run("git pull --rebase", "puts local commits on top"),
      ...run("git pull --no-rebase", "merges"),
    ],
  },
  {
    line: /^There is no tracking information for the current branch/,
    propose: () => run("git branch -vv --all", "lists branches and what they track"),
  },
  {
    line: /^fatal: a branch named '.{1,200}' already exists/,
    propose: ({ observed }) => {
      const name = operand(observed);
      return name === null ? [] : run(`git switch ${name}`, "goes to the branch that exists");
    },
  },
  {
    line: /^nothing to commit, working tree clean/,
    propose: () => run("git log -1 --stat", "shows the last commit, which has all changes"),
  },
];

function afterGit(context: SuggestContext): readonly Proposal[] {
  const { observed } = context;
  const line = lineOf(observed);
  if (observed.ending.exitCode === 0 || line === null) return [];
  if (!observed.programs.some((use) => programName(use) === "git")) return [];
  const lines = endLines(observed.ending);
  const row = ROWS.find(({ line: pattern }) => lines.some((text) => pattern.test(text)));
  return row?.propose(context, line) ?? [];
}

/** The sub-command that stopped at a conflict. */
function stopped(observed: SuggestContext["observed"]): string {
  const words = observed.programs.flatMap(({ args }) => args);
  if (words.includes("cherry-pick")) return "cherry-pick";
  return words.includes("rebase") || words.includes("--rebase") ? "rebase" : "merge";
}

function operand(observed: SuggestContext["observed"]): string | null {
  const word = observed.programs.at(-1)?.args.at(-1);
  return word && /^[\w.\/-]{1,200}$/.test(word) ? word : null;
}
