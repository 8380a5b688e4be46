/**
 * Builtin commands of bash 5.2 (GNU Bash Reference Manual, section 4) that start no program. Left out are those that run
 * another program or load code, which a `run` list must name: `.`, `source`, `exec`, `eval`, `enable`, `hash`, `bind`, `complete`,
 * `compgen`, `mapfile`, `readarray` and `fc`; `command` and `builtin` pass because the program behind them is checked as its own.
 */
export const SHELL_BUILTINS: ReadonlySet<string> = new Set(
  [
    ": [ alias bg break builtin caller cd command compopt continue declare dirs disown echo exit export false fg getopts",
    "help history jobs kill let local logout popd printf pushd pwd read readonly return set shift shopt suspend",
    "test times trap true type typeset ulimit umask unalias unset wait",
  ].join(" ").split(" "),
);

/**
 * Programs whose first operand is a subcommand. For these a deny such as `git push` needs `push` in that place, so that
 * `git commit -m push` passes; for every other program the place of an operand says nothing.
 */
export const SUBCOMMAND_PROGRAMS: ReadonlySet<string> = new Set(
  [
    "apt apt-get aws az brew bun bundle cargo composer conda deno dnf docker dotnet flyctl gcloud gem gh git glab go gradle helm",
    "heroku kubectl mix npm nix pip pip3 pipx pnpm podman poetry pulumi rustup snap svn systemctl terraform tofu uv vercel wrangler yarn yum",
  ].join(" ").split(" "),
);
