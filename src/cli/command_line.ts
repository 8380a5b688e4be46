/** From the words of the command line to what is meant, with errors that name the word and what is accepted. */
import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "../errors.ts";
import { isCommandName } from "./command_table.ts";
import { writtenFlag } from "./flag.ts";
import { type CommandName, type Flag, flagsOf } from "./flags.ts";
import { unknownCommand, unknownFlag } from "./unknown_word.ts";
import { readShellWords, type ShellWords } from "./shell_words.ts";

/** A parsed command line. */
export interface CommandLine {
  readonly command: CommandName;
  /** Switches that were given. */
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** Values of flags that may be given more than once, in order; empty when there are none. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** The text of `-c`, null without it. */
  readonly source: string | null;
  /** The script file that is named in the place of a text, null without one. */
  readonly script: string | null;
  /** True when standard input is the script: `-s`, or a shell's name without anything to run. */
  readonly readsScript: boolean;
  /** Words that are no flags: with `-c` they become `$0`, `$1`, …, with a script file or `-s` `$1`, … */
  readonly operands: readonly string[];
  /** Words after `--`, null when there was none. */
  readonly exact: readonly string[] | null;
  /** Options for the shell in the jail: `-e`, `-o pipefail`, … */
  readonly options: readonly string[];
}

/** How the program was called. */
export interface CallOptions {
  /** The name of a shell by which it was called, null for its own: then there are no commands, and `--` is the shell's. */
  readonly shell?: string | null;
}

/**
 * The parser takes the words `true` and `false` behind a switch for its value, but here they are programs
 * (`-c -l true`). No argument can hold a NUL, so one hides them from it.
 */
const HIDDEN = "\0";

function hide(word: string): string {
  return word === "true" || word === "false" ? HIDDEN + word : word;
}

function reveal(word: string | number): string {
  return String(word).replace(HIDDEN, "");
}

/** @throws {UsageError} for an empty value, or a second one where there can be one. */
function checkValues(flag: Flag, given: readonly string[]): void {
  if (given.length > 1 && !flag.repeats) {
    throw new UsageError(`Cannot use ${writtenFlag(flag)} ${given.length} times: once is accepted`);
  }
  if (given.includes("")) {
    throw new UsageError(
      `Cannot use ${writtenFlag(flag)} without a value: ${flag.value} is accepted`,
    );
  }
}

type Meaning = Pick<CommandLine, "source" | "script" | "readsScript" | "operands" | "exact">;

const NOTHING: Meaning = {
  source: null,
  script: null,
  readsScript: false,
  operands: [],
  exact: null,
};

/** What a command line of a shell runs. */
function shellMeaning(words: ShellWords, shell: string | null): Meaning {
  const { letters, rest, dashes, options } = words;
  const [first, ...more] = rest;
  if (letters.has("c")) {
    if (first === undefined) throw new UsageError("Cannot run nothing: -c needs a command");
    return { ...NOTHING, source: first, operands: more };
  }
  if (letters.has("s")) return { ...NOTHING, readsScript: true, operands: rest };
  if (shell === null && dashes) {
    const [option] = options;
    if (option === undefined) return { ...NOTHING, exact: rest };
    throw new UsageError(`Cannot use ${option} with exact words: no shell reads them`);
  }
  if (first === undefined) return { ...NOTHING, readsScript: shell !== null };
  // A command is never spelled so.
  const isFile = shell !== null || /[/.]/.test(first);
  if (isFile) return { ...NOTHING, script: first, operands: more };
  throw surplus(first);
}

function surplus(word: string): UsageError {
  if (!isCommandName(word)) return unknownCommand(word);
  return new UsageError(
    `Cannot use the command "${word}" behind a flag: it comes first, its flags follow`,
  );
}

/** Switches that were given. @throws {UsageError} for one with a value, as in `-c5`. */
function switchesOf(
  flags: readonly Flag[],
  parsed: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const given = flags.filter(({ name }) => parsed[name] !== false && parsed[name] !== undefined);
  for (const flag of given) {
    const value = parsed[flag.name];
    if (value === true) continue;
    throw new UsageError(`Cannot use ${writtenFlag(flag)} with "${value}": it takes no value`);
  }
  return new Set(given.map(({ name }) => name));
}

/** The options of `sh`: bash of that name reads POSIX. */
function optionsOf(words: ShellWords, shell: string | null): readonly string[] {
  return shell === "sh" ? ["--posix", ...words.options] : words.options;
}

/**
 * True when the words are one command, false when they open a session on standard input: a shell that is to read its script
 * from a terminal is an interactive one.
 *
 * @throws {UsageError} for options of a shell in a session, whose commands each have a shell of their own.
 */
export function isOneCommand(line: CommandLine): boolean {
  const { source, script, exact, readsScript, options } = line;
  if (source !== null || script !== null || exact !== null) return true;
  if (readsScript && !Deno.stdin.isTerminal()) return true;
  const option = options.find((word) => word !== "--posix");
  if (option === undefined) return false;
  throw new UsageError(
    `Cannot use ${option} in a session: each of its commands has a shell of its own`,
  );
}

/**
 * Parse a command line.
 *
 * @throws {UsageError} for an unknown flag, a missing value, a flag that is given twice, or words with no meaning.
 */
export function parseCommandLine(
  args: readonly string[],
  { shell = null }: CallOptions = {},
): CommandLine {
  const [first] = args;
  if (shell === null && isCommandName(first)) return parseCommand(first, args.slice(1));
  // Its name can be said like that of any other command.
  const line = parseRun(shell === null && first === "run" ? args.slice(1) : args, shell);
  const asked = ["version", "help"].find((name) => line.switches.has(name));
  if (shell === null || asked === undefined) return line;
  // About the shell that runs the text, and in its words.
  return { ...line, switches: new Set(), exact: ["bash", `--${asked}`] };
}

function parseRun(args: readonly string[], shell: string | null): CommandLine {
  const flags = flagsOf("run").filter(({ name }) => name.length > 1);
  const words = readShellWords(args, { flags: flagsOf("run"), poses: shell !== null });
  const found = parseFlags(words.own, { flags, command: "run" });
  const switches = new Set([...words.letters, ...found.switches]);
  return {
    command: "run",
    ...found,
    switches,
    ...(asks(switches) ? NOTHING : shellMeaning(words, shell)),
    options: optionsOf(words, shell),
  };
}

function parseCommand(command: CommandName, words: readonly string[]): CommandLine {
  const found = parseFlags(words, { flags: flagsOf(command), command });
  const operands = asks(found.switches) ? [] : found.operands;
  return { command, ...found, ...NOTHING, operands, options: [] };
}

/** Help is shown whatever else stands there. */
function asks(switches: ReadonlySet<string>): boolean {
  return switches.has("help") || switches.has("version");
}

type Parsed = Pick<CommandLine, "switches" | "values" | "lists" | "operands">;

function parseFlags(
  words: readonly string[],
  { flags, command }: { readonly flags: readonly Flag[]; readonly command: CommandName },
): Parsed {
  const switches = flags.filter(({ value }) => value === undefined);
  const valued = flags.filter(({ value }) => value !== undefined);
  const unknown: string[] = [];
  const parsed = parseArgs(words.map(hide), {
    boolean: switches.map((flag) => flag.name),
    string: [...valued.map((flag) => flag.name), "_"],
    collect: valued.map((flag) => flag.name),
    alias: Object.fromEntries(
      flags.filter((flag) => flag.short).map((flag) => [flag.name, flag.short!]),
    ),
    "--": true,
    unknown: (word, key) => {
      if (key === undefined) return true;
      unknown.push(word);
      return false;
    },
  });
  if (unknown.length > 0) throw unknownFlag(reveal(unknown[0] ?? ""), command);
  const values = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  for (const flag of valued) {
    const given = (parsed[flag.name] as readonly string[] | undefined ?? []).map(reveal);
    checkValues(flag, given);
    const [value] = given;
    if (flag.repeats) lists.set(flag.name, given);
    else if (value !== undefined) values.set(flag.name, value);
  }
  return {
    switches: switchesOf(switches, parsed),
    values,
    lists,
    operands: [...parsed._, ...parsed["--"] ?? []].map(reveal),
  };
}
