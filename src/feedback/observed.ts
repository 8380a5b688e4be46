/** What is known of a command when its outcome is decided. */
import type { Denial } from "../policy/policy.ts";
import type { Ending } from "../record/record.ts";

/** A program that the command could start, as the parser found it (a `Program` of the command stage fits). */
export interface ProgramUse {
  /** Null when it is not known before the run. */
  readonly name: string | null;
  readonly args: readonly (string | null)[];
}

/** Why a text is no valid script. `line` and `column` count from 1; `text` is the whole source. */
export interface SyntaxMistake {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** The facts that outcome and suggestions are made from. */
export interface Observed {
  readonly ending: Ending;
  /** Exact words of a plain command, else one element with the script. */
  readonly command: readonly string[];
  /** In the order of the text; empty when it did not parse. */
  readonly programs: readonly ProgramUse[];
  readonly denials: readonly Denial[];
  readonly syntaxError: SyntaxMistake | null;
  /** Whether a redirection sends standard output elsewhere, so that nothing shown is expected. */
  readonly redirected?: boolean;
}

/** Longest line in characters that patterns are tried on. */
const MAX_LINE = 512;

/** Lines of the output that are at hand: the notable ones and the tail of standard error, each cut to 512 characters. */
function knownLines(ending: Ending): readonly string[] {
  const tail = ending.summary.stderr.tail.split("\n");
  return [...new Set([...ending.summary.notable, ...tail].map((line) => line.slice(0, MAX_LINE)))];
}

/** Lines of the end of standard error, each cut to 512 characters. */
export function errorLines(ending: Ending): readonly string[] {
  return cutLines(ending.summary.stderr.tail);
}

/** Known lines and those of the end of standard output, where summaries stand. */
export function endLines(ending: Ending): readonly string[] {
  return [...new Set([...knownLines(ending), ...cutLines(ending.summary.stdout.tail)])];
}

function cutLines(text: string): readonly string[] {
  return text.split("\n").map((line) => line.slice(0, MAX_LINE));
}

/** Last component of a program's name, empty when it is unknown. */
export function programName(use: ProgramUse | undefined): string {
  const name = use?.name ?? "";
  return name.slice(name.lastIndexOf("/") + 1);
}

const NOT_FOUND_ENDS = [
  ": command not found",
  ": not found",
  ": No such file or directory",
] as const;
const REFUSED_ENDS = [
  ": Permission denied",
  ": cannot execute binary file: Exec format error",
] as const;

/** Longest name in characters that a message is believed to name. */
const MAX_NAME = 128;

/** The program that a shell's message reports missing (`bash: line 1: gti: command not found`), else null. */
export function missingProgram(observed: Observed): string | null {
  return named(observed, NOT_FOUND_ENDS);
}

/** The program that a shell's message reports not executable, else null. */
export function refusedProgram(observed: Observed): string | null {
  return named(observed, REFUSED_ENDS);
}

/** True when the shell that carries out text is what could not be started. */
export function lacksShell({ ending }: Observed): boolean {
  return ending.error?.startsWith('Cannot start "bash": ') === true;
}

function named(observed: Observed, ends: readonly string[]): string | null {
  for (const line of knownLines(observed.ending)) {
    const end = ends.find((text) => line.endsWith(text));
    if (end === undefined) continue;
    const before = line.slice(0, -end.length);
    const name = before.slice(before.lastIndexOf(": ") + 1).trim().replace(
      /^['"`\u2018]|['"`\u2019]$/g,
      "",
    );
    if (name !== "" && name.length <= MAX_NAME) return name;
  }
  if (lacksShell(observed)) return "bash";
  const only = observed.programs.length === 1 ? observed.programs[0]?.name : undefined;
  const word = only ?? (observed.command.length > 1 ? observed.command[0] : undefined);
  return word === undefined || word.length > MAX_NAME ? null : word;
}

/** Longest quotation of an output line in a reason, in characters. */
const MAX_QUOTE = 100;

/** The first line that one of the patterns fits, cut to 100 characters; null for none. */
export function firstMatch(lines: readonly string[], patterns: readonly RegExp[]): string | null {
  const line = lines.find((text) => patterns.some((pattern) => pattern.test(text)));
  return line === undefined ? null : line.trim().slice(0, MAX_QUOTE);
}
