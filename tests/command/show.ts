import { assert } from "@std/assert";
import { collectPrograms, parseScript } from "../../src/command/parse.ts";
import type { Program, Script, Session } from "../../src/command/script.ts";

/** Parses text that must parse. */
export function scriptOf(source: string): Script {
  const result = parseScript(source);
  assert(result.kind === "script", `${JSON.stringify(source)}: ${JSON.stringify(result)}`);
  return result.script;
}

/** One program in short: `sudo>env>ls -l ?`, with `?` for what is unknown and `@` before builtins. */
export function show({ name, args, via, builtin }: Program): string {
  const words = [`${builtin ? "@" : ""}${name ?? "?"}`, ...args.map((arg) => arg ?? "?")];
  return [...via, words.join(" ")].join(">");
}

/** Everything that a text can start, in short. */
export function programsOf(source: string, session: Partial<Session> = {}): string[] {
  return collectPrograms(scriptOf(source), session).map(show);
}
