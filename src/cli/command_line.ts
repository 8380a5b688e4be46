/** From the words of the command line to what is meant, with errors that name the word and what is accepted. */
import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "../errors.ts";
import { type CommandName, COMMANDS, type Flag, flagsOf } from "./flags.ts";

/** A parsed command line. */
export interface CommandLine {
  readonly command: CommandName;
  /** Switches that were given. */
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** The text of `-c`, null without it. */
  readonly source: string | null;
  /** Words that are no flags; with `-c` they become `$0`, `$1`, … */
  readonly operands: readonly string[];
  /** Words after `--`, null when there was none. */
  readonly exact: readonly string[] | null;
}

/** The flag that takes shell text. */
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

function isCommand(word: string | undefined): word is CommandName {
  return word !== "run" && COMMANDS.some((command) => command.name === word);
}

function written(flag: Flag): string {
  return flag.name.length === 1 ? `-${flag.name}` : `--${flag.name}`;
}

function singleValue(flag: Flag, given: readonly string[]): string | null {
  if (given.length > 1) {
    throw new UsageError(`Cannot use ${written(flag)} ${given.length} times: once is accepted`);
  }
  if (given[0] === "") {
    throw new UsageError(`Cannot use ${written(flag)} without a value: ${flag.value} is accepted`);
  }
  return given[0] ?? null;
}

/**
 * The text of `-c` and the words behind it. As in other shells, flags may stand between the two (`-c -l TEXT`), and
 * whatever follows the text belongs to it, `--` included.
 */
function shellWords(
  given: string,
  words: {
    readonly operands: readonly string[];
    readonly rest: readonly string[] | null;
    readonly last: string | undefined;
  },
): Pick<CommandLine, "source" | "operands"> {
  const all = words.rest === null ? words.operands : [...words.operands, "--", ...words.rest];
  if (given !== "" || (all.length === 0 && words.last === "")) {
    return { source: given, operands: all };
  }
  const [source, ...operands] = all;
  if (source === undefined) throw new UsageError("Cannot run nothing: -c needs a command");
  return { source, operands };
}

/**
 * Parse a command line.
 *
 * @throws {UsageError} for an unknown flag, a missing value or a flag that is given twice.
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const command = isCommand(args[0]) ? args[0] : "run";
  const words = command === "run" ? args : args.slice(1);
  const flags = flagsOf(command);
  const switches = flags.filter((flag) => flag.value === undefined);
  const valued = flags.filter((flag) => flag.value !== undefined);
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
  if (unknown.length > 0) {
    throw new UsageError(
      `Cannot use flag "${reveal(unknown[0] ?? "")}": accepted are ${
        flags.map(written).join(", ")
      }`,
    );
  }
  const given = (name: string) => (parsed[name] as readonly string[] | undefined ?? []).map(reveal);
  const values = new Map<string, string>();
  for (const flag of valued.filter(({ name }) => name !== SHELL)) {
    const value = singleValue(flag, given(flag.name));
    if (value !== null) values.set(flag.name, value);
  }
  const rest = words.includes("--") ? (parsed["--"] ?? []).map(reveal) : null;
  const operands = parsed._.map(reveal);
  const text = given(SHELL)[0];
  return {
    command,
    switches: new Set(
      switches.filter((flag) => parsed[flag.name] === true).map((flag) => flag.name),
    ),
    values,
    ...(text === undefined
      ? { source: null, operands }
      : shellWords(text, { operands, rest, last: words.at(-1) })),
    exact: text === undefined ? rest : null,
  };
}
