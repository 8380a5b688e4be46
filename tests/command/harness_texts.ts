/** What agents give to a shell, as seen with Claude Code 2.1.330 and Gemini CLI 0.61.0. */

const NAMES = (name: string) =>
  `{ \\builtin unalias -- '${name}'; \\builtin unset -f -- '${name}'; } >/dev/null 2>&1 || true`;

/** `'it'"'"'s'`. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** Claude Code's wrapper. */
export function claudeText(
  command: string,
  { file = "/tmp/claude-70cc-cwd", snapshot = true, input = " < /dev/null" } = {},
): string {
  return [
    ...(snapshot
      ? [
        "source /home/u/.claude/shell-snapshots/snapshot-bash-1795326065507-ugvf7p.sh 2>/dev/null || true",
      ]
      : []),
    "\\builtin shopt -u extglob 2>/dev/null || true",
    NAMES("which"),
    NAMES("unsetenv"),
    `eval ${quoted(command)}${input}`,
    `pwd -P >| ${file}`,
  ].join(" && ");
}

/** Claude Code's wrapper behind `CLAUDE_CODE_SHELL_PREFIX`. */
export function claudePrefixText(command: string): string {
  return claudeText(command).replace(
    "\\builtin shopt -u extglob 2>/dev/null",
    "{ \\builtin shopt -u extglob || \\builtin setopt NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL NO_BRACE_CCL NO_MAGIC_EQUAL_SUBST NO_EQUALS; } >/dev/null 2>&1",
  );
}

/** Claude Code's wrapper of a command that old versions of bash read otherwise. */
export function claudeCheckedText(command: string): string {
  return `{ case "\${BASH_VERSINFO-}" in '2'|'3') \\builtin printf '%s\\n' '__CLAUDE_CODE_DID_NOT_RUN_BASH_TOO_OLD='"\${BASH_VERSION-}" >&2; \\builtin exit 126; \\exit 126;; esac; } && ${
    claudeText(command)
  }`;
}

/** Gemini CLI's wrapper. */
export function geminiText(command: string, file = "/tmp/gemini-shell-VweA2C/bgpids.tmp"): string {
  return `shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=${file}
(
  trap 'jobs -p > "$_bgpids_file"' EXIT
${command}
)
__code=$?
exit $__code`;
}
