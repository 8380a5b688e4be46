/** The one table of flags: the parser, the help texts, the reference and the documentation check are made from it. */

/** Commands of Debrief; `run` is the one without a word: `debrief -c`, `debrief --`, `debrief`. */
export type CommandName =
  | "run"
  | "policy"
  | "output"
  | "log"
  | "show"
  | "chain"
  | "review"
  | "stats"
  | "gate"
  | "doctor"
  | "redact";

/** One flag. */
export interface Flag {
  /** Long name without dashes, or the letter of a flag that only has a short form. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value; a flag without one is a switch. */
  readonly value?: string;
  /** May be given more than once. */
  readonly repeats?: true;
  /** One line for help; begins with a verb, no final period. */
  readonly summary: string;
  readonly commands: readonly CommandName[];
}

const EVERY: readonly CommandName[] = [
  "run",
  "policy",
  "output",
  "log",
  "show",
  "chain",
  "review",
  "stats",
  "gate",
  "doctor",
  "redact",
];

/** All flags, in the order in which help lists them. */
export const FLAGS: readonly Flag[] = [
  {
    name: "c",
    value: "COMMAND",
    summary: "run this shell command; words after it become $0, $1, …",
    commands: ["run"],
  },
  { name: "l", summary: "accept a login shell's flag; no profile is read", commands: ["run"] },
  {
    name: "i",
    summary: "accept an interactive shell's flag; no start-up file is read",
    commands: ["run"],
  },
  {
    name: "policy",
    value: "NAME|FILE",
    summary: "use this built-in policy or policy file instead of the one found",
    commands: ["run", "policy", "doctor", "redact"],
  },
  {
    name: "trust-policy",
    summary: "accept a policy file that commands could change",
    commands: ["run", "policy", "doctor", "redact"],
  },
  {
    name: "workspace",
    value: "DIR",
    summary: "work in this directory instead of the nearest one with .git",
    commands: ["run", "policy", "doctor", "redact"],
  },
  {
    name: "journal",
    value: "DIR",
    summary: "keep records and outputs here instead of the user's state directory",
    commands: EVERY,
  },
  {
    name: "timeout",
    value: "TIME",
    summary: "end a command after this time: 90, 90s, 2m, 500ms, none",
    commands: ["run"],
  },
  {
    name: "note",
    value: "TEXT",
    summary: "record what is expected of the command",
    commands: ["run"],
  },
  {
    name: "parent",
    value: "ID",
    summary: "record which earlier command this one retries",
    commands: ["run"],
  },
  {
    name: "task",
    value: "ID",
    summary: "record which task the commands belong to; elsewhere: look at its records only",
    commands: ["run", "log", "review", "stats", "gate"],
  },
  {
    name: "goal",
    value: "TEXT",
    summary: "say what the session is for",
    commands: ["run"],
  },
  {
    name: "deadline",
    value: "TIME",
    summary: "say when the session ends: 30m, 2h, 2026-11-21T23:50:19Z",
    commands: ["run"],
  },
  {
    name: "budget",
    value: "LIST",
    summary: "say what the session may use: output tokens (50k), seconds (10m), or 50k,10m",
    commands: ["run"],
  },
  {
    name: "block",
    value: "stdout|stderr|fd:N|off",
    summary: "choose where the block goes",
    commands: ["run"],
  },
  {
    name: "format",
    value: "text|json",
    summary: "choose the form of the block",
    commands: ["run"],
  },
  {
    name: "pass-through",
    summary: "show the whole output, redacted but not shortened",
    commands: ["run"],
  },
  { name: "stdout", summary: "print standard output only", commands: ["output"] },
  { name: "stderr", summary: "print standard error only", commands: ["output"] },
  {
    name: "lines",
    value: "A:B",
    summary: "print lines A to B, counted from 1; N is one line",
    commands: ["output"],
  },
  {
    name: "grep",
    value: "RE",
    summary: "print lines that match a regular expression (RE2)",
    commands: ["output"],
  },
  { name: "around", value: "N", summary: "print N lines around each match", commands: ["output"] },
  { name: "head", value: "N", summary: "print the first N lines", commands: ["output"] },
  { name: "tail", value: "N", summary: "print the last N lines", commands: ["output"] },
  { name: "limit", value: "N", summary: "list the newest N records (20)", commands: ["log"] },
  {
    name: "session",
    value: "ID",
    summary: "go on with this session; elsewhere: look at its records only",
    commands: ["run", "log", "review", "stats", "gate"],
  },
  {
    name: "since",
    value: "TIME",
    summary: "look at what began then or later: 2h (ago), 2026-11-21, 2026-11-21T23:50:19Z",
    commands: ["log", "review", "stats", "gate"],
  },
  {
    name: "until",
    value: "TIME",
    summary: "list what began before then",
    commands: ["log", "review"],
  },
  {
    name: "status",
    value: "LIST",
    summary: "list these ends: 0, 3, nonzero, null, SIGKILL, timeout, …, separated by commas",
    commands: ["log", "review"],
  },
  {
    name: "program",
    value: "NAME",
    summary: "list commands that start this program",
    commands: ["log", "review"],
  },
  {
    name: "text",
    value: "TEXT",
    summary: "list records with this text in command, note, error or the last lines",
    commands: ["log", "review"],
  },
  {
    name: "cwd",
    value: "DIR",
    summary: "look at what ran in this directory or beneath it only",
    commands: ["log", "review", "gate"],
  },
  {
    name: "follow",
    summary: "list oldest first, then each new record as it is written",
    commands: ["log"],
  },
  {
    name: "verify",
    summary: "check the chain of the journal for edits and gaps",
    commands: ["log"],
  },
  {
    name: "probe",
    summary: "try in a jail what the plan says, rule by rule",
    commands: ["policy"],
  },
  {
    name: "require",
    value: "COMMAND",
    repeats: true,
    summary: "demand that this command, as typed, ran and succeeded; repeatable",
    commands: ["gate"],
  },
  {
    name: "forbid",
    value: "PATH",
    repeats: true,
    summary: "block when this or something beneath it was changed; repeatable",
    commands: ["gate"],
  },
  {
    name: "changed",
    value: "FILE",
    summary: "read the changed paths there: lines, or ended by NUL as git diff -z does",
    commands: ["gate"],
  },
  {
    name: "accept-retried",
    summary: "let a missing exit status pass when a later attempt succeeded",
    commands: ["gate"],
  },
  { name: "strict", summary: "block on warnings too", commands: ["gate"] },
  {
    name: "github",
    summary: "print findings as annotations of GitHub Actions",
    commands: ["gate"],
  },
  {
    name: "report",
    summary: "list what was hidden, by rule, on standard error",
    commands: ["redact"],
  },
  {
    name: "json",
    summary: "print JSON",
    commands: ["policy", "output", "log", "show", "chain", "stats", "gate", "doctor", "redact"],
  },
  { name: "help", short: "h", summary: "show help", commands: EVERY },
  {
    name: "version",
    short: "V",
    summary: "show versions of Debrief, its runtime and the kernel",
    commands: ["run"],
  },
];

/** The flags that a command takes. */
export function flagsOf(command: CommandName): readonly Flag[] {
  return FLAGS.filter((flag) => flag.commands.includes(command));
}
