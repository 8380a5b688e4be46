/** The one table of flags: the parser, the help texts, the reference and the documentation check are made from it. */

import { AGENT_FLAGS } from "./agent_flags.ts";
import type { CommandName, Flag } from "./flag.ts";
import { INIT_FLAGS } from "./init_flags.ts";
import { GATE_FLAGS, READING_FLAGS } from "./reading_flags.ts";

export type { CommandName, Flag } from "./flag.ts";

const EVERY: readonly CommandName[] = [
  "run",
  "stdio",
  "mcp",
  "policy",
  "output",
  "log",
  "show",
  "chain",
  "review",
  "stats",
  "gate",
  "handoff",
  "init",
  "doctor",
  "redact",
];

/** Commands that a session carries out itself. */
const OF_SESSION: readonly CommandName[] = ["jobs", "send", "kill"];

/** Commands that read the tables alone. */
const TABLES: readonly CommandName[] = ["completions", "help"];

/** Commands that have to do with agents' configurations. */
const AGENTS: readonly CommandName[] = ["install", "hook"];

/**
 * All flags, in the order in which help lists them. One that means something else to other commands stands once for
 * each meaning.
 */
export const FLAGS: readonly Flag[] = [
  {
    name: "c",
    value: "COMMAND",
    summary: "run this shell command; words after it become $0, $1, …",
    commands: ["run"],
  },
  {
    name: "s",
    summary: "run standard input as a script; words become $1, $2, …",
    commands: ["run"],
  },
  {
    name: "o",
    value: "NAME",
    summary: "set an option of bash, +o unsets it; -e, -u, -x and its other letters as well",
    commands: ["run"],
  },
  {
    name: "O",
    value: "NAME",
    summary: "set an option of bash's shopt, +O unsets it",
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
    commands: ["run", "stdio", "mcp", "policy", "handoff", "doctor", "redact"],
  },
  {
    name: "trust-policy",
    summary: "accept a policy file that commands could change",
    commands: ["run", "stdio", "mcp", "policy", "handoff", "doctor", "redact"],
  },
  {
    name: "workspace",
    value: "DIR",
    summary: "work in this directory instead of the nearest one with .git",
    commands: ["run", "stdio", "mcp", "policy", "handoff", "init", "doctor", "redact"],
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
    commands: ["run", "stdio", "mcp"],
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
    name: "background",
    summary: "within a session: run the command beside others",
    commands: ["run"],
  },
  {
    name: "end",
    summary: "send the end of the input as well",
    commands: ["send"],
  },
  {
    name: "task",
    value: "ID",
    summary: "record which task the commands belong to",
    commands: ["run", "stdio", "mcp"],
  },
  {
    name: "task",
    value: "ID",
    summary: "look at the records of this task only",
    commands: ["log", "review", "stats", "gate", "handoff"],
  },
  {
    name: "goal",
    value: "TEXT",
    summary: "say what the session is for",
    commands: ["run", "stdio", "mcp"],
  },
  {
    name: "deadline",
    value: "TIME",
    summary: "say when the session ends: 30m, 2h, 2026-11-21T23:50:19Z",
    commands: ["run", "stdio", "mcp"],
  },
  {
    name: "budget",
    value: "LIST",
    summary: "say what the session may use: output tokens (50k), seconds (10m), or 50k,10m",
    commands: ["run", "stdio", "mcp"],
  },
  {
    name: "block",
    value: "stdout|stderr|fd:N|off",
    summary: "choose where the block goes",
    commands: ["run"],
  },
  {
    name: "quiet",
    short: "q",
    summary: "print no block, as --block off",
    commands: ["run"],
  },
  {
    name: "quiet",
    short: "q",
    summary: "print no report: the exit status has it",
    commands: ["gate", "doctor"],
  },
  {
    name: "format",
    value: "text|json",
    summary: "choose the form of the block",
    commands: ["run"],
  },
  {
    name: "json",
    summary: "print the block, or with --version the versions, as JSON",
    commands: ["run"],
  },
  {
    name: "pass-through",
    summary: "show the whole output, redacted but not shortened",
    commands: ["run", "stdio"],
  },
  {
    name: "session",
    value: "ID",
    summary: "go on with this session",
    commands: ["run", "stdio", "mcp"],
  },
  {
    name: "session",
    value: "ID",
    summary: "look at the records of this session only",
    commands: ["log", "review", "stats", "gate", "handoff"],
  },
  ...READING_FLAGS,
  {
    name: "probe",
    summary: "try in a jail what the plan says, rule by rule",
    commands: ["policy"],
  },
  ...GATE_FLAGS,
  ...AGENT_FLAGS,
  ...INIT_FLAGS,
  {
    name: "report",
    summary: "list what was hidden, by rule, on standard error",
    commands: ["redact"],
  },
  {
    name: "json",
    summary: "print JSON",
    commands: [
      "policy",
      "output",
      "jobs",
      "log",
      "show",
      "chain",
      "stats",
      "gate",
      "handoff",
      "init",
      "doctor",
      "redact",
    ],
  },
  {
    name: "help",
    short: "h",
    summary: "show help",
    commands: [...EVERY, ...OF_SESSION, ...TABLES, ...AGENTS],
  },
  {
    name: "version",
    short: "V",
    summary: "show versions of Debrief, its runtime and the kernel, and the policy in force",
    commands: ["run"],
  },
];

/** The flags that a command takes. */
export function flagsOf(command: CommandName): readonly Flag[] {
  return FLAGS.filter((flag) => flag.commands.includes(command));
}
