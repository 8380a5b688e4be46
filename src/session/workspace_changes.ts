/** Whether something of a workspace was changed at a certain time, told by what the files themselves say. */
import { join } from "node:path/posix";
import { directoryNames, status } from "../sandbox/linux/files.ts";

/** Entries and time that one look takes at most; beyond, everything may have changed. */
const MAX_ENTRIES = 20_000;
const MAX_MS = 300;

/** Directories of tools rather than of work: they are large, and no edit of them makes another attempt. */
const SKIPPED: ReadonlySet<string> = new Set([
  ".git",
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".cache",
  ".pytest_cache",
  ".mypy_cache",
  "target",
  "dist",
  "build",
  "coverage",
]);

/**
 * The latest change of a file or directory within one of the times, in ms since 1970, bounds included; null for none.
 * Infinity when the workspace is too large to say: a false alarm costs more than a missed one. Links are not followed.
 */
export function lastWorkspaceChange(
  workspace: string,
  times: readonly (readonly [number, number])[],
): number | null {
  const until = performance.now() + MAX_MS;
  const pending = [workspace];
  let left = MAX_ENTRIES;
  let latest: number | null = null;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const found = status(path, { follow: false });
    if (found === null) continue;
    const at = Number(found.changed) / 1e6;
    if (times.some(([from, to]) => at >= from && at <= to)) latest = Math.max(latest ?? 0, at);
    if (--left < 0 || performance.now() > until) return Infinity;
    if (found.kind !== "directory") continue;
    for (const name of directoryNames(path) ?? []) {
      if (!SKIPPED.has(name)) pending.push(join(path, name));
      if (pending.length > MAX_ENTRIES) return Infinity;
    }
  }
  return latest;
}

/**
 * Files, no directories, that were changed at a time or later, sorted by path; null when the workspace is too large to say.
 * Links are not followed.
 *
 * @param since in ms since 1970.
 */
export function changedSince(workspace: string, since: number): readonly string[] | null {
  const pending = [workspace];
  const changed: string[] = [];
  let left = MAX_ENTRIES;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const found = status(path, { follow: false });
    if (found === null) continue;
    if (--left < 0 || pending.length > MAX_ENTRIES) return null;
    if (found.kind !== "directory") {
      if (Number(found.changed) / 1e6 >= since) changed.push(path);
      continue;
    }
    for (const name of directoryNames(path) ?? []) {
      if (!SKIPPED.has(name)) pending.push(join(path, name));
    }
  }
  return changed.sort();
}
