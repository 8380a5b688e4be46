/**
 * Which files a jail may execute where `run` is a list. Landlock's EXECUTE is about opening a file to execute it: the
 * listed programs, what executes these, and the shells that Debrief itself starts. What a loader or an interpreter then
 * loads is only read, so this stops every way of starting another program directly, and contains nothing.
 */
import { join } from "node:path/posix";
import { listsPrograms, matchesDenied } from "../policy/check.ts";
import { coversPath } from "../policy/match.ts";
import type { Policy, Rule } from "../policy/policy.ts";
import { parseRun } from "../policy/run_entry.ts";
import { hasWildcard, matchesWildcard } from "../policy/wildcard.ts";
import { findWritableFile } from "../policy/writable_file.ts";
import type { Watched } from "./grants.ts";
import { interpretersOf } from "./interpreters.ts";
import { directoryNames, realPath, status } from "./linux/files.ts";
import { isMovable } from "./plan_paths.ts";

/** What may be executed; everything that may be read where there is none. */
export interface Execution {
  /** Real paths of files and directories. */
  readonly paths: readonly string[];
  /** Files whose replacement changes what may be executed, and directories in which programs were looked for. */
  readonly watched: readonly Watched[];
  /** For each allow, the files that it stands for. */
  readonly files: ReadonlyMap<Rule, readonly string[]>;
}

/** What it is planned from besides the policy. */
export interface ExecutionContext {
  /** Directories with colons between them, as the session begins. */
  readonly searchPath: string;
}

/** Directories for which a bare name stands whatever the search path says (check.ts). */
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** What reads the text of commands, and what Debrief proves a jail and ends its processes with. */
const SHELLS = ["sh", "bash"];
/** The kernel follows this many interpreters of interpreters: `exec_binprm`, `fs/exec.c`. */
const MAX_DEPTH = 5;
/** Most directories of a search path that are looked at. */
const MAX_DIRECTORIES = 64;
const EXECUTABLE = 0o111;

/** Looks programs up and collects what executes them. */
class ProgramFinder {
  readonly #policy: Policy;
  readonly #directories: readonly string[];
  readonly #denied: readonly ReturnType<typeof parseRun>[];
  readonly #found = new Set<string>();
  readonly #writable = new Map<string, boolean>();

  constructor(policy: Policy, searchPath: string) {
    this.#policy = policy;
    const named = `${searchPath}:${SYSTEM_PATH}`.split(":").filter((path) => path.startsWith("/"));
    this.#directories = [...new Set(named)].slice(0, MAX_DIRECTORIES);
    this.#denied = policy.run.deny.map(({ pattern }) => parseRun(pattern));
  }

  get paths(): readonly string[] {
    return [...this.#found];
  }

  /** Directories with the time of their last change, so that a program that is installed later is found. */
  get watched(): readonly Watched[] {
    const real = new Set(this.#directories.map(realPath).filter((path) => path !== null));
    const directories = [...real].filter((path) => !this.#isWritable(path));
    return [...directories, ...this.#found].flatMap((path) => {
      const info = status(path, { follow: false });
      if (info === null) return [];
      const split = info.kind === "directory";
      return [{
        path,
        device: info.device,
        inode: info.inode,
        modified: split ? info.modified : null,
      }];
    });
  }

  /** Whether commands could change a file, or where a link leads. Where they may change everything, names are all there is. */
  #isWritable(path: string): boolean {
    if (this.#policy.write.allow.some(({ pattern }) => pattern === "/")) return false;
    const known = this.#writable.get(path);
    const writable = known ?? findWritableFile(this.#policy, [path]) !== null;
    this.#writable.set(path, writable);
    return writable;
  }

  /** Whether a deny is about every use of a program. */
  #isDenied(path: string): boolean {
    return this.#denied.some((pattern) => matchesDenied(pattern, path, []) === "yes");
  }

  /** The files that a name stands for on the search path, commands' own and denied ones aside. */
  named(name: string): readonly string[] {
    return this.#candidates(name).flatMap((path) => {
      const real = this.#isDenied(path) ? null : realPath(path);
      if (real === null || this.#isWritable(path)) return [];
      return isExecutable(real) ? [real] : [];
    });
  }

  /** The files of a shell, which text is read with whatever the rules say; a command's own only where there is no other. */
  shells(name: string): readonly string[] {
    const found = this.#candidates(name).flatMap((path) => {
      const real = realPath(path);
      return real !== null && isExecutable(real) ? [{ real, own: this.#isWritable(path) }] : [];
    });
    const safe = found.filter(({ own }) => !own);
    return (safe.length > 0 ? safe : found).map(({ real }) => real);
  }

  #candidates(name: string): readonly string[] {
    return this.#directories.flatMap((directory) => {
      if (!hasWildcard(name)) return [join(directory, name)];
      const names = directoryNames(directory) ?? [];
      return names.filter((one) => matchesWildcard(name, one)).map((one) => join(directory, one));
    });
  }

  /** The file that a path stands for; what commands could let it stand for is nothing. */
  at(path: string): readonly string[] {
    const real = realPath(path);
    if (real === null || this.#isDenied(path) || !isExecutable(real)) return [];
    return real !== path && isMovable(this.#policy, path) ? [] : [real];
  }

  /** Let a file be executed, with what executes it: of one that commands can write nothing else is granted. */
  add(path: string, depth = 0): void {
    if (this.#found.has(path)) return;
    this.#found.add(path);
    if (depth >= MAX_DEPTH || this.#isWritable(path)) return;
    for (const one of interpretersOf(path)) {
      const files = one.kind === "file" ? this.at(one.path) : this.named(one.name).slice(0, 1);
      for (const file of files) this.add(file, depth + 1);
    }
  }
}

function isExecutable(path: string): boolean {
  const info = status(path, { follow: false });
  return info?.kind === "file" && (info.mode & EXECUTABLE) !== 0;
}

/** Directories and files of `run.exec` by their real paths; a link that commands could change leads nowhere. */
function listed(policy: Policy): readonly string[] {
  return policy.executable.flatMap(({ pattern }) => {
    const path = realPath(pattern);
    if (path === null) return [];
    return path !== pattern && isMovable(policy, pattern) ? [] : [path];
  });
}

/** Plan what may be executed; null where `run` is no list, and everything may be that may be read. */
export function planExecution(policy: Policy, context: ExecutionContext): Execution | null {
  if (!listsPrograms(policy)) return null;
  const finder = new ProgramFinder(policy, context.searchPath);
  const files = new Map<Rule, readonly string[]>();
  for (const name of SHELLS) for (const path of finder.shells(name)) finder.add(path);
  const none = policy.run.deny.some(({ pattern }) => pattern === "*");
  for (const rule of none ? [] : policy.run.allow) {
    const { program } = parseRun(rule.pattern);
    const found = [
      ...new Set(program.startsWith("/") ? finder.at(program) : finder.named(program)),
    ];
    files.set(rule, found);
    for (const path of found) finder.add(path);
  }
  return { paths: [...finder.paths, ...listed(policy)], watched: finder.watched, files };
}

/** True when a jail may execute a file. */
export function mayExecute(execution: Execution | null, path: string): boolean {
  return execution === null || execution.paths.some((one) => coversPath(one, path));
}
