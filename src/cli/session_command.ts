/**
 * Commands that a session carries out itself: `debrief jobs`, `send`, `kill`, `output` of a job, `run --background`. One is
 * recognised by its parse tree, as a line of nothing but words whose first is `debrief`: in a pipe, a script or a function
 * the same words run in the jail, where they can do none of this.
 */
import { parseScript } from "../command/parse.ts";
import { UsageError } from "../errors.ts";
import { isCommandName } from "./command_table.ts";
import { type CommandLine, parseCommandLine } from "./command_line.ts";

/** What a session can be asked for. */
export type SessionCommand =
  | { readonly kind: "jobs"; readonly line: CommandLine }
  | { readonly kind: "send"; readonly line: CommandLine }
  | { readonly kind: "kill"; readonly line: CommandLine }
  | { readonly kind: "output"; readonly line: CommandLine }
  | { readonly kind: "start"; readonly line: CommandLine };

/** Words behind `debrief` that make such a command. */
const KINDS = ["jobs", "send", "kill", "output"] as const;
/** Flags of the command line that mean something for a job. */
const START_FLAGS = new Set(["background", "note", "parent", "timeout", "c", "l", "i"]);

/** The words of a line that is nothing but words; null for what is more. */
function plainWords(source: string): readonly string[] | null {
  // A quick look first: most lines are none of these, and parsed soon anyway.
  if (!/^\s*debrief\s/.test(source)) return null;
  const result = parseScript(source);
  return result.kind === "script" ? result.script.plain : null;
}

/**
 * The command that a line gives to the session.
 *
 * @param isJob true for a word that names one of the session's jobs: other outputs are read by a command in the jail.
 * @returns null when the line is for the jail.
 * @throws {UsageError} for a mistake in the words.
 */
export function sessionCommand(
  source: string,
  isJob: (id: string) => boolean,
): SessionCommand | null {
  const [program, verb, ...rest] = plainWords(source) ?? [];
  if (program !== "debrief" || verb === undefined) return null;
  if (rest.includes("--help") || rest.includes("-h")) return null;
  if (verb === "run") {
    const line = parseCommandLine(rest);
    return line.switches.has("background") ? { kind: "start", line: checked(line) } : null;
  }
  const kind = KINDS.find((name) => name === verb);
  if (kind === undefined || !isCommandName(verb)) return null;
  const line = parseCommandLine([verb, ...rest]);
  const [id] = line.operands;
  if (kind === "output" && (id === undefined || !isJob(id))) return null;
  return { kind, line };
}

function checked(line: CommandLine): CommandLine {
  const [option] = line.options;
  if (option !== undefined) throw new UsageError(`Cannot use ${option} for a job`);
  const other = [...line.switches, ...line.values.keys(), ...line.lists.keys()].find((flag) =>
    !START_FLAGS.has(flag)
  );
  if (other !== undefined) {
    throw new UsageError(`Cannot use --${other} for a job: it is the session's`);
  }
  if (line.source === null && (line.exact ?? []).length === 0) {
    throw new UsageError(
      "Cannot run nothing in the background: -c COMMAND or -- PROGRAM is needed",
    );
  }
  return line;
}
