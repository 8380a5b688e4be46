import type { Arg } from "./word.ts";

/**
 * The options of a program that starts another one, as `getopt_long(3)` reads them up to the first operand.
 * Short options are letters of one string, long ones are names without dashes.
 */
export interface OptionGrammar {
  readonly flags?: string;
  /** Short options whose value is the rest of the cluster or the next word. */
  readonly values?: string;
  /** Short options whose value, if any, is the rest of the cluster. */
  readonly optional?: string;
  readonly longFlags?: readonly string[];
  readonly longValues?: readonly string[];
  /** Whether `-5`, `-+5` and `--5` are options, as of nice. */
  readonly numeric?: boolean;
}

/** One option as found: a letter or a full long name. */
export interface FoundOption {
  readonly name: string;
  readonly value: Arg | null;
}

/** What {@linkcode parseOptions} found. */
export interface ParsedOptions {
  readonly options: readonly FoundOption[];
  readonly rest: readonly Arg[];
  /** False when an unknown option or an unknown word may shift the reading, so that `rest` may start elsewhere. */
  readonly certain: boolean;
}

interface Reading {
  readonly options: FoundOption[];
  at: number;
  certain: boolean;
}

/** Separates options from operands. It never guesses silently: what the grammar does not know makes the result uncertain. */
export function parseOptions(args: readonly Arg[], grammar: OptionGrammar): ParsedOptions {
  const reading: Reading = { options: [], at: 0, certain: true };
  while (reading.at < args.length) {
    const arg = args[reading.at]!;
    const word = arg.value;
    if (word === null) {
      readUnknown(arg, reading, grammar);
      if (!isOptionText(arg)) break;
      continue;
    }
    if (!word.startsWith("-") || word === "-") break;
    reading.at++;
    if (word === "--") break;
    if (grammar.numeric && /^-[-+]?\d+$/.test(word)) continue;
    if (word.startsWith("--")) readLong(word.slice(2), args, { reading, grammar });
    else readCluster(word, args, { reading, grammar });
  }
  return { options: reading.options, rest: args.slice(reading.at), certain: reading.certain };
}

// `--user="$USER"` and `-u"$USER"` are single words whose option is known though their value is not.
function isOptionText(arg: Arg): boolean {
  return !arg.multi && /^-[^'"$`\\]/.test(arg.text);
}

function readUnknown(arg: Arg, reading: Reading, grammar: OptionGrammar): void {
  if (!isOptionText(arg)) return;
  reading.at++;
  const value: Arg = { ...arg, value: null, template: null };
  const long = /^--([a-z][a-z0-9-]*)=/.exec(arg.text)?.[1];
  const letter = arg.text[1]!;
  if (long !== undefined && grammar.longValues?.includes(long)) {
    reading.options.push({ name: long, value });
  } else if (grammar.values?.includes(letter)) reading.options.push({ name: letter, value });
  else reading.certain = false;
}

interface ReadContext {
  readonly reading: Reading;
  readonly grammar: OptionGrammar;
}

function readLong(text: string, args: readonly Arg[], { reading, grammar }: ReadContext): void {
  const equals = text.indexOf("=");
  const given = equals < 0 ? text : text.slice(0, equals);
  // An unambiguous beginning is enough for getopt_long.
  const name = grammar.longValues?.find((long) => long === given) ??
    grammar.longFlags?.find((long) => long === given) ??
    grammar.longValues?.find((long) => long.startsWith(given)) ??
    grammar.longFlags?.find((long) => long.startsWith(given));
  if (name === undefined || given === "") {
    reading.certain = false;
    return;
  }
  if (equals >= 0) {
    const value = text.slice(equals + 1);
    reading.options.push({
      name,
      value: { value, multi: false, text: value, template: value, span: null },
    });
  } else if (grammar.longValues?.includes(name)) pushNext(name, args, reading);
  else reading.options.push({ name, value: null });
}

function readCluster(word: string, args: readonly Arg[], { reading, grammar }: ReadContext): void {
  for (let at = 1; at < word.length; at++) {
    const name = word[at]!;
    const value = word.slice(at + 1);
    const attached = { value, multi: false, text: value, template: value, span: null };
    if (grammar.values?.includes(name)) {
      if (value === "") pushNext(name, args, reading);
      else reading.options.push({ name, value: attached });
      return;
    }
    if (grammar.optional?.includes(name)) {
      reading.options.push({ name, value: value === "" ? null : attached });
      return;
    }
    if (!grammar.flags?.includes(name)) {
      reading.certain = false;
      return;
    }
    reading.options.push({ name, value: null });
  }
}

function pushNext(name: string, args: readonly Arg[], reading: Reading): void {
  const value = args[reading.at] ?? null;
  reading.at++;
  if (value === null || value.multi) reading.certain = false;
  reading.options.push({ name, value });
}
