/** Files in memory, as rules see those of a workspace. */
import type { ReadableFiles } from "../../../src/feedback/rules/rule.ts";
import type { Earlier, SuggestContext } from "../../../src/feedback/suggest.ts";
import { suggest } from "../../../src/feedback/suggest.ts";
import { type Case, context } from "../observed.ts";

/** By absolute path; a directory is what a path leads through. */
function treeOf(files: Readonly<Record<string, string>>): ReadableFiles {
  return {
    text: (path) => files[path] ?? null,
    names(directory) {
      const start = directory === "/" ? "/" : `${directory}/`;
      const below = Object.keys(files).filter((path) => path.startsWith(start));
      if (below.length === 0) return null;
      return [...new Set(below.map((path) => path.slice(start.length).split("/")[0] ?? ""))];
    },
  };
}

/** One command of a table. */
export interface RuleCase {
  readonly name: string;
  /** Words of a plain command, or a script in one element. */
  readonly command: readonly string[];
  readonly programs?: readonly string[];
  readonly err?: string;
  readonly out?: string;
  readonly exit?: number | null;
  readonly ending?: Case["ending"];
  readonly rest?: Case["rest"];
  readonly files?: Readonly<Record<string, string>>;
  readonly history?: readonly Earlier[];
  readonly with?: Partial<SuggestContext>;
  /** Commands in backquotes of the first suggestions, in order. */
  readonly want: readonly string[];
}

/** The first command of each suggestion that has one, and names no output or policy. */
export function commandsFor(one: RuleCase): readonly string[] {
  const given: Case = {
    command: one.command,
    ending: { exitCode: one.exit === undefined ? 1 : one.exit, ...one.ending },
    ...one.programs ? { programs: one.programs } : {},
    ...one.err ? { err: one.err } : {},
    ...one.out ? { out: one.out } : {},
    ...one.rest ? { rest: one.rest } : {},
  };
  const fields = { files: treeOf(one.files ?? {}), history: one.history ?? [], ...one.with };
  return suggest(context(given, fields)).flatMap(({ text }) => /`([^`]+)`/.exec(text)?.[1] ?? [])
    .filter((command) => !command.startsWith("debrief ") && !command.startsWith("--timeout"));
}
