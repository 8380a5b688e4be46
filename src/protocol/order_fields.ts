/** What callers say of commands, as schemas: one definition for JSON lines and for MCP. */
import * as v from "valibot";
import { MAX_SCRIPT_LENGTH } from "../command/parse.ts";

/** Characters of a text for standard input: as many bytes may wait for a command. Longer input belongs in a file. */
const MAX_INPUT = 1 << 20;
/** Words of an argv; Linux bounds their bytes. */
const MAX_WORDS = 4_096;
/** Variables of one request. */
const MAX_VARIABLES = 256;
/** Characters of a path, `PATH_MAX` of `linux/limits.h`. */
const MAX_PATH = 4_096;
/** Characters of a note and of a task's id: the record keeps as many bytes. */
const MAX_TEXT = 4_096;
/** Longest delay of a timer in milliseconds. */
const MAX_MS = 2_147_483_647;

/** Text of at most so many UTF-16 code units, with what it means. */
export function text(max: number, description: string) {
  return v.pipe(v.string(), v.maxLength(max), v.description(description));
}

/** A switch, with what it does. */
function flag(description: string) {
  return v.pipe(v.boolean(), v.description(description));
}

/** A whole number from `min`, with what it counts. */
function count(min: number, description: string) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.minValue(min),
    v.maxValue(MAX_MS),
    v.description(description),
  );
}

/** A command's id, or the beginning of one. */
export const commandId = v.pipe(
  v.string(),
  v.regex(/^c[0-9a-z]{1,15}$/),
  v.description("Id of a command: c and 7 characters, or the beginning of it."),
);

/** Fields of a command that is to be run; exactly one of `command` and `argv`. */
export const RUN_FIELDS = {
  command: v.optional(
    text(MAX_SCRIPT_LENGTH, "Shell command, bash syntax. Give this or argv."),
  ),
  argv: v.optional(v.pipe(
    v.array(v.string()),
    v.minLength(1),
    v.maxLength(MAX_WORDS),
    v.description("Program and arguments as they are, without a shell. Give this or command."),
  )),
  cwd: v.optional(text(
    MAX_PATH,
    "Directory to run in, relative to the server's; commands must be allowed to read it. Each command starts anew there: cd, variables and functions last for their own command.",
  )),
  env: v.optional(v.pipe(
    v.record(v.string(), v.string()),
    v.maxEntries(MAX_VARIABLES),
    v.description(
      "Variables for this command only; one that the policy denies, or that makes programs load code, is refused.",
    ),
  )),
  stdin: v.optional(text(
    MAX_INPUT,
    "Text for standard input. It ends there, unless openStdin is true; without it and openStdin there is nothing to read.",
  )),
  openStdin: v.optional(flag(
    "Keep standard input open, so that more can be sent. The default is true in the background, else false.",
  )),
  background: v.optional(flag(
    "Return as soon as it runs, and let it go on beside others until it ends, is killed, or the session ends. The policy's time limit does not hold then.",
  )),
  timeoutMs: v.optional(
    count(1, "Time limit in milliseconds; it can only shorten that of the policy."),
  ),
  note: v.optional(
    text(MAX_TEXT, "One line: what you expect. The block sets it beside what happened."),
  ),
  parent: v.optional(v.pipe(
    v.string(),
    v.regex(/^c[0-9a-z]{1,15}$/),
    v.description("Id of the earlier command that this one tries again."),
  )),
  task: v.optional(text(MAX_TEXT, "Id of the task that this belongs to.")),
} as const;

/** Fields that choose a part of a kept output; at most one of `grep`, `head` and `tail`. */
export const OUTPUT_FIELDS = {
  stream: v.optional(v.pipe(
    v.picklist(["stdout", "stderr"]),
    v.description("Only this stream; otherwise both, standard output first."),
  )),
  from: v.optional(count(1, "First line, counted from 1.")),
  to: v.optional(count(1, "Last line.")),
  grep: v.optional(text(1_000, "Only lines that match this regular expression (RE2).")),
  around: v.optional(count(1, "Lines before and after each match.")),
  head: v.optional(count(1, "Only the first so many lines.")),
  tail: v.optional(count(1, "Only the last so many lines.")),
} as const;

/** Which commands are listed, and how long their end is waited for. */
export const JOB_FIELDS = {
  id: v.optional(commandId),
  waitMs: v.optional(v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(600_000),
    v.description("With id: wait so long for its end, or until it waits for input."),
  )),
} as const;

/** Text that is sent to a command. */
export const INPUT_FIELDS = {
  text: v.optional(text(MAX_INPUT, "What to send, newline included.")),
  end: v.optional(flag("Send the end of the input after it.")),
} as const;

/** Which signal is sent. */
export const SIGNAL_FIELDS = {
  signal: v.optional(v.pipe(
    v.picklist(["TERM", "KILL", "INT", "HUP", "QUIT", "USR1", "USR2"]),
    v.description(
      "TERM (the default) ends it, with the policy's grace, KILL at once; others are only sent.",
    ),
  )),
} as const;

/** Fields that say what the session is for; absent ones leave what was said before. */
export const AIM_FIELDS = {
  goal: v.optional(text(1_000, "What the session is for.")),
  deadline: v.optional(
    text(64, "When it ends: 30m, 2h (from now), or 2026-11-21T23:50:19Z."),
  ),
  budget: v.optional(
    text(64, "What it may use: output tokens (50k), seconds of commands (10m), or 50k,10m."),
  ),
  task: v.optional(text(MAX_TEXT, "Id of the task that commands belong to from now on.")),
} as const;
