/** From the words of the command line to what is meant, with errors that name the word and what is accepted. */
import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "../errors.ts";
import { isCommandName } from "./command_table.ts";
import { type CommandName, type Flag, flagsOf } from "./flags.ts";
import { unknownCommand, unknownFlag, writtenFlag } from "./unknown_word.ts";

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
  /** Words that are no flags; with `-c` they become `$0`, `$1`, … */
  readonly operands: readonly string[];
  /** Words after `--`, null when there was none. */
  readonly exact: readonly string[] | null;
}

/**
 * The flag of a shell command. As in other shells it is a switch: the first word that is no flag is the text, so that
 * `-lc TEXT`, `-c -l TEXT` and `-c -- TEXT` mean the same.
 */
const SHELL = "c";

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

/** Words that are no flags, before and behind the first `--`. */
interface Words {
  readonly operands: readonly string[];
  readonly rest: readonly string[] | null;
}

type Meaning = Pick<CommandLine, "source" | "operands" | "exact">;

/** What follows the text of `-c` belongs to it, `--` and what looks like a flag included. */
function shellMeaning({ operands, rest }: Words): Meaning {
  const behind = rest ?? [];
  const words = operands.length === 0 || rest === null
    ? [...operands, ...behind]
    : [...operands, "--", ...behind];
  const [source, ...more] = words;
  if (source === undefined) throw new UsageError("Cannot run nothing: -c needs a command");
  return { source, operands: more, exact: null };
}

function meaningOf(command: CommandName, words: Words): Meaning {
  const { operands, rest } = words;
  if (command !== "run") {
    return { source: null, operands: [...operands, ...rest ?? []], exact: null };
  }
  const [surplus] = operands;
  if (surplus === undefined) return { source: null, operands, exact: rest };
  if (isCommandName(surplus)) {
    throw new UsageError(
      `Cannot use the command "${surplus}" behind a flag: it comes first, its flags follow`,
    );
  }
  throw unknownCommand(surplus);
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

/**
 * Parse a command line.
 *
 * @throws {UsageError} for an unknown flag, a missing value, a flag that is given twice, or words with no meaning.
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const command = isCommandName(args[0]) ? args[0] : "run";
  const words = command === "run" ? args : args.slice(1);
  const flags = flagsOf(command);
  const isSwitch = ({ name, value }: Flag) => value === undefined || name === SHELL;
  const switches = flags.filter(isSwitch);
  const valued = flags.filter((flag) => !isSwitch(flag));
  const unknown: string[] = [];
  const parsed = parseArgs(words.map(hide), {
    boolean: switches.map((flag) => flag.name),
    string: [...valued.map((flag) => flag.name), "_"],
    collect: valued.map((flag) => flag.name),
    alias: Object.fromEntries(
      flags.filter((flag) => flag.short).map((flag) => [flag.name, flag.short!]),
    ),
    // Everything from the first word on belongs to the command that is run: `-c CMD x -y` gives `-y` to CMD.
    stopEarly: command === "run",
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
  const given = switchesOf(switches, parsed);
  const found: Words = {
    operands: parsed._.map(reveal),
    rest: words.includes("--") ? (parsed["--"] ?? []).map(reveal) : null,
  };
  // Help is shown whatever else stands there.
  const asks = given.has("help") || given.has("version");
  const meaning = asks
    ? { source: null, operands: [], exact: null }
    : given.has(SHELL)
    ? shellMeaning(found)
    : meaningOf(command, found);
  return { command, switches: given, values, lists, ...meaning };
}
