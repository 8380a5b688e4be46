/** What a rule for suggestions is made from, and what it gives. */
import { quoteArgv, quoteWord } from "../../command/quote.ts";
import type { CommandRecord, Outcome, OutcomeKind } from "../../record/record.ts";
import { shortText } from "../../record/visible_text.ts";
import { errorLines, type Observed } from "../observed.ts";
import type { Findings } from "../findings.ts";

/** What is looked at in an earlier record. */
export type Earlier =
  & Pick<CommandRecord, "command" | "exit_code">
  & Partial<
    Pick<CommandRecord, "command_id" | "outcome" | "suggestions" | "stdout_tail" | "output_id">
  >;

/** How many suggestions a block has. */
export type Verbosity = "brief" | "normal" | "full";

/**
 * Files as a command itself could read them: regular files and directories that the policy grants, reached through no
 * link, bounded in size. Paths are absolute.
 */
export interface ReadableFiles {
  /** Names in a directory, null when it is none or may not be read. */
  readonly names: (directory: string) => readonly string[] | null;
  /** A file's text, null when it is none, too large or may not be read. */
  readonly text: (path: string) => string | null;
}

/** What suggestions are made from. */
export interface SuggestContext {
  readonly observed: Observed;
  readonly outcome: Outcome;
  readonly commandId: string;
  readonly outputId: string | null;
  /** Limit in milliseconds that was in force, 0 for none. */
  readonly timeoutMs: number;
  /** Records of this session; their failed commands are not suggested again. */
  readonly history: readonly Earlier[];
  /** How many suggestions there may be; `normal` when absent. */
  readonly verbosity?: Verbosity;
  /** Where the command began, and where it left the session. */
  readonly cwd: string;
  readonly cwdAfter: string;
  /** What the session is for, null when nobody said. */
  readonly goal: string | null;
  /** Whether background processes outlive the command: in a session that keeps its state. */
  readonly keepsJobs: boolean;
  /** What counts and places the output names. */
  readonly findings: Findings | null;
  readonly files: ReadableFiles;
  /** Names of all programs on PATH. Called only when a name was not found. */
  readonly programs: () => readonly string[];
  /** Whether the policy allows a program by name. */
  readonly allowed: (name: string) => boolean;
  /** Whether a line parses, the policy allows all that it starts, and all of that is on PATH. */
  readonly runnable: (line: string) => boolean;
}

/** A suggestion before it is known whether it is made. */
export interface Proposal {
  readonly text: string;
  /** The command line that it proposes, left out when it has failed before or could not run. */
  readonly runs?: string;
}

/** One row of the table of suggestions. */
export interface SuggestRule {
  /** Kebab-case; records and statistics know it by this. */
  readonly name: string;
  /** Outcomes that it looks at; all when absent. */
  readonly kinds?: readonly OutcomeKind[];
  readonly propose: (context: SuggestContext) => readonly Proposal[];
}

/** Characters of a path, rule or command inside a suggestion. */
export const MAX_PART = 120;

/** A command line with what it does. */
export function run(line: string | null, what: string): readonly Proposal[] {
  return line === null || line.length > 2 * MAX_PART || !isPlain(line)
    ? []
    : [{ text: `\`${line}\`${what.startsWith(":") ? "" : " "}${what}`, runs: line }];
}

/** The command as one would type it; null for one that cannot be shown as it is. */
export function lineOf({ command }: Observed): string | null {
  const [only = ""] = command;
  try {
    const line = command.length > 1 ? quoteArgv(command) : only;
    return line === "" || !isPlain(line) ? null : line;
  } catch {
    return null;
  }
}

/** The line with one word in place of another that stands in it exactly once, else null. */
export function withWord(observed: Observed, from: string, to: string): string | null {
  const { command } = observed;
  if (from === "" || from === to || !isPlain(to)) return null;
  if (command.length > 1) {
    const at = command.indexOf(from);
    return at < 0 || command.indexOf(from, at + 1) >= 0 ? null : quoteArgv(command.with(at, to));
  }
  const line = command[0] ?? "";
  const ends = /[\s;&|()<>'"]/;
  let found = -1;
  for (let at = line.indexOf(from); at >= 0; at = line.indexOf(from, at + 1)) {
    const [before, after] = [line[at - 1] ?? " ", line[at + from.length] ?? " "];
    if (!ends.test(before) || !(ends.test(after) || after === "/" || after === "=")) continue;
    if (found >= 0) return null;
    found = at;
  }
  if (found < 0) return null;
  return line.slice(0, found) + quoteWord(to) + line.slice(found + from.length);
}

/** The line with words after its program, or after the word `after`. */
export function withOption(observed: Observed, option: string, after?: string): string | null {
  const { command } = observed;
  const words = command.length > 1 ? command : (command[0] ?? "").split(" ");
  if (command.length === 1 && /[;&|<>()`$'"\\\n]/.test(command[0] ?? "")) return null;
  const at = after === undefined ? 0 : words.indexOf(after);
  if (at < 0 || words.includes(option)) return null;
  return quoteArgv([...words.slice(0, at + 1), ...option.split(" "), ...words.slice(at + 1)]);
}

/** The first group of the first line of standard error that matches. */
export function errorWord({ ending }: Observed, patterns: readonly RegExp[]): string | null {
  for (const line of errorLines(ending)) {
    for (const pattern of patterns) {
      const word = pattern.exec(line)?.[1];
      if (word) return word;
    }
  }
  return null;
}

/** Whether the text can stand in one line as it is. */
export function isPlain(text: string): boolean {
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  return !/[\u0000-\u001f\u007f]/.test(text) && text.isWellFormed();
}

/** Text from outside, cut and made visible. */
export function short(text: string): string {
  return shortText(text, MAX_PART);
}

/** One quoted word, null when it is too long or cannot be quoted, since a cut command would be a different one. */
export function quoted(word: string): string | null {
  return quotedWords([word]);
}

/** A quoted command line, null as for `quoted`. */
function quotedWords(words: readonly string[]): string | null {
  if (!words.every(isPlain)) return null;
  const text = words.map(quoteWord).join(" ");
  return text.length > MAX_PART ? null : text;
}
