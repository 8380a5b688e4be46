/**
 * A plan as the arguments of bubblewrap: an empty root, what is granted bound into it, covers over what is denied inside a
 * writable directory. Pure but for looking at links. Options: bwrap(1) of version 0.8.
 */
import { dirname, join } from "node:path/posix";
import { coversPath } from "../policy/match.ts";
import type { Policy } from "../policy/policy.ts";
import { directoryNames, readLink, status } from "./linux/files.ts";
import { limitsHere } from "./limits_here.ts";
import type { Plan } from "./plan.ts";
import type { PathGrant } from "./restrict.ts";

const ALWAYS = [
  ..."--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --new-session --die-with-parent"
    .split(" "),
];
/** In every private `/dev` that `--dev` makes. */
const OWN_DEVICES = [
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/random",
  "/dev/urandom",
  "/dev/tty",
  "/dev/pts",
];
const SHARED_MEMORY = "/dev/shm";

function isLink(path: string): boolean {
  return status(path, { follow: false })?.kind === "link";
}

/** True when a mount of its own makes the path: bubblewrap's `/proc` and `/dev`. */
function isOwn(path: string): boolean {
  return coversPath("/proc", path) || path === "/dev" ||
    OWN_DEVICES.some((device) => coversPath(device, path));
}

/** Shared memory of a command's own. What lies there belongs to no process, so only its size bounds it everywhere. */
function sharedMemory({ limits }: Policy): readonly string[] {
  const { memoryBytes } = limitsHere(limits);
  const size = memoryBytes > 0 ? ["--size", `${memoryBytes}`] : [];
  return [...size, "--tmpfs", SHARED_MEMORY];
}

/** The mount of one grant. */
function mountOf(
  { path, read, write, list, directory }: PathGrant,
  policy: Policy,
): readonly string[] {
  if (coversPath(SHARED_MEMORY, path)) return write ? sharedMemory(policy) : [];
  if (coversPath("/dev", path)) return read || write ? ["--dev-bind-try", path, path] : [];
  if (write) return ["--bind-try", path, path];
  if (read) return ["--ro-bind-try", path, path];
  return list && directory && path !== "/" ? ["--dir", path] : [];
}

/** Links that lead to what is granted: names are not hidden by Landlock, here they have to be made. */
function linksOf(plan: Plan, isBound: (path: string) => boolean): readonly string[] {
  const found = new Set<string>();
  const lists = ["/", ...plan.grants.filter(({ list }) => list).map(({ path }) => path)];
  for (const directory of lists) {
    for (const name of directoryNames(directory) ?? []) {
      const path = join(directory, name);
      if (isLink(path)) found.add(path);
    }
  }
  const { read, write } = plan.policy;
  for (const { pattern } of [...read.allow, ...write.allow]) {
    for (let at = pattern; at !== "/"; at = dirname(at)) if (isLink(at)) found.add(at);
  }
  const outside = [...found].filter((path) =>
    !isBound(path) && !isOwn(path) && !coversPath("/dev", path)
  );
  return outside.sort().flatMap((path) => ["--symlink", readLink(path) ?? "", path]);
}

/** What covers the denied paths inside writable directories. */
function coversOf({ covering: { covers, pins } }: Plan): readonly string[] {
  const mounts = [
    ...pins.map((path) => ({ path, mount: ["--bind", path, path] })),
    ...covers.map(({ path, directory, readable }) => ({
      path,
      mount: readable
        ? ["--ro-bind", path, path]
        : directory
        ? ["--perms", "0000", "--tmpfs", path, "--remount-ro", path]
        : ["--ro-bind", "/dev/null", path],
    })),
  ];
  return byPath(mounts).flatMap(({ mount }) => mount);
}

/** What is above comes first: a later mount hides an earlier one beneath it. */
function byPath<T extends { readonly path: string }>(entries: readonly T[]): readonly T[] {
  return entries.toSorted((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/**
 * The arguments that build the jail, without the command.
 *
 * @param directories made where nothing else provides them: working directory and home.
 */
export function bubblewrapArguments(plan: Plan, directories: readonly string[]): readonly string[] {
  const writable = plan.grants.filter(({ write, path }) => write && !coversPath("/dev", path));
  const inWritable = ({ path }: PathGrant) =>
    writable.some((grant) => grant.path !== path && coversPath(grant.path, path));
  const grants = byPath(plan.grants.filter((grant) => !isOwn(grant.path) && !inWritable(grant)));
  const bound = grants.filter(({ read, write }) => read || write).map(({ path }) => path);
  const isBound = (path: string) => bound.some((directory) => coversPath(directory, path));
  const devices = grants.filter(({ path }) => coversPath("/dev", path));
  const files = grants.filter(({ path }) => !coversPath("/dev", path));
  return [
    ...ALWAYS,
    ...(plan.net !== "all" ? ["--unshare-net"] : []),
    ...files.flatMap((grant) => mountOf(grant, plan.policy)),
    ...linksOf(plan, isBound),
    ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
    ...devices.flatMap((grant) => mountOf(grant, plan.policy)),
    ...["--remount-ro", "/dev"],
    ...coversOf(plan),
    ...directories.filter((path) => !isBound(path) && !isOwn(path)).flatMap((
      path,
    ) => ["--dir", path]),
    ...["--remount-ro", "/"],
  ];
}
