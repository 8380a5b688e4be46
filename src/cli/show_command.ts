/** `debrief show ID`: one record, whole. */
import { UsageError } from "../errors.ts";
import { findRecord } from "../record/read.ts";
import type { CommandRecord } from "../record/record.ts";
import type { CommandLine } from "./command_line.ts";
import { stateDirectory } from "./directories.ts";
import { writeText } from "./terminal.ts";

/**
 * The record that the one operand of a command names.
 *
 * @throws {UsageError} when there is not exactly one operand, or no such record.
 */
export function recordOf(line: CommandLine): CommandRecord {
  const [id, ...rest] = line.operands;
  if (id === undefined) {
    throw new UsageError(`Cannot ${line.command} nothing: an id is needed (see debrief log)`);
  }
  if (rest.length > 0) {
    throw new UsageError(`Cannot ${line.command} "${rest[0]}" too: one id is accepted`);
  }
  const record = findRecord({ directory: stateDirectory(line), id });
  if (record === null) {
    throw new UsageError(`Cannot find command "${id}": no record has this id (see debrief log)`);
  }
  return record;
}

/** Run the command. @throws {UsageError} when there is no such record. */
export function runShowCommand(line: CommandLine): number {
  const record = recordOf(line);
  writeText(1, JSON.stringify(record, null, line.switches.has("json") ? 0 : 2) + "\n");
  return 0;
}
