import { parse, type ParsedScript } from "unbash";
import { expectationOf, openEnd } from "./expectation.ts";
import { plainArgv } from "./plain.ts";
import type { Expectation, Script, Session } from "./script.ts";
import { findProblem } from "./verify.ts";
import { walkScript } from "./walk.ts";

/** Longest script in UTF-16 code units, 1 Mi: eight times what Linux lets one argument hold (MAX_ARG_STRLEN). */
export const MAX_SCRIPT_LENGTH = 1 << 20;

/** What became of a text. Only `script` may run. */
export type ParseResult =
  | { readonly kind: "script"; readonly script: Script }
  | { readonly kind: "incomplete"; readonly expects: Expectation }
  | {
    readonly kind: "syntax-error";
    readonly message: string;
    /** In UTF-16 code units from the start. */
    readonly offset: number;
    /** Counts from 1. */
    readonly line: number;
    /** In UTF-16 code units, counts from 1. */
    readonly column: number;
  };

/** Options of {@linkcode parseScript}. */
export interface ParseOptions {
  /** Names that the session's shell takes for functions or aliases: a command of such a name is never plain. */
  readonly shadowed?: ReadonlySet<string>;
}

const NOTHING: Session = { aliases: new Map(), functions: new Map() };

/**
 * Parses bash text and finds everything that it can start. Any error anywhere, however deep, makes the whole text a
 * syntax error: what bash would make of such text is not known, so it must not run.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseScript } from "@debrief/debrief";
 *
 * const result = parseScript("sudo -u www env LANG=C ls | wc -l");
 * assertEquals(result.kind, "script");
 * if (result.kind === "script") {
 *   assertEquals(result.script.programs.map(({ name }) => name), ["sudo", "env", "ls", "wc"]);
 * }
 * ```
 */
export function parseScript(source: string, options: ParseOptions = {}): ParseResult {
  const refused = source.length > MAX_SCRIPT_LENGTH
    ? `it has ${source.length} characters, more than ${MAX_SCRIPT_LENGTH}`
    : source.includes("\0")
    ? "it holds a NUL"
    : source.isWellFormed()
    ? null
    : "it holds an unpaired surrogate";
  if (refused !== null) return syntaxError(refused, source, Math.max(0, source.indexOf("\0")));
  try {
    return parseText(source, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The parser recurses on some repetitions, as `f() f() f()`; the stack's end is the only sign.
    return syntaxError("it is nested too deeply", source, 0);
  }
}

function parseText(source: string, options: ParseOptions): ParseResult {
  const root = parse(source);
  const error = root.errors?.[0];
  if (error !== undefined) {
    const expects = expectationOf(source, root.errors!);
    return expects === null
      ? syntaxError(error.message, source, error.pos)
      : { kind: "incomplete", expects };
  }
  const problem = findProblem(root, source);
  if (problem !== null) return syntaxError(problem.message, source, problem.offset);
  return { kind: "script", script: scriptOf(root, source, options) };
}

function scriptOf(root: ParsedScript, source: string, options: ParseOptions): Script {
  return {
    source,
    ...walkScript(root, source, NOTHING),
    plain: plainArgv(root, { source, ...options }),
    openAtEnd: openEnd(root, source),
  };
}

function syntaxError(message: string, source: string, offset: number): ParseResult {
  const before = source.slice(0, offset);
  const line = before.split("\n").length;
  return { kind: "syntax-error", message, offset, line, column: offset - before.lastIndexOf("\n") };
}

/**
 * Finds everything that a script can start in a session whose shell already has aliases and functions: their texts
 * count wherever the script may use them.
 *
 * @throws {TypeError} when `script` does not come from {@linkcode parseScript}.
 */
export function collectPrograms(script: Script, session: Partial<Session>): Script["programs"] {
  const known: Session = { ...NOTHING, ...session };
  if (known.aliases.size === 0 && known.functions.size === 0) return script.programs;
  const root = parse(script.source);
  if (root.errors !== undefined || findProblem(root, script.source) !== null) {
    throw new TypeError("Cannot collect programs: the script did not parse");
  }
  try {
    return walkScript(root, script.source, known).programs;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Aliases within functions within aliases can exhaust the stack: then nothing is known.
    const span = { start: 0, end: script.source.length };
    return [{ name: null, args: [], span, text: script.source, via: [], builtin: false }];
  }
}
