/**
 * From allowed and denied paths to the list of files and directories that a Landlock domain is granted.
 *
 * Landlock only allows: what is granted cannot be taken away below. So a directory that holds something denied is not
 * granted itself but child by child, leaving out what is denied. Whatever appears in such a directory later is not
 * granted, which keeps a deny true for files that do not exist yet, and makes globs in a deny sound.
 */
import type { Exclusions } from "./exclusions.ts";
import { join } from "node:path/posix";
import { directoryNames, type FileStatus, status } from "./linux/files.ts";
import type { PathGrant } from "./restrict.ts";

/** A path as it was when it was granted: a change means that the grants are out of date. */
export interface Watched {
  readonly path: string;
  readonly device: string;
  readonly inode: bigint;
  /** Time of modification, for a directory that was split: a change of its entries counts too. */
  readonly modified: bigint | null;
}

/** The outcome of granting one path. */
export interface Granted {
  readonly paths: readonly PathGrant[];
  readonly watched: readonly Watched[];
}

function identify(
  path: string,
  options: { readonly info: FileStatus; readonly split: boolean },
): Watched {
  const { device, inode, modified } = options.info;
  return { path, device, inode, modified: options.split ? modified : null };
}

/**
 * Grant one real path with everything beneath it except the exclusions. Links inside a split directory are passed over:
 * what they point at is granted where it lies, or not at all.
 */
export function grantTree(
  root: string,
  options: {
    readonly exclusions: Exclusions;
    readonly read: boolean;
    readonly write: boolean;
    /** Directories that are granted whole, because what is denied in them is covered (covers.ts). */
    readonly covered?: (directory: string) => boolean;
  },
): Granted {
  const { exclusions, read, write, covered = () => false } = options;
  const paths: PathGrant[] = [];
  const watched: Watched[] = [];
  const visit = (path: string): void => {
    if (exclusions.covers(path)) return;
    const info = status(path, { follow: false });
    if (info === null || info.kind === "link") return;
    const directory = info.kind === "directory";
    const split = directory && exclusions.liesBelow(path) && !covered(path);
    if (split || path === root) watched.push(identify(path, { info, split }));
    if (!split) {
      paths.push({
        path,
        read,
        write,
        list: false,
        directory,
        device: info.kind === "character-device",
      });
      return;
    }
    // Its own names may be listed, which Landlock cannot grant without those of the directories below; what they hold
    // stays out of reach. A directory that cannot be listed here is granted nothing below.
    paths.push({ path, read: false, write: false, list: read, directory, device: false });
    for (const name of [...directoryNames(path) ?? []].sort()) visit(join(path, name));
  };
  visit(root);
  return { paths, watched };
}

/** True while every watched path is still the file that was granted (a rename over it makes another one). */
export function isCurrent(watched: readonly Watched[]): boolean {
  return watched.every((entry) => {
    const info = status(entry.path, { follow: false });
    return info !== null && info.device === entry.device && info.inode === entry.inode &&
      (entry.modified === null || info.modified === entry.modified);
  });
}
