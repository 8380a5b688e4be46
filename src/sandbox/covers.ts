/**
 * Denied paths inside directories that commands may write, where mounts can cover them: the directory is granted whole, new
 * files can be made in it, and what is denied is hidden behind something else.
 *
 * Only what exists can be covered. What a command makes under a denied name is found afterwards and removed.
 */
import { coversPath } from "../policy/match.ts";
import type { Policy } from "../policy/policy.ts";
import { Exclusions } from "./exclusions.ts";
import type { Watched } from "./grants.ts";
import { status } from "./linux/files.ts";
import { dirname } from "node:path/posix";

/** A path that is covered. */
export interface Cover {
  readonly path: string;
  readonly directory: boolean;
  /** True where only writing is denied. */
  readonly readable: boolean;
  /** True where no rule of the policy denies it, but what is protected. */
  readonly isProtected: boolean;
}

/** What is denied below writable directories. */
export interface Covering {
  readonly covers: readonly Cover[];
  /** Directories between a writable one and a cover: each is a mount of its own, so that none can be renamed away. */
  readonly pins: readonly string[];
  /** Patterns that a command could come to match. */
  readonly open: readonly string[];
  readonly watched: readonly Watched[];
}

/** Nothing is denied below. */
export const NO_COVERING: Covering = { covers: [], pins: [], open: [], watched: [] };

/** The directories from a root, itself left out, down to the parent of a path. */
function between(root: string, path: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(path); at !== root && at.startsWith(root); at = dirname(at)) found.push(at);
  return found.reverse();
}

function watch(path: string, whole: boolean): readonly Watched[] {
  const info = status(path, { follow: false });
  if (info === null) return [];
  const { device, inode, modified } = info;
  return [{ path, device, inode, modified: whole ? modified : null }];
}

/**
 * Find what must be covered.
 *
 * @param options.roots real paths of directories that are granted for writing as a whole.
 * @param options.standing what is protected in them.
 */
export function coveringOf(
  policy: Policy,
  { roots, hidden, standing }: {
    readonly roots: readonly string[];
    readonly hidden: readonly string[];
    readonly standing: readonly string[];
  },
): Covering {
  const patterns = (permission: "read" | "write") =>
    policy[permission].deny.map(({ pattern }) => pattern);
  const unreadable = new Exclusions([...patterns("read"), ...hidden]);
  const unwritable = new Exclusions(patterns("write"));
  const covers = new Map<string, Cover>();
  const pins = new Set<string>();
  const open = new Set<string>();
  const watched: Watched[] = [];
  const cover = (root: string, path: string, kind: Pick<Cover, "readable" | "isProtected">) => {
    const directory = status(path, { follow: false })?.kind === "directory";
    covers.set(path, { path, directory, ...kind });
    for (const pin of between(root, path)) pins.add(pin);
    watched.push(...watch(path, false));
  };
  for (const root of roots) {
    for (const path of standing.filter((path) => coversPath(root, path))) {
      cover(root, path, { readable: true, isProtected: true });
    }
    for (const [exclusions, readable] of [[unwritable, true], [unreadable, false]] as const) {
      const below = exclusions.below(root);
      below.open.forEach((pattern) => open.add(pattern));
      for (const path of below.present) cover(root, path, { readable, isProtected: false });
    }
  }
  for (const pattern of open) watched.push(...watch(dirname(pattern), true));
  return {
    covers: outermost([...covers.values()]),
    pins: [...pins],
    open: [...open],
    watched,
  };
}

/** What lies in an unreadable directory is covered with it. */
function outermost(covers: readonly Cover[]): readonly Cover[] {
  const closed = covers.filter(({ readable }) => !readable);
  return covers.filter(({ path }) =>
    !closed.some((cover) => cover.path !== path && coversPath(cover.path, path))
  );
}

/** What stands under a denied name now and is not covered: a command has made it. */
export function findUncovered(
  policy: Policy,
  known: { readonly roots: readonly string[]; readonly covering: Covering },
): readonly string[] {
  const { roots, covering } = known;
  if (covering.open.length === 0) return [];
  const exclusions = new Exclusions(
    [...policy.read.deny, ...policy.write.deny].map(({ pattern }) => pattern),
  );
  const covered = new Set(covering.covers.map(({ path }) => path));
  const found = roots.flatMap((root) => exclusions.below(root).present);
  return [...new Set(found)].filter((path) =>
    ![...covered].some((cover) => coversPath(cover, path))
  );
}
