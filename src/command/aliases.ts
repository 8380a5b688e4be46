import type { Command } from "unbash";
import { KEYWORDS } from "./builtins.ts";
import { openEnd } from "./expectation.ts";
import { parsed } from "./place.ts";

/** Aliases in one command; more count as unknown. */
const MAX_WORDS = 64;
/** Longest text that a command may become. */
const MAX_LENGTH = 64 << 10;

/** What {@linkcode expandAlias} needs besides the command. */
export interface AliasOptions {
  /** The text that the command's positions index. */
  readonly source: string;
  readonly aliases: ReadonlyMap<string, string>;
  /** Aliases that are being expanded, which bash leaves alone within their own text. */
  readonly active: readonly string[];
}

/** A command as it reads once its aliases are replaced; `text` is null when that cannot be told. */
export interface Expansion {
  readonly names: readonly string[];
  readonly text: string | null;
}

/** The name of an alias as bash compares it: unquoted text without line continuations. */
export function aliasName(text: string): string {
  return text.includes("\\\n") ? text.replaceAll("\\\n", "") : text;
}

/**
 * Replaces the alias that a command starts with, and those after it for as long as a value ends in a blank. Values are text, not
 * words: one that is no whole script by itself could change how everything after it reads, so it counts as unknown.
 */
export function expandAlias(command: Command, options: AliasOptions): Expansion | null {
  const { source, aliases, active } = options;
  if (command.name === undefined) return null;
  const first = aliasName(source.slice(command.name.pos, command.name.end));
  if (!aliases.has(first) || active.includes(first)) return null;
  const names: string[] = [];
  let text = "";
  let end = command.name.pos;
  let next: string | undefined = first;
  const words = [command.name, ...command.suffix.filter((part) => part.type === "Word")];
  for (const word of words) {
    if (next === undefined) break;
    const name = aliasName(source.slice(word.pos, word.end));
    const value = active.includes(name) ? undefined : aliases.get(name);
    if (value === undefined) break;
    names.push(name);
    if (names.length > MAX_WORDS || text.length + value.length > MAX_LENGTH || !isWhole(value)) {
      return { names, text: null };
    }
    text += source.slice(end, word.pos) + value;
    end = word.end;
    next = /[ \t]$/.test(value) ? name : undefined;
  }
  const rest = source.slice(end, command.end);
  return {
    names,
    text: rest.length > MAX_LENGTH ? null : `${text}${rest.startsWith(" ") ? "" : " "}${rest}`,
  };
}

// Only what is complete and sound by itself.
function isWhole(value: string): boolean {
  const root = parsed(value);
  return root !== null && openEnd(root, value) === null;
}

/** Tells whether an alias hides a reserved word that the script may use: nothing then reads as it is written. */
export function hidesKeyword(aliases: ReadonlyMap<string, string>, source: string): boolean {
  for (const keyword of KEYWORDS) if (aliases.has(keyword) && source.includes(keyword)) return true;
  return false;
}

/** Aliases that the script itself defines in words that are known, in the order of its programs' arguments. */
export function definedAliases(args: readonly (string | null)[]): [string, string][] {
  return args.flatMap((arg) => {
    const found = /^([^=]+)=([^]*)$/.exec(arg ?? "");
    return found === null ? [] : [[found[1]!, found[2]!] as [string, string]];
  });
}
