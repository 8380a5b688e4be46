/** Entries of `run`: a program and, optionally, its leading arguments. */
import type { PolicyVariables } from "./policy.ts";
import { problemOfPath, resolvePath } from "./path_entry.ts";
import { showValue } from "./show_value.ts";

/** An entry, taken apart. */
export interface RunPattern {
  /** A bare name, which may hold `*`, or an absolute path, which is literal. */
  readonly program: string;
  /** Patterns of the arguments, without the trailing `*` that stands for any further ones. */
  readonly words: readonly string[];
}

/** Says what is wrong with an entry, or null when it can be used. */
export function problemOfRun(entry: string): string | null {
  const cannot = `Cannot use the command ${showValue(entry)}:`;
  const [program = "", ...words] = splitWords(entry);
  if (program === "") {
    return `${cannot} it is empty; accepted is a program and its leading arguments`;
  }
  if (program === "*") return `${cannot} write "run": true to allow or deny every program`;
  if (/["'`\\|&;<>()]/.test(entry)) {
    return `${cannot} words are split at blanks, and quotes and shell operators are not understood`;
  }
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(entry)) return `${cannot} it holds a control character`;
  if (words.some((word) => word.startsWith("$"))) {
    return `${cannot} a variable can begin the program only`;
  }
  if (/^[$~/]/.test(program)) return problemOfPath(program, "allow");
  if (program.includes("/")) {
    return `${cannot} a program is a name such as "git" or an absolute path such as "/usr/bin/git"`;
  }
  return null;
}

/** Returns the entry with its blanks single, its variable replaced and its path normalised. */
export function canonicalRun(entry: string, variables: PolicyVariables): string {
  const [program = "", ...words] = splitWords(entry);
  const resolved = /^[$~/]/.test(program)
    ? resolvePath(program, { variables, directory: null })
    : program;
  return [resolved.replace(/[\\ ]/g, "\\$&"), ...words].join(" ");
}

/** Takes a canonical entry apart; a backslash in it protects a blank of a path. */
export function parseRun(canonical: string): RunPattern {
  const [program = "", ...words] = canonical.match(/(?:\\.|[^\\ ])+/g) ?? [];
  if (words.at(-1) === "*") words.pop();
  return { program: program.replace(/\\(.)/g, "$1"), words };
}

function splitWords(entry: string): string[] {
  return entry.split(/[ \t]+/).filter((word) => word !== "");
}
