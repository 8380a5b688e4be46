/** `debrief help COMMAND`: what `debrief COMMAND --help` prints. */
import { UsageError } from "../errors.ts";
import type { CommandLine } from "./command_line.ts";
import { isCommandName } from "./command_table.ts";
import { helpText } from "./help.ts";
import { writeText } from "./terminal.ts";
import { unknownCommand } from "./unknown_word.ts";

/** Run the command. @throws {UsageError} for a command that does not exist. */
export function runHelpCommand(line: CommandLine): number {
  const [topic, surplus] = line.operands;
  if (topic !== undefined && topic !== "run" && !isCommandName(topic)) throw unknownCommand(topic);
  if (surplus !== undefined) {
    throw new UsageError(`Cannot use "${surplus}": debrief help takes one command`);
  }
  writeText(1, helpText(topic ?? "run"));
  return 0;
}
