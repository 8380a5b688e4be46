/** Forbidden paths, for the gate. */
import { resolve } from "node:path/posix";
import { UsageError } from "../errors.ts";
import { coversDenied } from "../policy/match.ts";
import { hasWildcard } from "../policy/wildcard.ts";
import type { FindingName, GateFinding } from "./gate.ts";
import type { CommandRecord } from "./record.ts";
import { shortText } from "./visible_text.ts";

const NAME: FindingName = "scope.forbidden";

/** Characters of a path that a finding shows. */
const MAX_PATH = 200;

/**
 * The paths of a list, one for each line, or ended by NUL as `git diff --name-only -z` prints them.
 *
 * @throws UsageError when git has quoted one, since its real name could be a forbidden one.
 */
export function changedPaths(list: string): readonly string[] {
  const paths = list.split(list.includes("\0") ? "\0" : /\r?\n/).filter((path) => path !== "");
  const quoted = list.includes("\0") ? undefined : paths.find((path) => path.startsWith('"'));
  if (quoted === undefined) return paths;
  throw new UsageError(
    `Cannot read the changed path ${
      shortText(quoted, MAX_PATH)
    }: it is quoted; let git end paths by NUL with -z`,
  );
}

/**
 * An absolute pattern from a path of the command line; as in a policy's deny its last component may hold `*` and `?`.
 *
 * @throws UsageError when there is a wildcard elsewhere.
 */
export function forbiddenPattern(path: string, directory: string): string {
  const pattern = resolve(directory, path);
  if (!hasWildcard(pattern.slice(0, pattern.lastIndexOf("/")))) return pattern;
  throw new UsageError(`Cannot forbid "${path}": only its last component may hold * and ?`);
}

/**
 * Findings about forbidden paths: what was changed blocks, and so does a protected file that had to be restored; a write
 * that the sandbox refused is a warning.
 *
 * @param scope absolute patterns, and changed paths that are absolute or relative to `directory`.
 */
export function scopeFindings(
  records: readonly CommandRecord[],
  scope: {
    readonly patterns: readonly string[];
    readonly changed: readonly string[];
    readonly directory: string;
  },
): readonly GateFinding[] {
  const forbids = (path: string) => scope.patterns.some((pattern) => coversDenied(pattern, path));
  const changed = scope.changed.filter((path) => forbids(resolve(scope.directory, path)));
  return [
    ...changed.map((path) => found("error", `${show(path)} was changed`, null)),
    ...records.flatMap((record) => [
      ...record.changed.filter(forbids).map((path) =>
        found("error", `${show(path)} had to be restored`, record)
      ),
      ...record.denials.filter(({ permission, resource }) =>
        permission === "write" && resource.startsWith("/") && forbids(resource)
      ).map(({ resource }) =>
        found("warning", `${show(resource)} was to be written, which was refused`, record)
      ),
    ]),
  ];
}

function found(
  level: GateFinding["level"],
  message: string,
  record: CommandRecord | null,
): GateFinding {
  return { name: NAME, level, message, command_id: record?.command_id ?? null };
}

function show(path: string): string {
  return shortText(path, MAX_PATH);
}
