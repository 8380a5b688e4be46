/** Path entries of `read` and `write`: what a user may write, and the absolute path that it stands for. */
import type { PolicyVariables, Rule } from "./policy.ts";
import { nearest } from "./nearest.ts";
import { resolveAbsolute } from "./paths.ts";
import { hasWildcard } from "./wildcard.ts";
import { showValue } from "./show_value.ts";

/** The variables that a path may begin with. */
const PATH_VARIABLES: readonly (keyof PolicyVariables)[] = ["WORKSPACE", "HOME", "TMP"];

const ACCEPTED_START =
  'a path begins with "/", "$WORKSPACE", "$HOME", "$TMP", "~/" or "./" (the directory of the policy file)';

/** The two parts of an entry: what it is relative to, and the rest. */
interface PathParts {
  readonly base: keyof PolicyVariables | "directory" | "root";
  readonly rest: string;
}

/**
 * Says what is wrong with a path entry, or null when it can be used.
 *
 * A wildcard is refused wherever it could not be enforced exactly: an ignored one would grant or deny something other than
 * what is written.
 */
export function problemOfPath(entry: string, effect: Rule["effect"]): string | null {
  const cannot = `Cannot use the path ${showValue(entry)}:`;
  if (entry === "") return `${cannot} it is empty; ${ACCEPTED_START}`;
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(entry)) return `${cannot} it holds a control character`;
  const parts = splitPath(entry);
  if (typeof parts === "string") return `${cannot} ${parts}`;
  if (parts.rest.includes("$")) return `${cannot} a variable can stand at the beginning only`;
  if (/[[\]{}]/.test(parts.rest)) {
    return `${cannot} classes and alternatives ("[", "{") are not supported; write one entry for each path`;
  }
  return problemOfWildcard(parts.rest, effect, cannot);
}

/**
 * Returns the absolute, normalised path of an entry that `problemOfPath` found nothing wrong with.
 *
 * `directory` is that of the policy file, null for a built-in policy.
 */
export function resolvePath(
  entry: string,
  context: { readonly variables: PolicyVariables; readonly directory: string | null },
): string {
  const parts = splitPath(entry);
  if (typeof parts === "string") throw new TypeError(`Cannot use the path "${entry}": ${parts}`);
  if (parts.base === "root") return resolveAbsolute("/", parts.rest);
  const base = parts.base === "directory" ? context.directory : context.variables[parts.base];
  if (!base?.startsWith("/")) {
    throw new TypeError(
      `Cannot resolve the path "${entry}": "${parts.base}" is not an absolute path`,
    );
  }
  return resolveAbsolute(base, "./" + parts.rest);
}

function splitPath(entry: string): PathParts | string {
  if (entry.startsWith("/")) return { base: "root", rest: entry };
  if (entry.startsWith("./")) return { base: "directory", rest: entry.slice(2) };
  if (entry === "~" || entry.startsWith("~/")) return { base: "HOME", rest: entry.slice(2) };
  if (!entry.startsWith("$")) return `it is relative; ${ACCEPTED_START}`;
  const match = /^\$(?:\{([^{}/]*)\}|([A-Za-z0-9_]*))/.exec(entry);
  const name = match?.[1] ?? match?.[2] ?? "";
  const base = PATH_VARIABLES.find((known) => known === name);
  if (!match || !base) return unknownVariable(name);
  const rest = entry.slice(match[0].length);
  if (rest !== "" && !rest.startsWith("/")) {
    return `"/" or the end must follow the variable "$${base}"`;
  }
  return { base, rest };
}

function unknownVariable(name: string): string {
  const near = nearest(name, PATH_VARIABLES);
  const hint = near ? `; did you mean "$${near}"` : "";
  return `there is no variable "$${name}"${hint}; accepted are $WORKSPACE, $HOME and $TMP`;
}

function problemOfWildcard(rest: string, effect: Rule["effect"], cannot: string): string | null {
  if (!hasWildcard(rest)) return null;
  if (effect === "allow") {
    return `${cannot} wildcards are accepted in "deny" only; an entry grants everything beneath it without one`;
  }
  const components = rest.split("/").filter((component) => component !== "" && component !== ".");
  const last = components.pop() ?? "";
  if (components.some(hasWildcard) || last === "..") {
    return `${cannot} "*" and "?" are accepted in the last component only`;
  }
  if (last.includes("**")) {
    return `${cannot} "**" is not supported; a deny covers everything beneath what it matches`;
  }
  return null;
}
