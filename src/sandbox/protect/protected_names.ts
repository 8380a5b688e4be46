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
  /** `profiles` where only what is evaluated counts. */
  readonly kind: "tree" | "profiles";
}

function each(reason: string, ...paths: readonly string[]): ProtectedName[] {
  return paths.map((path) => ({ path, reason, kind: "tree" }));
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
  {
    path: ".direnv",
    reason: "nix-direnv evaluates profiles in it when a shell enters the directory",
    kind: "profiles",
  },
  ...each("autoenv runs it when a shell enters the directory", ".autoenv", ".autoenv.zsh"),
  ...each("asdf and mise take programs from directories that it names", ".tool-versions"),
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
    "Jujutsu, Sapling, Pijul and Darcs run pagers, editors and hooks from it",
    ".jj/repo/config.toml",
    ".jj/workspace-config.toml",
    ".sl/config",
    ".pijul/config",
    "_darcs/prefs/defaults",
  ),
  ...each(
    "irb, pry, iex, ghci, octave, R, ocaml, erl and psysh run it when they start here",
    ".irbrc",
    ".pryrc",
    ".iex.exs",
    ".ghci",
    ".octaverc",
    ".Rprofile",
    ".ocamlinit",
    ".erlang",
    ".psysh.php",
  ),
  ...each("Jupyter runs it when it starts here", "jupyter_config.py", "jupyter_server_config.py"),
  ...each(
    "Jupyter runs it when it starts here",
    "jupyter_lab_config.py",
    "jupyter_notebook_config.py",
  ),
  ...each("rope, which editors use for Python, runs it", ".ropeproject/config.py"),
  ...each(
    "debuggers run commands from it when they start here",
    ".gdbinit",
    ".lldbinit",
    ".pdbrc",
    ".perldb",
    ".byebugrc",
    ".rdbgrc",
    ".rdbgrc.rb",
  ),
  ...each(
    "vim and neovim with 'exrc' run it when they start here",
    ".exrc",
    ".vimrc",
    ".nvimrc",
    ".nvim.lua",
  ),
  ...each("coc.nvim starts the servers that it names", ".vim/coc-settings.json"),
  ...each("Helix starts the servers that it names", ".helix"),
  ...each("Lite XL runs it when it opens the directory", ".lite_project.lua"),
  ...each("Theia starts tasks, debuggers and servers", ".theia"),
  ...each("Eclipse runs builders from it", ".externalToolBuilders"),
  ...each("lazygit runs the pager and commands that it names", ".lazygit.yml"),
  ...each("emacs evaluates local variables from it", ".dir-locals.el", ".dir-locals-2.el"),
  ...each(
    "VS Code starts tasks, debuggers, servers and the programs that settings name",
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".vscode/launch.json",
    ".vscode/mcp.json",
    ".vscode/c_cpp_properties.json",
    ".vscode/cmake-kits.json",
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
    ".claude/launch.json",
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
    ".cursor/worktrees.json",
    ".cursor/sandbox.json",
  ),
  ...each(
    "Copilot runs hooks and extensions from it and starts the servers that it names",
    ".github/hooks",
    ".github/extensions",
    ".github/lsp.json",
    ".github/mcp.json",
    ".github/copilot",
    "lsp.json",
  ),
  ...each("Codex starts servers and runs hooks from it", ".codex"),
  ...each(
    "Gemini CLI starts servers and runs hooks from it, and loads variables",
    ".gemini/settings.json",
    ".gemini/.env",
    ".gemini/commands",
    ".gemini/extensions",
    ".gemini/hooks",
    ".gemini/policies",
    ".gemini/sandbox.Dockerfile",
    ".gemini/sandbox.bashrc",
  ),
  ...each(
    "forks of Gemini CLI and Claude Code run hooks and start servers from it",
    ".qwen/settings.json",
    ".qwen/.env",
    ".iflow/settings.json",
    ".codebuddy/settings.json",
    ".codebuddy/settings.local.json",
  ),
  ...each(
    "opencode loads plug-ins and starts servers from it",
    "opencode.json",
    "opencode.jsonc",
    ".opencode",
    // These also where the directory's node_modules is too large to be kept.
    ".opencode/plugin",
    ".opencode/plugins",
    ".opencode/tool",
    ".opencode/tools",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
  ),
  ...each(
    "Windsurf, Kiro, Roo, Amazon Q and Continue start servers from it",
    ".windsurf",
    ".kiro",
    ".roo",
    ".amazonq",
    ".continue",
  ),
  ...each(
    "Cline, Droid, Auggie, Amp, Kilo Code and Trae run hooks and start servers from it",
    ".clinerules/hooks",
    ".cline",
    ".factory",
    ".augment",
    ".amp",
    ".kilocode",
    ".trae",
  ),
  ...each("pi loads extensions from it", ".pi/extensions", ".pi/settings.json"),
  ...each("Junie, Vibe and Grok start servers from it", ".junie/mcp", ".vibe", ".grok"),
  ...each(
    "OpenHands, Conductor and Codebuff run it when they start here",
    ".openhands",
    "conductor.json",
    "codebuff.json",
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
