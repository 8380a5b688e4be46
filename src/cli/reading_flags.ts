/** Flags of the commands that read records and kept output; part of the one table of flags. */
import type { Flag } from "./flag.ts";

/** How records and lines are chosen, in the order in which help lists them. */
export const READING_FLAGS: readonly Flag[] = [
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
    name: "since",
    value: "TIME",
    summary: "look at what began then or later: 2h (ago), 2026-11-21, 2026-11-21T23:50:19Z",
    commands: ["log", "review", "stats", "gate", "handoff"],
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
    commands: ["log", "review", "gate", "handoff"],
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
];

/** What a gate demands. */
export const GATE_FLAGS: readonly Flag[] = [
  {
    name: "require",
    value: "COMMAND",
    repeats: true,
    summary: "demand that this command, as typed, ran and succeeded; repeatable",
    commands: ["gate", "handoff"],
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
];
