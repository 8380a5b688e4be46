/** Ways in which commands change a workspace, and what must be left of them. */
import type { TempTree } from "../temp_tree.ts";

/** A configuration with a key of each kind. */
export const CONFIG = "[core]\n\trepositoryformatversion = 0\n[alias]\n\tst = status\n";
/** A hook of the user. */
export const HOOK = "#!/bin/sh\nexit 0\n";

/** A workspace with a nested repository, a home, and a file that nothing may touch. */
export const FILES = {
  "work/.git/HEAD": "ref: refs/heads/main\n",
  "work/.git/objects": { directory: true },
  "work/.git/refs": { directory: true },
  "work/.git/config": CONFIG,
  "work/.git/hooks/pre-commit": HOOK,
  "work/.git/hooks/pre-push.sample": "sample\n",
  "work/.git/info/exclude": "",
  "work/.vscode/settings.json": "{}\n",
  "work/src/file": "text\n",
  "work/nested/.git/HEAD": "ref: refs/heads/main\n",
  "work/nested/.git/config": CONFIG,
  "work/nested/.git/hooks/pre-commit": HOOK,
  "home/.gitconfig": "[core]\n\thooksPath = .own-hooks\n",
  "outside/victim": "unharmed\n",
} as const;

/** One way. */
export interface Change {
  readonly in: string;
  readonly change: (tree: TempTree) => void;
  /** Paths beneath `work` that are reported; with the keys in brackets. */
  readonly want: readonly string[];
  /** What must be there afterwards, beneath `work`; null for nothing. */
  readonly after: Readonly<Record<string, string | null>>;
}

const move = (tree: TempTree, from: string, to: string) =>
  Deno.renameSync(tree.at(from), tree.at(to));
const link = (tree: TempTree, target: string, path: string) =>
  Deno.symlinkSync(target, tree.at(path));

/** All of them. */
export const CHANGES: readonly Change[] = [
  { in: "nothing", change: () => {}, want: [], after: { ".git/config": CONFIG } },
  {
    in: "ordinary work",
    change: (tree) => {
      tree.add("work/src/other", "x");
      tree.add("work/.git/index", "x");
      tree.add("work/.git/refs/heads/side", "x");
      tree.add("work/.git/info/exclude", "x");
      tree.add("work/.git/hooks/post-merge.sample", "x");
      tree.add("work/.vscode/extensions.json", "{}");
      tree.add("work/AGENTS.md", "x");
    },
    want: [],
    after: {
      "src/other": "x",
      ".vscode/extensions.json": "{}",
      ".git/hooks/post-merge.sample": "x",
    },
  },
  {
    in: "a hook changed",
    change: (tree) => tree.add("work/.git/hooks/pre-commit", "evil"),
    want: [".git/hooks"],
    after: { ".git/hooks/pre-commit": HOOK, ".git/hooks/pre-push.sample": "sample\n" },
  },
  {
    in: "a hook created, in a nested repository too",
    change: (tree) => {
      tree.add("work/.git/hooks/post-checkout", "evil");
      tree.add("work/nested/.git/hooks/post-checkout", "evil");
    },
    want: [".git/hooks", "nested/.git/hooks"],
    after: { ".git/hooks/post-checkout": null, "nested/.git/hooks/post-checkout": null },
  },
  {
    in: "a sample made a hook",
    change: (tree) => move(tree, "work/.git/hooks/pre-push.sample", "work/.git/hooks/pre-push"),
    want: [".git/hooks"],
    after: { ".git/hooks/pre-push": null },
  },
  {
    in: "a key that runs code, next to one that does not",
    change: (tree) =>
      tree.add("work/.git/config", CONFIG + "[user]\n\tname = x\n[core]\n\tpager = evil\n"),
    want: [".git/config (core.pager)"],
    after: {
      ".git/config":
        '[core]\n\trepositoryformatversion = 0\n[alias]\n[user]\n\tname = x\n[core]\n[alias]\n\tst = "status"\n',
    },
  },
  {
    in: "an inert key",
    change: (tree) => tree.add("work/.git/config", CONFIG + "[user]\n\tname = x\n"),
    want: [],
    after: { ".git/config": CONFIG + "[user]\n\tname = x\n" },
  },
  {
    in: "a worktree's configuration, attributes and a commondir created",
    change: (tree) => {
      tree.add("work/.git/config.worktree", "[core]\n\tfsmonitor = evil\n");
      tree.add("work/.git/info/attributes", "* diff=evil\n");
      tree.add("work/.git/commondir", "../src\n");
    },
    want: [".git/commondir", ".git/config.worktree (core.fsmonitor)", ".git/info/attributes"],
    after: {
      ".git/config.worktree": "[core]\n",
      ".git/info/attributes": null,
      ".git/commondir": null,
    },
  },
  {
    in: "a link instead of a file",
    change: (tree) => {
      Deno.removeSync(tree.at("work/.git/config"));
      link(tree, "../src/file", "work/.git/config");
    },
    want: [".git/config"],
    after: { ".git/config": CONFIG },
  },
  {
    in: "a link instead of the hooks",
    change: (tree) => {
      move(tree, "work/.git/hooks", "work/old");
      link(tree, "../src", "work/.git/hooks");
    },
    want: [".git/hooks"],
    after: { ".git/hooks/pre-commit": HOOK, "old/pre-commit": HOOK },
  },
  {
    in: "a link instead of the repository",
    change: (tree) => {
      move(tree, "work/.git", "work/old");
      link(tree, "old", "work/.git");
    },
    want: [".git"],
    after: { ".git": null, "old/config": CONFIG, "old/hooks/pre-commit": HOOK },
  },
  {
    in: "what nix-direnv evaluates, beside what it does not",
    change: (tree) => {
      tree.add("work/.direnv/flake-profile-a.rc", "evil");
      tree.add("work/.direnv/flake-inputs/x", "x");
    },
    want: [".direnv"],
    after: { ".direnv/flake-profile-a.rc": null, ".direnv/flake-inputs/x": "x" },
  },
  {
    in: "a file that leads to a repository of the command's own",
    change: (tree) => {
      move(tree, "work/nested/.git", "work/old");
      tree.add("work/evil/HEAD", "x");
      tree.add("work/evil/config", "[core]\n\tfsmonitor = evil\n");
      tree.add("work/nested/.git", "gitdir: ../evil\n");
    },
    want: ["nested/.git"],
    after: { "nested/.git": null, "old/config": CONFIG, "old/hooks/pre-commit": HOOK },
  },
  {
    in: "a parent renamed, and another repository in its place",
    change: (tree) => {
      move(tree, "work/nested", "work/moved");
      tree.add("work/nested/.git/HEAD", "x");
      tree.add("work/nested/.git/config", "[core]\n\teditor = evil\n");
      tree.add("work/nested/.git/hooks/post-commit", "evil");
    },
    want: ["nested/.git/config (core.editor, alias.st)", "nested/.git/hooks"],
    after: {
      "nested/.git/config": '[core]\n[alias]\n\tst = "status"\n',
      "nested/.git/hooks/post-commit": null,
      "moved/.git/config": CONFIG,
      "moved/.git/hooks/pre-commit": HOOK,
    },
  },
  {
    in: "a repository moved, and changed there",
    change: (tree) => {
      move(tree, "work/nested", "work/moved");
      tree.add("work/moved/.git/hooks/pre-commit", "evil");
    },
    want: ["moved/.git/hooks"],
    after: { "nested": null, "moved/.git/config": CONFIG, "moved/.git/hooks/pre-commit": HOOK },
  },
  {
    in: "a repository deleted",
    change: (tree) => Deno.removeSync(tree.at("work/nested"), { recursive: true }),
    want: [],
    after: { "nested/.git/config": null },
  },
  {
    in: "new repositories: nested, bare, a worktree's, a module's",
    change: (tree) => {
      tree.add("work/a/b/.git/HEAD", "x");
      tree.add("work/a/b/.git/config", "[core]\n\tbare = false\n\tsshCommand = evil\n");
      tree.add("work/a/b/.git/hooks/post-commit", "evil");
      for (const name of ["HEAD", "objects/x", "refs/x"]) tree.add(`work/bare/${name}`, "x");
      tree.add("work/bare/hooks/post-receive", "evil");
      tree.add("work/.git/worktrees/w/HEAD", "x");
      tree.add("work/.git/worktrees/w/commondir", "../..\n");
      tree.add("work/.git/worktrees/v/HEAD", "x");
      tree.add("work/.git/worktrees/v/commondir", "../../../src\n");
      for (const name of ["HEAD", "objects/x", "refs/x"]) {
        tree.add(`work/.git/modules/m/n/${name}`, "x");
      }
      tree.add(
        "work/.git/modules/m/n/config",
        "[core]\n\tworktree = ../../../../m/n\n[alias]\n\tx = !evil\n",
      );
    },
    want: [
      ".git/modules/m/n/config (alias.x)",
      ".git/worktrees/v/commondir",
      "a/b/.git/config (core.sshcommand)",
      "a/b/.git/hooks",
      "bare/hooks",
    ],
    after: {
      "a/b/.git/config": "[core]\n\tbare = false\n",
      "a/b/.git/hooks/post-commit": null,
      "bare/hooks/post-receive": null,
      ".git/worktrees/w/commondir": "../..\n",
      ".git/worktrees/v/commondir": null,
      ".git/modules/m/n/config": "[core]\n\tworktree = ../../../../m/n\n[alias]\n",
    },
  },
  {
    in: "names of editors, agents and shells",
    change: (tree) => {
      tree.add("work/.vscode/settings.json", "evil");
      tree.add("work/.envrc", "evil");
      tree.add("work/.claude/settings.json", "evil");
      tree.add("work/.idea/runConfigurations/x.xml", "evil");
      tree.add("work/nested/.mcp.json", "evil");
      tree.add("work/.own-hooks/pre-commit", "evil");
      tree.add("work/src/.vscode/settings.json", "a package of somebody else's");
    },
    want: [
      ".claude/settings.json",
      ".envrc",
      ".idea",
      ".own-hooks",
      ".vscode/settings.json",
      "nested/.mcp.json",
    ],
    after: {
      ".vscode/settings.json": "{}\n",
      ".envrc": null,
      ".claude/settings.json": null,
      "nested/.mcp.json": null,
      ".own-hooks/pre-commit": null,
    },
  },
  {
    in: "a link instead of a directory above a protected name",
    change: (tree) => {
      move(tree, "work/.vscode", "work/old");
      tree.add("work/evil/settings.json", "evil");
      link(tree, "evil", "work/.vscode");
    },
    want: [".vscode/settings.json"],
    after: { ".vscode/settings.json": "{}\n", "evil/settings.json": "evil" },
  },
  {
    in: "links that lead out",
    change: (tree) => {
      Deno.removeSync(tree.at("work/.git/hooks"), { recursive: true });
      link(tree, "../../outside", "work/.git/hooks");
      link(tree, "../../outside", "work/.claude");
      link(tree, "/", "work/everything");
    },
    want: [".claude", ".git/hooks"],
    after: { ".git/hooks/pre-commit": HOOK, ".claude": null, "everything": "-> /" },
  },
];
