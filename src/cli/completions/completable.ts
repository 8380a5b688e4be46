/** What can stand where on the command line, for completion: read off the tables of commands and flags. */
import { BUILTIN_NAMES } from "../../policy/builtins.ts";
import { type CommandHelp, COMMANDS } from "../command_table.ts";
import type { Flag } from "../flags.ts";

/** What a shell offers at one place: words, and names of files or directories. */
export interface Completable {
  readonly words: readonly string[];
  readonly paths: "files" | "directories" | null;
}

const NOTHING: Completable = { words: [], paths: null };
const DIRECTORY = /^DIR$/;
const FILE = /(?:^|\|)(?:FILE|PATH)$/;
/** A word that is typed as it stands; those in capitals are placeholders. */
const LITERAL = /^[a-z][a-z-]*$/;

/** The commands that are called by a word. */
export const CALLED: readonly CommandHelp[] = COMMANDS.filter(({ name }) => name !== "run");

/** The words among alternatives such as `stdout|stderr|fd:N|off`. */
function literals(alternatives: string): readonly string[] {
  return alternatives.split("|").filter((word) => LITERAL.test(word));
}

function completableOf(placeholder: string): Completable {
  const paths = DIRECTORY.test(placeholder)
    ? "directories"
    : FILE.test(placeholder)
    ? "files"
    : null;
  return { words: literals(placeholder), paths };
}

/** What the value of a flag can be. */
export function valueOf({ name, value }: Flag): Completable {
  if (value === undefined) return NOTHING;
  const found = completableOf(value);
  return name === "policy" ? { ...found, words: BUILTIN_NAMES } : found;
}

/** The words of a usage line behind `debrief NAME`, without what marks them as optional. */
function operandsIn(usage: string): readonly string[] {
  return usage.split(" ").slice(2).map((word) => word.replaceAll(/[[\]…]/g, ""));
}

/** What the first word behind a command can be. */
export function firstOperand({ name, usage }: CommandHelp): Completable {
  if (name === "help") return { words: CALLED.map((one) => one.name), paths: null };
  const found = usage.map((line) => completableOf(operandsIn(line)[0] ?? ""));
  return {
    words: [...new Set(found.flatMap(({ words }) => words))],
    paths: found.find(({ paths }) => paths !== null)?.paths ?? null,
  };
}

/** First words behind which a second one can be completed, with what that is. */
export function secondOperands({ usage }: CommandHelp): ReadonlyMap<string, Completable> {
  const lines = usage.map(operandsIn).filter(([first = ""]) => LITERAL.test(first));
  const entries = lines.map(([first = "", second = ""]) => [first, completableOf(second)] as const);
  return new Map(entries.filter(([, { words, paths }]) => words.length > 0 || paths !== null));
}

/** A word in single quotes, as every shell here reads it. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
