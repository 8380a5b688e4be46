/** What a project's files say: where a file lies, scripts, targets, branches. All of it read as commands themselves could. */
import { basename, dirname, join, resolve } from "node:path/posix";
import { nearNames } from "../near_names.ts";
import type { ReadableFiles } from "./rule.ts";

/** Directories that one search lists, and how deep it goes. */
const MAX_DIRECTORIES = 150;
const MAX_DEPTH = 5;
/** Names of one directory that are looked at. */
const MAX_NAMES = 2_000;
/** Places that a search gives. */
const MAX_FOUND = 3;
/** Directories that hold what others wrote. */
const SKIPPED: ReadonlySet<string> = new Set(
  ["node_modules", ".git", "target", "dist", ".venv", "venv", "__pycache__", "vendor"],
);

/** Whether something lies at an absolute path. */
export function exists(files: ReadableFiles, path: string): boolean {
  return path === "/" || (files.names(dirname(path))?.includes(basename(path)) ?? false);
}

/** Absolute paths near one that does not exist: its first missing part is replaced by a near name. */
export function nearPaths(files: ReadableFiles, path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "");
  let directory = "/";
  for (const [at, part] of parts.entries()) {
    // Above the workspace there may be nothing that may be listed; only a list can say that a part is missing.
    const names = files.names(directory);
    if (names === null || names.includes(part)) {
      directory = join(directory, part);
      continue;
    }
    const rest = parts.slice(at + 1);
    return near(part, names).map((name) => join(directory, name, ...rest))
      .filter((found) => rest.length === 0 || exists(files, found)).slice(0, MAX_FOUND);
  }
  return [];
}

/** Near names: another case, another extension, a dot in front, a slip. */
function near(name: string, names: readonly string[]): readonly string[] {
  const some = names.slice(0, MAX_NAMES);
  const lower = name.toLowerCase();
  const stem = name.replace(/\.\w{1,8}$/, "");
  const alike = some.filter((one) =>
    one !== name &&
    (one.toLowerCase() === lower || one === `.${name}` ||
      (stem.length > 1 && stem !== name && one.replace(/\.\w{1,8}$/, "") === stem))
  );
  return [...new Set([...alike, ...nearNames(name, { candidates: some, accept: () => true })])];
}

/** Absolute paths below a directory whose last part is a name, or matches a pattern with one `*`. */
export function findBelow(
  files: ReadableFiles,
  directory: string,
  wanted: string,
): readonly string[] {
  const [start = "", end] = wanted.split("*", 2);
  const fits = (name: string) =>
    end === undefined
      ? name === wanted
      : name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
  const found: string[] = [];
  let level = [directory];
  let listed = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const place of level) {
      if (listed++ >= MAX_DIRECTORIES) return found;
      for (const name of (files.names(place) ?? []).slice(0, MAX_NAMES)) {
        if (fits(name)) found.push(join(place, name));
        if (found.length >= MAX_FOUND) return found;
        // A name with a dot in it is rarely a directory; that saves most of the looking.
        if (!SKIPPED.has(name) && !/.\./.test(name)) next.push(join(place, name));
      }
    }
    level = next;
  }
  return found;
}

/** The nearest directory from `start` upwards in which a file of this name lies. */
export function nearestWith(
  files: ReadableFiles,
  start: string,
  name: string,
): string | null {
  for (let directory = resolve(start);; directory = dirname(directory)) {
    if (files.names(directory)?.includes(name)) return directory;
    if (directory === "/") return null;
  }
}

/** Names of the scripts of package.json, or of the tasks of deno.json, upwards from a directory. */
export function scriptsOf(files: ReadableFiles, cwd: string, file: "package" | "deno") {
  const [name, key] = file === "package" ? ["package.json", "scripts"] : ["deno.json", "tasks"];
  const directory = nearestWith(files, cwd, name);
  const text = directory === null ? null : files.text(join(directory, name));
  if (text === null) return [];
  try {
    const scripts: unknown = JSON.parse(text)?.[key];
    return typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : [];
  } catch {
    return [];
  }
}

/** Names of the targets of a makefile. */
export function targetsOf(files: ReadableFiles, directory: string): readonly string[] {
  const names = files.names(directory) ?? [];
  const name = ["GNUmakefile", "makefile", "Makefile"].find((one) => names.includes(one));
  const text = name === undefined ? null : files.text(join(directory, name));
  return (text ?? "").split("\n").slice(0, 5_000).flatMap((line) => {
    const target = /^([\w.\/-]{1,64}) {0,4}:(?!=)/.exec(line.slice(0, 80))?.[1];
    return target === undefined || target.startsWith(".") ? [] : [target];
  });
}

/** Names of branches and tags of the repository that a directory lies in. */
export function refsOf(files: ReadableFiles, cwd: string): readonly string[] {
  const top = nearestWith(files, cwd, ".git");
  if (top === null) return [];
  const git = join(top, ".git");
  const packed = (files.text(join(git, "packed-refs")) ?? "").split("\n").slice(0, 10_000);
  const refs = packed.flatMap((line) =>
    /^[0-9a-f]{40,64} refs\/(?:heads|tags|remotes\/origin)\/(.{1,200})$/.exec(line)?.[1] ?? []
  );
  for (const kind of ["heads", "tags", "remotes/origin"]) {
    refs.push(...looseRefs(files, join(git, "refs", kind), ""));
  }
  return [...new Set(refs)].filter((name) => name !== "HEAD");
}

function looseRefs(files: ReadableFiles, directory: string, prefix: string): readonly string[] {
  if (prefix.split("/").length > 4) return [];
  return (files.names(resolve(directory, prefix)) ?? []).slice(0, MAX_NAMES).flatMap((name) => {
    const ref = `${prefix}${name}`;
    const below = looseRefs(files, directory, `${ref}/`);
    return below.length > 0 ? below : [ref];
  });
}

/** The branch that a repository is on, null when it is on none. */
export function branchOf(files: ReadableFiles, cwd: string): string | null {
  const top = nearestWith(files, cwd, ".git");
  const head = top === null ? null : files.text(join(top, ".git", "HEAD"));
  return /^ref: refs\/heads\/([\w.\/-]{1,200})\s*$/.exec(head ?? "")?.[1] ?? null;
}
