/**
 * What is protected by name in a workspace, and in every repository beneath it: files from which a program outside of the
 * jail would run code when the user next opens a shell, an editor or an agent there. Text that only advises an agent
 * (`AGENTS.md`, `CLAUDE.md`, `.cursorrules`) and code of the project itself (`.husky/`, `Makefile`, `package.json`) is not
 * here: it is what commands are for.
 */

/** One protected name. */
export interface ProtectedName {
  /** Relative to the directory; with everything beneath it. */
  readonly path: string;
  /** Who runs code from it, and when. */
  readonly reason: string;
}

function each(reason: string, ...paths: readonly string[]): ProtectedName[] {
  return paths.map((path) => ({ path, reason }));
}

/** All of them. */
export const PROTECTED_NAMES: readonly ProtectedName[] = [
  ...each(
    "bash reads it when it starts or ends, where the directory is HOME",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
  ),
  ...each(
    "zsh reads it when it starts or ends, where the directory is HOME or ZDOTDIR",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
  ),
  ...each("ksh, csh and tcsh read it when they start", ".kshrc", ".cshrc", ".tcshrc", ".login"),
  ...each("readline binds keys to commands from it, where the directory is HOME", ".inputrc"),
  ...each("direnv runs it when a shell enters the directory", ".envrc"),
  ...each(
    "mise runs hooks and templates from it when a shell enters the directory",
    ".mise.toml",
    ".mise.local.toml",
    "mise.toml",
    "mise.local.toml",
    ".mise",
    ".config/mise.toml",
    ".config/mise",
  ),
  ...each(
    "Mercurial runs hooks and extensions from it, also where a prompt asks it for the branch",
    ".hg/hgrc",
    ".hg/hgrc-not-shared",
    ".hg/sharedpath",
  ),
  ...each(
    "irb, pry, iex, ghci, octave and R run it when they start here",
    ".irbrc",
    ".pryrc",
    ".iex.exs",
    ".ghci",
    ".octaverc",
    ".Rprofile",
  ),
  ...each("gdb and lldb run commands from it when they start here", ".gdbinit", ".lldbinit"),
  ...each(
    "vim and neovim with 'exrc' run it when they start here",
    ".exrc",
    ".vimrc",
    ".nvimrc",
    ".nvim.lua",
  ),
  ...each("emacs evaluates local variables from it", ".dir-locals.el", ".dir-locals-2.el"),
  ...each(
    "VS Code starts tasks, debuggers, servers and the programs that settings name",
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".vscode/launch.json",
    ".vscode/mcp.json",
  ),
  ...each(
    "VS Code runs its commands on the host when it opens a container",
    ".devcontainer",
    ".devcontainer.json",
  ),
  ...each(
    "JetBrains IDEs start run configurations, tools and file watchers from it",
    ".idea",
    ".run",
  ),
  ...each("Zed starts tasks, servers and the programs that settings name", ".zed"),
  ...each("Fleet starts run configurations from it", ".fleet"),
  ...each("Sublime Text and others start a project's build systems", ".sublime-project"),
  ...each(
    "Claude Code runs hooks, servers and commands from it",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".claude/commands",
    ".claude/agents",
    ".claude/skills",
  ),
  ...each("agents and editors start the servers that it names", ".mcp.json", "mcp.json"),
  ...each(
    "Cursor starts servers and runs hooks from it",
    ".cursor/mcp.json",
    ".cursor/hooks.json",
    ".cursor/hooks",
    ".cursor/environment.json",
    ".cursor/cli.json",
  ),
  ...each("Copilot runs hooks from it", ".github/hooks"),
  ...each("Codex starts servers and runs hooks from it", ".codex"),
  ...each(
    "Gemini CLI starts servers and runs hooks from it, and loads variables",
    ".gemini/settings.json",
    ".gemini/.env",
    ".gemini/commands",
    ".gemini/extensions",
  ),
  ...each(
    "opencode loads plug-ins and starts servers from it",
    "opencode.json",
    "opencode.jsonc",
    ".opencode",
  ),
  ...each(
    "Windsurf, Kiro, Roo, Amazon Q and Continue start servers from it",
    ".windsurf",
    ".kiro",
    ".roo",
    ".amazonq",
    ".continue",
  ),
  ...each("aider runs the commands that it names", ".aider.conf.yml"),
  ...each(
    "goose, crush and other agents start servers from it",
    ".goose",
    ".crush.json",
    "crush.json",
  ),
  ...each("Debrief takes a policy from it where the user names it", ".debrief"),
];
