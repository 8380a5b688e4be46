/** Denied paths, indexed so that each question costs the depth of a path and not the number of rules. */
import { basename, dirname, join } from "node:path/posix";
import { realPath } from "./linux/files.ts";

/** The longest existing ancestor made real, the rest kept as it is: a deny must hold for absent paths too. */
export function realPathOfMaybeAbsent(path: string): string {
  const rest: string[] = [];
  for (let current = path;; current = dirname(current)) {
    const real = realPath(current);
    if (real !== null) return join(real, ...rest.reverse());
    if (current === "/") return path;
    rest.push(basename(current));
  }
}

function globToRegExp(glob: string): RegExp {
  return new RegExp(`^${RegExp.escape(glob).replaceAll("\\*", "[^]*").replaceAll("\\?", "[^]")}$`);
}

/** A set of denied paths. A pattern may hold `*` and `?` in its last component. */
export class Exclusions {
  readonly #exact = new Set<string>();
  readonly #globs = new Map<string, RegExp[]>();
  /** Directories that hold something denied, at whatever depth. */
  readonly #above = new Set<string>();

  /** Patterns count as written and, where a link is on the way, also where they really lie. */
  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) {
      const name = basename(pattern);
      const glob = /[*?]/.test(name);
      const real = glob
        ? join(realPathOfMaybeAbsent(dirname(pattern)), name)
        : realPathOfMaybeAbsent(pattern);
      for (const path of new Set([pattern, real])) this.#add(path, glob);
    }
  }

  #add(path: string, glob: boolean): void {
    const directory = dirname(path);
    if (glob) {
      const known = this.#globs.get(directory) ?? [];
      this.#globs.set(directory, [...known, globToRegExp(basename(path))]);
    } else {
      this.#exact.add(path);
    }
    for (let above = directory; path !== "/"; above = dirname(above)) {
      this.#above.add(above);
      if (above === "/") break;
    }
  }

  /** True when the path itself, or a directory above it, is denied. */
  covers(path: string): boolean {
    for (let current = path;; current = dirname(current)) {
      if (this.#exact.has(current)) return true;
      if (current === "/") return false;
      if (this.#globs.get(dirname(current))?.some((glob) => glob.test(basename(current)))) {
        return true;
      }
    }
  }

  /** True when something beneath the directory is denied, whether it exists or not. */
  liesBelow(directory: string): boolean {
    return this.#above.has(directory);
  }
}
