import type { ParsedScript } from "unbash";
import { BUILTINS, KEYWORDS } from "./builtins.ts";
import { literalWord } from "./word.ts";

/** What {@linkcode plainArgv} needs besides the tree. */
export interface PlainOptions {
  /** The text that the tree was made of. */
  readonly source: string;
  /** Names that the session's shell does not look up as programs: its functions and aliases. */
  readonly shadowed?: ReadonlySet<string>;
}

/**
 * Gives the exact argument vector when a script is a single command of literal words, else null. Such a command is
 * started directly, which saves the shell; so whatever a shell could read differently is not plain.
 */
export function plainArgv(root: ParsedScript, { source, shadowed }: PlainOptions): string[] | null {
  const [statement, ...others] = root.commands;
  if (statement === undefined || others.length > 0 || statement.background) return null;
  const command = statement.command;
  if (command.type !== "Command" || command.name === undefined || command.prefix.length > 0) {
    return null;
  }
  const argv: string[] = [];
  for (const word of [command.name, ...command.suffix]) {
    if (word.type !== "Word") return null;
    const literal = literalWord(source.slice(word.pos, word.end));
    if (literal === null || literal.unusual) return null;
    argv.push(literal.value);
  }
  const name = argv[0]!;
  // `%1` names a job, and an unquoted `=` makes an assignment of it.
  if (name === "" || name.startsWith("%") || name.includes("=")) return null;
  return BUILTINS.has(name) || KEYWORDS.has(name) || shadowed?.has(name) ? null : argv;
}
