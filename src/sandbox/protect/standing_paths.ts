/** Protected paths that mounts can make read-only: those that are there, as they are. All others are checked after a command. */
import { join } from "node:path/posix";
import { coversPath } from "../../policy/match.ts";
import type { Policy } from "../../policy/policy.ts";
import { realPathOfMaybeAbsent } from "../exclusions.ts";
import { realPath, status } from "../linux/files.ts";
import { gitDirectoryEntries } from "./git_directory.ts";
import { PROTECTED_NAMES } from "./protected_names.ts";

/**
 * Of a repository those that are judged as a whole: its configuration is judged by key, and a mount would keep git from
 * adding a remote or a branch.
 */
const IN_REPOSITORY = gitDirectoryEntries(".git")
  .filter(({ kind }) => kind === "tree" || kind === "hooks")
  .map(({ path }) => path);

/** Where to look. */
export interface StandingOptions {
  /** Real paths of directories that commands may write as a whole. */
  readonly roots: readonly string[];
  /** Further paths that no command may change. */
  readonly kept: readonly string[];
}

/**
 * Find them.
 *
 * @returns real paths of files and directories, none of them a link: a link would name something else by the time of the
 * mount.
 */
export function standingPaths(policy: Policy, { roots, kept }: StandingOptions): readonly string[] {
  const whole = PROTECTED_NAMES.filter(({ kind }) => kind === "tree").map(({ path }) => path);
  const names = [...whole, ...IN_REPOSITORY];
  const excepted = policy.protect.except.map(({ pattern }) => realPathOfMaybeAbsent(pattern));
  const candidates = [
    ...roots.flatMap((root) => names.map((name) => join(root, name))),
    ...policy.protect.add.map(({ pattern }) => pattern),
    ...policy.files,
    ...kept,
  ];
  return [...new Set(candidates)].filter((path) => {
    const kind = status(path, { follow: false })?.kind;
    return (kind === "file" || kind === "directory") && realPath(path) === path &&
      roots.some((root) => root !== path && coversPath(root, path)) &&
      !excepted.some((pattern) => coversPath(pattern, path));
  });
}
