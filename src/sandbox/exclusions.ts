/** Denied paths, indexed so that each question costs the depth of a path and not the number of rules. */
import { basename, dirname, join } from "node:path/posix";
import { realPath, status } from "./linux/files.ts";

/** Real paths by path, as found while one plan is made: deny lists name many siblings. */
export type RealPaths = Map<string, string>;

/** The longest existing ancestor made real, the rest kept as it is: a deny must hold for absent paths too. */
export function realPathOfMaybeAbsent(path: string, known: RealPaths = new Map()): string {
  const found = known.get(path);
  if (found !== undefined) return found;
  const info = status(path, { follow: false });
  const parent = path === "/" ? "/" : realPathOfMaybeAbsent(dirname(path), known);
  const here = path === "/" ? "/" : join(parent, basename(path));
  const real = info?.kind === "link" ? realPath(path) ?? here : here;
  known.set(path, real);
  return real;
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
  constructor(patterns: readonly string[], known: RealPaths = new Map()) {
    for (const pattern of patterns) {
      const name = basename(pattern);
      const glob = /[*?]/.test(name);
      const real = glob
        ? join(realPathOfMaybeAbsent(dirname(pattern), known), name)
        : realPathOfMaybeAbsent(pattern, known);
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
