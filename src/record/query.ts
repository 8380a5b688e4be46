/** Which records of a journal are wanted. */
import { basename } from "node:path/posix";
import { parseScript } from "../command/parse.ts";
import { coversPath } from "../policy/match.ts";
import { type CommandRecord, OUTCOME_KINDS } from "./record.ts";

/** Conditions that a record meets all of; those that are absent do not matter. */
export interface RecordQuery {
  readonly session?: string;
  readonly task?: string;
  /** Words as `problemOfStatus` accepts them, one of which fits. */
  readonly status?: readonly string[];
  /** Name without directory of a program that the command can start. */
  readonly program?: string;
  /** Begun at this time or later, in ms since 1970. */
  readonly since?: number;
  /** Begun before this time, in ms since 1970. */
  readonly until?: number;
  /** An absolute directory in which, or beneath which, the command ran. */
  readonly beneath?: string;
  /** Occurs in command, note, error or the tails of the output; upper and lower case are the same. */
  readonly text?: string;
}

/** Says what is wrong with a word of `status`, or null. */
export function problemOfStatus(word: string): string | null {
  const known = word === "null" || word === "nonzero" ||
    (OUTCOME_KINDS as readonly string[]).includes(word);
  const isNumber = /^\d{1,3}$/.test(word) && Number(word) <= 255;
  if (known || isNumber || /^SIG[A-Z]{2,9}(\+\d{1,2})?$/.test(word)) return null;
  return `Cannot use the status "${word}": a number from 0 to 255, nonzero, null, a signal such as SIGKILL, or an outcome is accepted`;
}

/** True when a record meets all conditions. A time that cannot be read is left out by none of them. */
export function matchesQuery(record: CommandRecord, query: RecordQuery): boolean {
  const { session, task, status, program, since, until, beneath, text } = query;
  if (session !== undefined && record.session_id !== session) return false;
  if (task !== undefined && record.task_id !== task) return false;
  if (status !== undefined && !status.some((word) => hasStatus(record, word))) return false;
  if (since !== undefined && Date.parse(record.started_at) < since) return false;
  if (until !== undefined && Date.parse(record.started_at) >= until) return false;
  if (beneath !== undefined && !coversPath(beneath, record.cwd)) return false;
  if (text !== undefined && !holdsText(record, text)) return false;
  return program === undefined || startsProgram(record.command, program);
}

function hasStatus({ exit_code, signal, outcome }: CommandRecord, word: string): boolean {
  if (word === "null") return exit_code === null;
  if (word === "nonzero") return exit_code !== null && exit_code !== 0;
  if (/^\d/.test(word)) return exit_code === Number(word);
  return signal === word || outcome.kind === word;
}

function holdsText(record: CommandRecord, text: string): boolean {
  const wanted = text.toLowerCase();
  const { command, agent_note, error, stdout_tail, stderr_tail } = record;
  return [command.join(" "), agent_note, error, stdout_tail, stderr_tail]
    .some((part) => part !== null && part.toLowerCase().includes(wanted));
}

/** True when a command can start a program, also behind a wrapper or in a pipe; for text that does not parse its first word decides. */
function startsProgram(command: readonly string[], name: string): boolean {
  const text = command.join(" ");
  // Parsing costs a millisecond for each kilobyte, and few lines name the program.
  if (!text.includes(name)) return false;
  const result = parseScript(text);
  if (result.kind !== "script") return basename(text.trim().split(/\s/, 1)[0] ?? "") === name;
  return result.script.programs.some((program) =>
    program.name !== null && basename(program.name) === name
  );
}
