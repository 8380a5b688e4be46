/** Errors for words of the command line that are not known, with what was probably meant. */
import { UsageError } from "../errors.ts";
import { nearest } from "../policy/nearest.ts";
import { COMMANDS } from "./command_table.ts";
import { writtenFlag } from "./flag.ts";
import { type CommandName, FLAGS, flagsOf } from "./flags.ts";

/** Names of the commands that are called by a word. */
const CALLED: readonly string[] = COMMANDS.map(({ name }) => name).filter((name) => name !== "run");

/** Shorter words are near to too many others. */
const MIN_LENGTH = 3;

/** The commands that take a flag of this name, as they are called. */
function takers(name: string): string {
  const commands = FLAGS.filter((flag) => flag.name === name).flatMap((flag) => flag.commands);
  return [...new Set(commands)].map((command) =>
    command === "run" ? "debrief" : `debrief ${command}`
  )
    .join(", ");
}

/** The error for a flag that a command does not take. */
export function unknownFlag(word: string, command: CommandName): UsageError {
  const flags = flagsOf(command).map(writtenFlag);
  const [name = ""] = word.replace(/^-+/, "").split("=");
  const elsewhere = word.startsWith("--") ? takers(name) : "";
  const near = elsewhere === "" && name.length >= MIN_LENGTH
    ? nearest(`--${name}`, flags.filter((flag) => flag.startsWith("--")))
    : null;
  if (near !== null) {
    const help = command === "run" ? "debrief --help" : `debrief ${command} --help`;
    return new UsageError(`Cannot use flag "${word}": did you mean ${near} (see ${help})`);
  }
  const belongs = elsewhere === "" ? "" : `; it belongs to ${elsewhere}`;
  return new UsageError(`Cannot use flag "${word}": accepted are ${flags.join(", ")}${belongs}`);
}

/** The error for a word that is no command. */
export function unknownCommand(word: string): UsageError {
  if (flagsOf("run").some(({ name }) => name.length > 1 && name === word)) {
    return new UsageError(`Cannot use "${word}": did you mean debrief --${word}`);
  }
  const near = word.length < MIN_LENGTH ? null : nearest(word, CALLED);
  if (near !== null) {
    return new UsageError(
      `Cannot use "${word}": did you mean debrief ${near}; a shell command goes after -c`,
    );
  }
  const commands = CALLED.join(", ");
  return new UsageError(
    `Cannot use "${word}": a shell command goes after -c, a program after --, and commands are ${commands} (see --help)`,
  );
}
