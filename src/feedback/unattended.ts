/** How well-known programs are run without anybody to answer: facts from their own manuals. */
import type { ProgramUse } from "./observed.ts";
import { programName } from "./observed.ts";

/** One program; with a sub-command, only that. */
interface Unattended {
  readonly program: string;
  readonly command?: string;
  readonly fact: string;
}

const TABLE: readonly Unattended[] = [
  { program: "npm", command: "init", fact: "`npm init -y` takes the defaults" },
  {
    program: "npm",
    command: "create",
    fact: "`npm create -y` installs what it needs; flags behind `--` go to the template",
  },
  { program: "npm", command: "login", fact: "npm reads a token from `.npmrc` or NODE_AUTH_TOKEN" },
  { program: "npx", fact: "`npx --yes` installs without asking" },
  { program: "pnpm", command: "init", fact: "`pnpm init` asks nothing" },
  { program: "yarn", command: "init", fact: "`yarn init -y` takes the defaults" },
  {
    program: "apt-get",
    fact: "`apt-get -y` answers yes; `DEBIAN_FRONTEND=noninteractive` silences packages",
  },
  {
    program: "apt",
    fact: "`apt-get -y` answers yes; `DEBIAN_FRONTEND=noninteractive` silences packages",
  },
  { program: "dnf", fact: "`dnf -y` answers yes" },
  { program: "yum", fact: "`yum -y` answers yes" },
  { program: "pacman", fact: "`pacman --noconfirm` asks nothing" },
  { program: "apk", fact: "`apk add` asks nothing without `--interactive`" },
  { program: "brew", fact: "`NONINTERACTIVE=1` keeps brew from asking" },
  { program: "pip", command: "uninstall", fact: "`pip uninstall -y` answers yes" },
  { program: "conda", fact: "`conda -y` answers yes" },
  { program: "git", command: "commit", fact: "`git commit -m TEXT` or `-F FILE` needs no editor" },
  {
    program: "git",
    command: "rebase",
    fact: "`GIT_SEQUENCE_EDITOR=true git rebase` takes the list as it is",
  },
  { program: "git", command: "add", fact: "`git add PATH` asks nothing without `-p` and `-i`" },
  {
    program: "git",
    fact: "`GIT_TERMINAL_PROMPT=0` makes git fail instead of asking for a password",
  },
  {
    program: "ssh",
    fact:
      "`ssh -o BatchMode=yes` fails instead of asking; `-o StrictHostKeyChecking=accept-new` accepts a new host",
  },
  { program: "scp", fact: "`scp -B` (BatchMode) fails instead of asking" },
  { program: "ssh-keygen", fact: "`ssh-keygen -N '' -f FILE` asks nothing" },
  { program: "sudo", fact: "`sudo -n` fails instead of asking" },
  { program: "su", fact: "su asks for a password unless root runs it" },
  { program: "rm", fact: "`rm -f` asks nothing" },
  { program: "cp", fact: "`cp -f` overwrites, `cp -n` keeps what is there" },
  { program: "mv", fact: "`mv -f` overwrites, `mv -n` keeps what is there" },
  { program: "unzip", fact: "`unzip -o` overwrites, `unzip -n` keeps what is there" },
  { program: "gpg", fact: "`gpg --batch --yes --pinentry-mode loopback` asks nothing" },
  { program: "openssl", fact: "`-passin`, `-passout` and `-subj` give openssl what it asks for" },
  {
    program: "docker",
    command: "login",
    fact: "`docker login --password-stdin` reads the password from a pipe",
  },
  { program: "docker", command: "system", fact: "`docker system prune -f` asks nothing" },
  { program: "gh", fact: "GH_TOKEN and `GH_PROMPT_DISABLED=1` keep gh from asking" },
  {
    program: "terraform",
    fact: "`terraform -input=false`, and for apply `-auto-approve`, ask nothing",
  },
  {
    program: "psql",
    fact:
      "`psql -w` never asks for a password; PGPASSWORD or ~/.pgpass gives it; `-c` gives the query",
  },
  { program: "mysql", fact: "`mysql -e QUERY` needs no terminal" },
  { program: "sqlite3", fact: "`sqlite3 FILE QUERY` runs a query and ends" },
  { program: "python3", fact: "`python3 -c CODE` or `python3 FILE` ends by itself" },
  { program: "python", fact: "`python -c CODE` or `python FILE` ends by itself" },
  { program: "node", fact: "`node -e CODE` or `node FILE` ends by itself" },
  { program: "composer", fact: "`composer --no-interaction` asks nothing" },
  { program: "poetry", fact: "`poetry --no-interaction` asks nothing" },
  { program: "ng", fact: "`ng --no-interactive --defaults` asks nothing" },
  { program: "passwd", fact: "`chpasswd` reads names and passwords from a pipe" },
];

/** What is known of the programs of a command, at most two facts, in the order of the command. */
export function unattendedFacts(programs: readonly ProgramUse[]): readonly string[] {
  const facts = programs.flatMap((use) => {
    const name = programName(use);
    const command = use.args.find((word) => word !== null && !word.startsWith("-")) ?? null;
    const rows = TABLE.filter(({ program }) => program === name);
    const row = rows.find((one) => one.command === command && command !== null) ??
      rows.find((one) => one.command === undefined);
    return row === undefined ? [] : [row.fact];
  });
  return [...new Set(facts)].slice(0, 2);
}
