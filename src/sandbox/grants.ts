/**
 * From allowed and denied paths to the list of files and directories that a Landlock domain is granted.
 *
 * Landlock only allows: what is granted cannot be taken away below. So a directory that holds something denied is not
 * granted itself but child by child, leaving out what is denied. Whatever appears in such a directory later is not
 * granted, which keeps a deny true for files that do not exist yet, and makes globs in a deny sound.
 */
import type { Exclusions } from "./exclusions.ts";
import { join } from "node:path/posix";
import type { PathGrant } from "./restrict.ts";

/** A path as it was when it was granted: a change means that the grants are out of date. */
export interface Watched {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  /** Set for a directory that was split: a change of its entries counts too. */
  readonly mtimeMs: number | null;
}

/** The outcome of granting one path. */
export interface Granted {
  readonly paths: readonly PathGrant[];
  readonly watched: readonly Watched[];
}

function identify(
  path: string,
  options: { readonly info: Deno.FileInfo; readonly split: boolean },
): Watched {
  const { info } = options;
  return {
    path,
    device: info.dev,
    inode: info.ino ?? 0,
    mtimeMs: options.split ? info.mtime?.getTime() ?? 0 : null,
  };
}

function lstat(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch {
    return null;
  }
}

/**
 * Grant one real path with everything beneath it except the exclusions. Links inside a split directory are passed over:
 * what they point at is granted where it lies, or not at all.
 */
export function grantTree(
  root: string,
  options: { readonly exclusions: Exclusions; readonly read: boolean; readonly write: boolean },
): Granted {
  const { exclusions, read, write } = options;
  const paths: PathGrant[] = [];
  const watched: Watched[] = [];
  const visit = (path: string): void => {
    if (exclusions.covers(path)) return;
    const info = lstat(path);
    if (info === null || info.isSymlink) return;
    const split = info.isDirectory && exclusions.liesBelow(path);
    if (split || path === root) watched.push(identify(path, { info, split }));
    if (!split) {
      paths.push({
        path,
        read,
        write,
        directory: info.isDirectory,
        device: info.isCharDevice === true,
      });
      return;
    }
    let names: string[] = [];
    try {
      names = [...Deno.readDirSync(path)].map((entry) => entry.name).sort();
    } catch {
      // A directory that cannot be listed is granted nothing below.
    }
    for (const name of names) visit(join(path, name));
  };
  visit(root);
  return { paths, watched };
}

/** True while every watched path is still the file that was granted (a rename over it makes another one). */
export function isCurrent(watched: readonly Watched[]): boolean {
  return watched.every((entry) => {
    const info = lstat(entry.path);
    return info !== null && info.dev === entry.device && info.ino === entry.inode &&
      (entry.mtimeMs === null || info.mtime?.getTime() === entry.mtimeMs);
  });
}
