/** Files of control groups, and groups that are named after the session that made them: `cgroups(7)`. */
import { directoryNames, readKernelFile, status } from "./linux/files.ts";
import { close, cString, open, type Result, syscall, writeAll, writeLater } from "./linux/ffi.ts";
import { AT_FDCWD, OPEN } from "./linux/uapi.ts";

/** What is done with them; absolute paths. */
export interface CgroupFiles {
  /** A file's text, null when it cannot be read. */
  readonly read: (path: string) => string | null;
  /** @returns 0, or the negative errno. */
  readonly write: (path: string, text: string) => Result;
  /** @returns 0, or the negative errno. */
  readonly make: (directory: string) => Result;
  /** The kernel removes no group that holds a process. */
  readonly remove: (directory: string) => void;
  /** Empty when it cannot be listed. */
  readonly names: (directory: string) => readonly string[];
  /** User id of a directory's owner, null when there is none. */
  readonly owner: (directory: string) => number | null;
  readonly canWrite: (path: string) => boolean;
  /** User id of this process. */
  readonly user: () => number;
}

/** `AT_REMOVEDIR`, `linux/fcntl.h`. */
const REMOVE_DIRECTORY = 0x200;
/** Name of a session's group: the process id and its start time follow, so that a later session knows who is gone. */
const PREFIX = "debrief-";
/** Field 22 of `/proc/PID/stat`: when it started, in clock ticks. Two that are alive never share it and their id. */
const START_TIME = 22;

function write(path: string, text: string): Result {
  const fd = open(path, OPEN.WRONLY);
  if (fd < 0) return fd;
  const result = writeAll(fd, new TextEncoder().encode(text));
  close(fd);
  return result;
}

/** Write a file on a pool thread, for what lets the kernel wait. @returns whether all was written. */
export async function writeAside(path: string, text: string): Promise<boolean> {
  const fd = open(path, OPEN.WRONLY);
  if (fd < 0) return false;
  const bytes = new TextEncoder().encode(text);
  const written = await writeLater(fd, bytes);
  close(fd);
  return written === bytes.length;
}

function canWrite(path: string): boolean {
  const fd = open(path, OPEN.WRONLY);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

function owner(directory: string): number | null {
  const known = status(directory, { follow: false });
  return known?.kind === "directory" ? known.uid : null;
}

/** Those of the kernel. */
export const KERNEL_FILES: CgroupFiles = {
  read: readKernelFile,
  write,
  // Commands cannot write there: no grant covers files of the kernel.
  make: (directory) => syscall("mkdirat", AT_FDCWD, cString(directory), 0o755),
  remove: (directory) => void syscall("unlinkat", AT_FDCWD, cString(directory), REMOVE_DIRECTORY),
  names: (directory) => directoryNames(directory) ?? [],
  owner,
  canWrite,
  user: () => syscall("getuid"),
};

function identity(pid: number, { read }: CgroupFiles): string | null {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const started = fields?.[START_TIME - 3];
  return started === undefined ? null : `${pid}-${started}`;
}

/** Remove the groups of sessions that were killed. */
function prune(parent: string, files: CgroupFiles): void {
  for (const name of files.names(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const [pid = "", started = ""] = name.slice(PREFIX.length).split("-");
    if (identity(Number(pid), files) !== `${pid}-${started}`) files.remove(`${parent}/${name}`);
  }
}

/**
 * Make a group of this process's below another.
 *
 * @param suffix tells several of one process apart.
 * @returns its directory, null when it cannot be made.
 */
export function makeGroup(parent: string, files: CgroupFiles, suffix = ""): string | null {
  const self = identity(Deno.pid, files);
  if (self === null) return null;
  prune(parent, files);
  const directory = `${parent}/${PREFIX}${self}${suffix}`;
  return files.make(directory) === 0 ? directory : null;
}
