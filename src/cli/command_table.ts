/** The one table of commands: the parser, the help texts and the reference are made from it. */
import type { CommandName } from "./flags.ts";

/** A command with what help says of it. */
export interface CommandHelp {
  readonly name: CommandName;
  readonly usage: readonly string[];
  readonly summary: string;
  readonly examples: readonly string[];
  /** Exit statuses besides 0, and besides 2 unless that means more than a mistake in the command line or the policy. */
  readonly statuses?: readonly string[];
}

/** All commands, in the order in which help lists them. */
export const COMMANDS: readonly CommandHelp[] = [
  {
    name: "run",
    usage: [
      "debrief [FLAG…] -c COMMAND [NAME [ARG…]]",
      "debrief [FLAG…] SCRIPT [ARG…]",
      "debrief [FLAG…] -s [ARG…]",
      "debrief [FLAG…] -- PROGRAM [ARG…]",
      "debrief [FLAG…]",
      "debrief run --background [--note TEXT] -c COMMAND | -- PROGRAM [ARG…]",
    ],
    summary:
      "Run commands in a jail and end each with a block: what happened, what you have, what you can do next.",
    examples: [
      "debrief -c 'npm test'",
      "debrief --policy readonly -- git log -3",
      "printf 'cd src\\nls\\n' | debrief",
    ],
  },
  {
    name: "stdio",
    usage: ["debrief stdio [FLAG…]"],
    summary: "Serve commands to a program: JSON lines on standard input and output.",
    examples: [
      "debrief stdio --policy team.jsonc",
      `printf '{"type":"run","id":"1","command":"ls"}\\n' | debrief stdio`,
    ],
  },
  {
    name: "mcp",
    usage: ["debrief mcp [FLAG…]"],
    summary: "Serve commands to an agent's MCP client on standard input and output.",
    examples: ["debrief mcp --policy team.jsonc", "debrief mcp --goal 'make the tests pass'"],
  },
  {
    name: "policy",
    usage: [
      "debrief policy check FILE",
      "debrief policy show",
      "debrief policy list",
      "debrief policy explain COMMAND",
    ],
    summary: "Check a policy file, show one, list the built-in ones, or explain a command.",
    examples: [
      "debrief policy check team.jsonc",
      "debrief policy show --policy readonly --json",
      "debrief policy explain 'git push' --probe",
    ],
    statuses: ["1 when this host or the policy would refuse, or a rule does not hold"],
  },
  {
    name: "output",
    usage: ["debrief output ID"],
    summary: "Print the kept output of an earlier command, redacted.",
    examples: [
      "debrief output c1f7k2qz --lines 200:260",
      "debrief output c1f7 --grep 'error|warning' --around 2",
    ],
  },
  {
    name: "jobs",
    usage: ["debrief jobs"],
    summary: "Within a session: list its background commands.",
    examples: ["debrief jobs", "debrief jobs --json"],
  },
  {
    name: "send",
    usage: ["debrief send JOB [TEXT]"],
    summary: "Within a session: send a line of input to a background command.",
    examples: ["debrief send c1f7 yes", "debrief send c1f7 --end"],
  },
  {
    name: "kill",
    usage: ["debrief kill JOB [SIGNAL]"],
    summary: "Within a session: end a background command, or send it a signal.",
    examples: ["debrief kill c1f7k2qz", "debrief kill c1f7 HUP"],
  },
  {
    name: "log",
    usage: ["debrief log"],
    summary: "List the newest records, follow what is written, or check the journal.",
    examples: [
      "debrief log --limit 5",
      "debrief log --status nonzero,null --program git --since 2h",
      "debrief log --json --task build-42",
      "debrief log --follow",
      "debrief log --verify",
    ],
    statuses: ["1 when --verify found gaps"],
  },
  {
    name: "show",
    usage: ["debrief show ID"],
    summary: "Print the whole record of an earlier command.",
    examples: ["debrief show c1f7k2qz"],
  },
  {
    name: "chain",
    usage: ["debrief chain ID"],
    summary: "List all attempts at the same thing, oldest first.",
    examples: ["debrief chain c1f7k2qz"],
  },
  {
    name: "review",
    usage: ["debrief review"],
    summary: "Show the records on a screen: filter, sort, open and follow them.",
    examples: ["debrief review", "debrief review --since 2h --status nonzero,null"],
  },
  {
    name: "stats",
    usage: ["debrief stats"],
    summary:
      "Count ends, suggestions taken and helped, retries to success, loops, time and tokens.",
    examples: ["debrief stats --since 7d", "debrief stats --json --task build-42"],
  },
  {
    name: "gate",
    usage: ["debrief gate"],
    summary: "Decide from the records whether work is done; status 1 when not.",
    examples: [
      "debrief gate --require 'deno test' --require 'deno lint'",
      "debrief gate --task build-42 --require 'npm test' --strict --github",
      "git diff --name-only --no-renames -z main | debrief gate --forbid .github --changed /dev/stdin",
    ],
    statuses: ["1 when something blocks"],
  },
  {
    name: "handoff",
    usage: ["debrief handoff"],
    summary: "Sum up for whoever goes on: what is open, what ran and failed, what was changed.",
    examples: [
      "debrief handoff --task build-42",
      "debrief handoff --require 'npm test' --since 2h > HANDOFF.md",
      "debrief handoff --session s5gw8t2y --json",
    ],
  },
  {
    name: "init",
    usage: ["debrief init"],
    summary: "Write a policy for this project from what is found in it, and tell agents of it.",
    examples: ["debrief init --dry-run", "debrief init --yes", "debrief init --name web --force"],
    statuses: ["1 when you did not agree"],
  },
  {
    name: "doctor",
    usage: ["debrief doctor", "debrief doctor --agent claude|codex|opencode|gemini"],
    summary: "Show what this host can enforce, and prove it in a jail, or through an agent.",
    examples: [
      "debrief doctor",
      "debrief doctor --json",
      "debrief doctor --quiet --policy ci",
      "debrief doctor --agent codex",
    ],
    statuses: [
      "1 when this host cannot enforce all of the policy, or a proof is missing",
    ],
  },
  {
    name: "redact",
    usage: ["debrief redact < INPUT"],
    summary: "Copy standard input to standard output without its secrets.",
    examples: [
      "journalctl -u app | debrief redact",
      "debrief redact --report < build.log > clean.log",
      "debrief redact --report --json --policy team.jsonc < build.log > clean.log",
    ],
  },
  {
    name: "completions",
    usage: ["debrief completions bash|zsh|fish"],
    summary: "Print a script by which a shell completes commands, flags and their values.",
    examples: [
      "debrief completions bash > ~/.local/share/bash-completion/completions/debrief",
      "debrief completions zsh > ~/.zfunc/_debrief",
      "debrief completions fish > ~/.config/fish/completions/debrief.fish",
    ],
  },
  {
    name: "help",
    usage: ["debrief help [COMMAND]"],
    summary: "Show the help of a command, as its --help does.",
    examples: ["debrief help policy"],
  },
  {
    name: "install",
    usage: ["debrief install claude|codex|opencode|gemini"],
    summary: "Configure an agent so that its commands run through Debrief, or take that back.",
    examples: [
      "debrief install opencode --dry-run",
      "debrief install codex --strict --yes",
      "debrief install claude --undo",
    ],
    statuses: ["1 when you did not agree"],
  },
  {
    name: "hook",
    usage: ["debrief hook claude|codex|gemini < CALL"],
    summary: "Answer an agent's hook with the command as it runs through Debrief.",
    examples: ["debrief hook codex"],
    statuses: ["2 when the call cannot be used, which every agent takes for a refusal"],
  },
];

/** What the exit statuses of a command mean, in order; empty where only 0 and 2 are used and mean the usual. */
export function exitStatuses({ statuses = [] }: CommandHelp): readonly string[] {
  if (statuses.length === 0) return [];
  const usual = statuses.some((status) => status.startsWith("2 "))
    ? []
    : ["2 for a usage or policy error"];
  return ["0", ...statuses, ...usual];
}

/** True for a word that calls a command. */
export function isCommandName(word: string | undefined): word is CommandName {
  return word !== "run" && COMMANDS.some((command) => command.name === word);
}
