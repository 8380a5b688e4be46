/**
 * Whether a jail's mounts show what they were made for. Bubblewrap resolves the links in a path when it mounts it: a
 * command of another session that exchanges a directory for a link in that moment would have something else shown, or
 * written to. So the shell that starts a command compares the mounts first, as the kernel names them.
 */
import { join } from "node:path/posix";
import { coversPath } from "../policy/match.ts";
import { readLongKernelFile } from "./linux/files.ts";
import type { Plan } from "./plan.ts";

/** Bytes of a mount table: some 20,000 mounts. Without a table no mount is the right one, and nothing starts. */
const MAX_TABLE = 1 << 22;

/** A mount of this process: proc_pid_mountinfo(5). Paths are escaped as the kernel does it. */
interface Mount {
  readonly device: string;
  /** What of the file system is mounted. */
  readonly root: string;
  readonly point: string;
}

/** `mangle` of fs/proc_namespace.c. */
function escapePath(path: string): string {
  return path.replace(
    /[ \t\n\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}

function parseMounts(text: string): readonly Mount[] {
  return text.split("\n").flatMap((line) => {
    const [, , device, root, point] = line.split(" ");
    return device && root && point ? [{ device, root, point }] : [];
  });
}

/** What stands at a path, without mounts beneath it; null when nothing is mounted above. */
function placeOf(mounts: readonly Mount[], path: string): string | null {
  // A later mount hides an earlier one.
  const above = mounts.filter(({ point }) => coversPath(point, path))
    .reduce<Mount | null>(
      (best, mount) => best === null || mount.point.length >= best.point.length ? mount : best,
      null,
    );
  if (above === null) return null;
  const below = path.slice(above.point === "/" ? 0 : above.point.length);
  const root = join(above.root, below);
  return `${above.device} ${root === "/" ? root : root.replace(/\/$/, "")}`;
}

function lines(texts: readonly string[]): string {
  return `\n${texts.join("\n")}\n\0`;
}

/**
 * What a plan's mounts have to be, for `mountCheck`: four texts that each end with NUL, of lines that each begin and end with
 * a line feed. The mounts that may be there, as `device root point`; the points of empty file systems; the devices of the
 * host's mounts, of which no empty file system is one; the directories beneath which nothing else may be mounted.
 */
export function mountExpectations(
  plan: Plan,
  mountinfo: string = readLongKernelFile("/proc/self/mountinfo", MAX_TABLE) ?? "",
): string {
  const host = parseMounts(mountinfo);
  const { covers, pins } = plan.covering;
  const roots = plan.grants.filter(({ write, directory, path }) =>
    write && directory && !coversPath("/dev", path)
  ).map(({ path }) => escapePath(path));
  const own = (path: string) => placeOf(host, path);
  const shown = [...pins, ...covers.filter(({ readable }) => readable).map(({ path }) => path)]
    .map(escapePath).map((path) => `${own(path)} ${path}`);
  const hidden = covers.filter(({ readable }) => !readable);
  const nothing = hidden.filter(({ directory }) => !directory)
    .map(({ path }) => `${own("/dev/null")} ${escapePath(path)}`);
  const inside = host.filter(({ point }) => roots.some((root) => coversPath(root, point))).map((
    { device, root, point },
  ) => `${device} ${root} ${point}`);
  return [
    [...shown, ...nothing, ...inside],
    hidden.filter(({ directory }) => directory).map(({ path }) => escapePath(path)),
    [...new Set(host.map(({ device }) => device))],
    roots,
  ].map(lines).join("");
}

/**
 * Bash that ends with 125 when another mount is there; nothing is expanded twice, and no variable outlives it.
 *
 * @param fd a descriptor with the expectations; it is closed.
 */
export function mountCheck(fd: number): string {
  return `__mounts() {
local allowed empty devices roots id parent device root point rest place IFS=' '
for place in allowed empty devices roots; do IFS= read -r -d '' -u ${fd} "$place" || return 1; done
while read -r id parent device root point rest; do
case $allowed in *$'\\n'"$device $root $point"$'\\n'*) continue ;; esac
case $empty in *$'\\n'"$point"$'\\n'*) [[ $root != / || $devices == *$'\\n'"$device"$'\\n'* ]] || continue ;; esac
IFS=$'\\n'
for place in $roots; do [[ $point == "$place"/* ]] && return 1; done
IFS=' '
done </proc/self/mountinfo
}
set -f; __mounts || exit 125; set +f; unset -f __mounts; exec ${fd}<&-
`;
}
