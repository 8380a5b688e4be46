/** Denied paths, indexed so that each question costs the depth of a path and not the number of rules. */
import { isWithin } from "../policy/paths.ts";
import { basename, dirname, join, resolve } from "node:path/posix";
import { hasWildcard, matchesWildcard } from "../policy/wildcard.ts";
import { directoryNames, readLink, realPath, status } from "./linux/files.ts";

/** Real paths by path, as found while one plan is made: deny lists name many siblings. */
type RealPaths = Map<string, string>;

/** The longest existing ancestor made real, the rest kept as it is: a deny must hold for absent paths too. */
export function realPathOfMaybeAbsent(path: string, known: RealPaths = new Map()): string {
  const found = known.get(path);
  if (found !== undefined) return found;
  const info = status(path, { follow: false });
  const parent = path === "/" ? "/" : realPathOfMaybeAbsent(dirname(path), known);
  const here = path === "/" ? "/" : join(parent, basename(path));
  // Known while a dangling link is followed, so that a loop ends.
  known.set(path, here);
  const real = info?.kind === "link" ? realPath(path) ?? targetOf(here, known) : here;
  known.set(path, real);
  return real;
}

/** Where a link leads whose target is not there yet. */
function targetOf(link: string, known: RealPaths): string {
  return realPathOfMaybeAbsent(resolve(dirname(link), readLink(link) ?? link), known);
}

/** What was found while one plan is made: many patterns are about the same directories. */
class Lookups {
  readonly #real: RealPaths = new Map();
  readonly #names = new Map<string, readonly string[]>();

  real(path: string): string {
    return realPathOfMaybeAbsent(path, this.#real);
  }

  /** Where the links lead that a pattern matches. */
  matched(directory: string, glob: string): readonly string[] {
    const names = this.#names.get(directory) ?? directoryNames(directory) ?? [];
    this.#names.set(directory, names);
    return names.filter((name) => matchesWildcard(glob, name, { single: true }))
      .map((name) => this.real(join(directory, name)));
  }
}

/** A set of denied paths. A pattern may hold `*` and `?` in its last component. */
export class Exclusions {
  readonly #exact: Set<string> = new Set();
  readonly #globs: Map<string, readonly string[]> = new Map();
  /** Directories that hold something denied, at whatever depth. */
  readonly #above: Set<string> = new Set();

  readonly #lookups: Lookups;

  /** Patterns count as written and, where a link is on the way, also where they really lie. */
  constructor(patterns: readonly string[], base: Exclusions | null = null) {
    this.#lookups = base === null ? new Lookups() : base.#lookups;
    if (base !== null) {
      this.#exact = new Set(base.#exact);
      this.#globs = new Map(base.#globs);
      this.#above = new Set(base.#above);
    }
    for (const pattern of patterns) this.#deny(pattern);
  }

  /** These and more, by what was looked up for these: for one plan, which is made at one time. */
  with(patterns: readonly string[]): Exclusions {
    return new Exclusions(patterns, this);
  }

  #deny(pattern: string): void {
    const glob = basename(pattern);
    if (!hasWildcard(glob)) {
      this.#add(pattern, false);
      const real = this.#lookups.real(pattern);
      if (real !== pattern) this.#add(real, false);
      return;
    }
    const directory = this.#lookups.real(dirname(pattern));
    for (const path of new Set([pattern, join(directory, glob)])) this.#add(path, true);
    for (const path of this.#lookups.matched(directory, glob)) this.#add(path, false);
  }

  #add(path: string, glob: boolean): void {
    const directory = dirname(path);
    if (glob) {
      const known = this.#globs.get(directory) ?? [];
      this.#globs.set(directory, [...known, basename(path)]);
    } else {
      this.#exact.add(path);
    }
    // Where one is known, so is what lies above it.
    for (let above = directory; path !== "/" && !this.#above.has(above); above = dirname(above)) {
      this.#above.add(above);
    }
  }

  /** True when the path itself, or a directory above it, is denied. */
  covers(path: string): boolean {
    for (let current = path;; current = dirname(current)) {
      if (this.#exact.has(current)) return true;
      if (current === "/") return false;
      const globs = this.#globs.get(dirname(current)) ?? [];
      const name = basename(current);
      if (globs.some((glob) => matchesWildcard(glob, name, { single: true }))) return true;
    }
  }

  /** What is denied beneath a directory and exists, and the patterns that something may yet come to match. */
  below(
    directory: string,
  ): { readonly present: readonly string[]; readonly open: readonly string[] } {
    const isBelow = (path: string) => path !== directory && isWithin(path, directory);
    const present: string[] = [];
    const open: string[] = [];
    for (const path of this.#exact) {
      if (!isBelow(path)) continue;
      const real = realPathOfMaybeAbsent(path) === path && status(path, { follow: false }) !== null;
      (real ? present : open).push(path);
    }
    for (const [parent, globs] of this.#globs) {
      if (!isWithin(parent, directory)) continue;
      open.push(...globs.map((glob) => join(parent, glob)));
      if (realPathOfMaybeAbsent(parent) !== parent) continue;
      const matched = (directoryNames(parent) ?? []).filter((name) =>
        globs.some((glob) => matchesWildcard(glob, name, { single: true }))
      );
      present.push(...matched.map((name) => join(parent, name)));
    }
    return { present: [...new Set(present)], open };
  }

  /** True when something beneath the directory is denied, whether it exists or not. */
  liesBelow(directory: string): boolean {
    return this.#above.has(directory);
  }
}
