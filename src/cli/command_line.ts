/** From the words of the command line to what is meant, with errors that name the word and what is accepted. */
import { parseArgs } from "@std/cli/parse-args";
import { UsageError } from "../errors.ts";
import { type CommandName, COMMANDS, flagsOf } from "./flags.ts";

/** A parsed command line. */
export interface CommandLine {
  readonly command: CommandName;
  /** Switches that were given. */
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** Words that are no flags. */
  readonly operands: readonly string[];
  /** Words after `--`, null when there was none. */
  readonly exact: readonly string[] | null;
}

function isCommand(word: string | undefined): word is CommandName {
  return word !== "run" && COMMANDS.some((command) => command.name === word);
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
  const parsed = parseArgs([...words], {
    boolean: switches.map((flag) => flag.name),
    string: [...valued.map((flag) => flag.name), "_"],
    collect: valued.map((flag) => flag.name),
    alias: Object.fromEntries(
      flags.filter((flag) => flag.short).map((flag) => [flag.name, flag.short!]),
    ),
    // Everything from the first word on belongs to the command that is run: `-c CMD -x` gives `-x` to CMD.
    stopEarly: command === "run",
    "--": true,
    unknown: (word, key) => {
      if (key === undefined) return true;
      unknown.push(word);
      return false;
    },
  });
  const accepted = flags.map((flag) => flag.name.length === 1 ? `-${flag.name}` : `--${flag.name}`)
    .join(", ");
  if (unknown.length > 0) {
    throw new UsageError(`Cannot use flag "${unknown[0]}": accepted are ${accepted}`);
  }
  const values = new Map<string, string>();
  for (const flag of valued) {
    const given = parsed[flag.name] as readonly string[] | undefined ?? [];
    if (given.length > 1) {
      throw new UsageError(`Cannot use --${flag.name} ${given.length} times: once is accepted`);
    }
    if (given[0] === "") {
      throw new UsageError(`Cannot use --${flag.name} without a value: ${flag.value} is accepted`);
    }
    if (given[0] !== undefined) values.set(flag.name, given[0]);
  }
  const rest = words.includes("--") ? parsed["--"] ?? [] : null;
  const operands = parsed._.map(String);
  // A `--` behind the first operand is that command's own word: `-c CMD sh -- FILE`.
  const inside = command === "run" && operands.length > 0 && rest !== null;
  return {
    command,
    switches: new Set(
      switches.filter((flag) => parsed[flag.name] === true).map((flag) => flag.name),
    ),
    values,
    operands: inside ? [...operands, "--", ...rest] : operands,
    exact: inside ? null : rest,
  };
}
