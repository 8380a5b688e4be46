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
