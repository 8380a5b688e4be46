import type { ParsedScript } from "unbash";
import type { Candidate } from "./collector.ts";
import type { Program } from "./script.ts";
import { literalWord } from "./word.ts";

/** Builtins that may call a function by a name that is not read here. */
const INDIRECT = new Set([
  "eval",
  "source",
  ".",
  "trap",
  "mapfile",
  "readarray",
  "compgen",
  "unset",
]);

/**
 * The functions that a script surely defines, with the offset behind the definition: only those that stand alone in
 * its outermost list, since any other may be skipped or happen in a subshell.
 */
export function sureDefinitions(root: ParsedScript, source: string): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { command, background } of root.commands) {
    if (command.type !== "Function" || background) continue;
    const name = literalWord(source.slice(command.name.pos, command.name.end))?.value;
    if (name !== undefined && !ends.has(name)) ends.set(name, command.end);
  }
  return ends;
}

/**
 * Leaves out the calls of functions: their bodies are listed already. A call outside of functions must follow the
 * definition; one inside needs it before any function can be called. `session` holds the names defined before the script.
 */
export function withoutCalls(
  candidates: readonly Candidate[],
  definitions: ReadonlyMap<string, number>,
  session: ReadonlySet<string>,
): Program[] {
  const isFunction = (name: string) => definitions.has(name) || session.has(name);
  if (candidates.some(({ program }) => mayUnset(program, isFunction))) {
    return candidates.map(({ program }) => program);
  }
  let firstCall = Infinity;
  for (const { program, inFunction } of candidates) {
    const { name, span } = program;
    if (!inFunction && (name === null || isFunction(name) || INDIRECT.has(name))) {
      firstCall = Math.min(firstCall, span.start);
    }
  }
  return candidates.filter(({ program: { name, span }, own, inFunction }) => {
    if (name === null || !own) return true;
    if (session.has(name)) return false;
    const end = definitions.get(name);
    return end === undefined || end > (inFunction ? firstCall : span.start);
  }).map(({ program }) => program);
}

function mayUnset({ name, args }: Program, isFunction: (name: string) => boolean): boolean {
  return name === "unset" &&
    args.some((arg) => arg === null || /^-[a-z]*f/.test(arg) || isFunction(arg));
}
