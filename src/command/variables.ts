import { type Frame, type Runner, runText, within } from "./frame.ts";
import type { Assignment } from "./script.ts";
import { literalArg, OPEN_ENDED } from "./word.ts";

/** Variables whose value some program runs as a command: bash 5.2, git 2.47, less, man-db, sudo, ssh, rsync, systemd. */
const COMMAND_VARIABLES = new Set(
  ("PROMPT_COMMAND PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER BAT_PAGER DELTA_PAGER EDITOR VISUAL FCEDIT SUDO_EDITOR " +
    "SYSTEMD_EDITOR GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS " +
    "SUDO_ASKPASS GIT_PROXY_COMMAND BROWSER LESSOPEN LESSCLOSE RSYNC_RSH CVS_RSH").split(" "),
);
/** Variables that name files or tables which commands are taken from. */
const SOURCE_VARIABLES = new Set(
  ("BASH_ENV ENV BASH_ALIASES BASH_CMDS GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM " +
    "GIT_CONFIG GIT_EXEC_PATH GIT_TEMPLATE_DIR").split(" "),
);
/** Prompts, which bash expands like the text of a here-document; PS4 also outside a terminal, for `set -x`. */
const PROMPT_VARIABLES = new Set(["PS0", "PS1", "PS2", "PS4"]);

/** Records what a variable's value makes other programs, or the shell, start. */
export function startsOfAssignment(assignment: Assignment, frame: Frame, run: Runner): void {
  const { name, value } = assignment;
  if (name === null || value === "" || value === "/dev/null") return;
  const inner = {
    ...within({ ...frame, span: assignment.span }, name),
    own: false,
    shell: "posix" as const,
  };
  if (COMMAND_VARIABLES.has(name)) {
    const arg = value === null ? OPEN_ENDED : literalArg(value.replace(/^[|-]+/, ""));
    runText(arg, name === "PROMPT_COMMAND" ? { ...inner, shell: "bash" } : inner, run);
  } else if (SOURCE_VARIABLES.has(name)) run.unknown(value ?? name, inner);
  else if (
    PROMPT_VARIABLES.has(name) && (value === null ? name === "PS4" : /\$\(|`|\$\{/.test(value))
  ) {
    run.unknown(value ?? name, inner);
  }
}

/** Builtins that set the variables their operands name, with the option letters that take a value of their own. */
const NAMING_BUILTINS: ReadonlyMap<string, string> = new Map([
  ["read", "adeinNptu"],
  ["mapfile", "dnOsucC"],
  ["readarray", "dnOsucC"],
  ["getopts", ""],
]);

/** The names that `read`, `mapfile`, `getopts` and `printf -v` set, null for one that is not known. */
export function namesSetBy(argv: readonly (string | null)[]): (string | null)[] {
  const [name, ...args] = argv;
  if (name === "printf") {
    const at = args.indexOf("-v");
    return at >= 0
      ? [bare(args[at + 1] ?? null)]
      : args[0]?.startsWith("-v")
      ? [bare(args[0].slice(2))]
      : [];
  }
  const valued = NAMING_BUILTINS.get(name ?? "");
  if (valued === undefined) return [];
  if (name === "getopts") return args.length > 1 ? [bare(args[1]!)] : [];
  const names: (string | null)[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word === null || !word.startsWith("-")) names.push(bare(word));
    else if (valued.includes(word.at(-1)!)) {
      // `read -a name` sets an array.
      if (name === "read" && word.endsWith("a")) names.push(bare(args[at + 1] ?? null));
      at++;
    }
  }
  return names;
}

function bare(word: string | null): string | null {
  return word?.replace(/\[[^]*$/, "") ?? null;
}
