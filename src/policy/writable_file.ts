/**
 * Finds policy files that the policy itself would let a command rewrite. Such a policy holds for one command only, so it
 * is refused unless the user trusts it by name.
 */
import type { Policy, Rule } from "./policy.ts";
import { coversDenied, coversPath } from "./match.ts";
import { baseName, parentOf, resolveAbsolute } from "./paths.ts";

/** Most links that a path may lead through (MAXSYMLINKS of Linux, include/linux/namei.h). */
const MAX_LINKS = 40;

/** A place that decides what a policy says, and the rule that makes it writable. */
export interface WritableFile {
  readonly path: string;
  readonly rule: Rule;
}

/**
 * Returns the first of the given policy files, or of the links that lead to it, that a command may change.
 *
 * Links count as much as the file: whoever can replace one decides which file is read next time.
 */
export function findWritableFile(policy: Policy, paths: readonly string[]): WritableFile | null {
  return paths.length === 0 ? null : writableFinder(policy)(paths);
}

/** What `findWritableFile` does, for many questions at one time: where the policy's patterns lead is looked up once. */
export function writableFinder(policy: Policy): (paths: readonly string[]) => WritableFile | null {
  const { allow, deny } = policy.write;
  const allowed = allow.map((rule) => ({ rule, path: realPath(rule.pattern) }));
  const denied = deny.map((rule) => realPath(rule.pattern));
  return (paths) => {
    for (const path of paths.flatMap(namesOnTheWay)) {
      const grant = allowed.find((candidate) => coversPath(candidate.path, path));
      if (grant && !denied.some((pattern) => coversDenied(pattern, path))) {
        return { path, rule: grant.rule };
      }
    }
    return null;
  };
}

/** Every directory entry with a real parent that is looked up when a path is opened and is a link, and the file itself. */
function namesOnTheWay(path: string): string[] {
  const names: string[] = [];
  const todo = path.split("/").filter(Boolean);
  let current = "/";
  let links = 0;
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    const next = resolveAbsolute(current, name);
    const target = readLink(next);
    if (target === null) current = next;
    else {
      names.push(next);
      if (++links > MAX_LINKS) break;
      if (target.startsWith("/")) current = "/";
      todo.unshift(...target.split("/").filter(Boolean));
    }
  }
  return [...names, current];
}

function readLink(path: string): string | null {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return null;
  }
}

/** Resolves links as far as a path exists: a pattern may name something that is created later, or end in a wildcard. */
function realPath(pattern: string): string {
  try {
    return Deno.realPathSync(pattern);
  } catch {
    const parent = parentOf(pattern);
    return parent === pattern ? pattern : resolveAbsolute(realPath(parent), baseName(pattern));
  }
}
