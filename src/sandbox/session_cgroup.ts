/**
 * A control group of one session, in which the kernel bounds memory and processes of all its commands together. Version
 * 1 only: there a single thread can be in a group, so the jail's thread is put into it once and every command begins in
 * it, without a moment outside and without a cost per command. What a group refuses, it counts.
 */
import { directoryNames, readKernelFile, status } from "./linux/files.ts";
import { close, cString, open, syscall, writeAll } from "./linux/ffi.ts";
import { AT_FDCWD, OPEN } from "./linux/uapi.ts";

/** Bounds of the group; 0 means none. */
export interface CgroupBounds {
  readonly memoryBytes: number;
  readonly processes: number;
}

type Controller = "memory" | "pids";

const ROOT = "/sys/fs/cgroup";
/** Name of a session's group: the process id and its start time follow, so that a later session knows who is gone. */
const PREFIX = "debrief-";
/** `AT_REMOVEDIR`, `linux/fcntl.h`. */
const REMOVE_DIRECTORY = 0x200;
/** Field 22 of `/proc/PID/stat`: when it started, in clock ticks. Two that are alive never share it and their id. */
const START_TIME = 22;

function identity(pid: number): string | null {
  const stat = readKernelFile(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const started = fields?.[START_TIME - 3];
  return started === undefined ? null : `${pid}-${started}`;
}

/** The directory of the group that this process is in: the session's lies below it, so no outer bound is left. */
function ownGroup(controller: Controller): string | null {
  const line = (readKernelFile("/proc/self/cgroup") ?? "").split("\n")
    .find((line) => line.split(":")[1]?.split(",").includes(controller));
  const path = line?.split(":").slice(2).join(":");
  if (path === undefined || path.split("/").includes("..")) return null;
  const directory = `${ROOT}/${controller}${path === "/" ? "" : path}`;
  return status(directory, { follow: false })?.kind === "directory" ? directory : null;
}

function write(path: string, text: string): boolean {
  const fd = open(path, OPEN.WRONLY);
  if (fd < 0) return false;
  const result = writeAll(fd, new TextEncoder().encode(text));
  close(fd);
  return result === 0;
}

function remove(directory: string): void {
  syscall("unlinkat", AT_FDCWD, cString(directory), REMOVE_DIRECTORY);
}

/** Remove the groups of sessions that were killed. The kernel removes none that still holds a process. */
function prune(parent: string): void {
  for (const name of directoryNames(parent) ?? []) {
    if (!name.startsWith(PREFIX)) continue;
    const owner = name.slice(PREFIX.length);
    if (identity(Number.parseInt(owner)) !== owner) remove(`${parent}/${name}`);
  }
}

/** The groups of one session, one for each controller that bounds something. */
export class SessionCgroup {
  #directories: ReadonlyMap<Controller, string>;

  private constructor(directories: ReadonlyMap<Controller, string>) {
    this.#directories = directories;
  }

  /** Make the groups, as far as this user may; null when that is none. */
  static create(bounds: CgroupBounds): SessionCgroup | null {
    const directories = new Map<Controller, string>();
    const wanted = [
      ["memory", "memory.limit_in_bytes", bounds.memoryBytes],
      ["pids", "pids.max", bounds.processes],
    ] as const;
    for (const [controller, file, bound] of wanted) {
      const directory = bound > 0 ? makeGroup(controller, { file, bound }) : null;
      if (directory !== null) directories.set(controller, directory);
    }
    return directories.size > 0 ? new SessionCgroup(directories) : null;
  }

  /** What it bounds. */
  get bounded(): { readonly memory: boolean; readonly processes: boolean } {
    return { memory: this.#directories.has("memory"), processes: this.#directories.has("pids") };
  }

  /** Put a thread into it: what that thread starts from now on begins there. Where that fails, nothing is bounded. */
  add(tid: number): void {
    const directories = [...this.#directories.values()];
    if (directories.every((directory) => write(`${directory}/tasks`, String(tid)))) return;
    this.release(tid);
    this.remove();
    this.#directories = new Map();
  }

  /** Take a thread out again, to where the shell is. */
  release(tid: number): void {
    for (const directory of this.#directories.values()) {
      write(`${directory}/../tasks`, String(tid));
    }
  }

  /** How often memory ran out and a process was refused, since the beginning. */
  refusals(): { readonly memory: number; readonly processes: number } {
    const count = (controller: Controller, file: string, pattern: RegExp) => {
      const directory = this.#directories.get(controller);
      const text = directory === undefined ? null : readKernelFile(`${directory}/${file}`);
      return Number(pattern.exec(text ?? "")?.[1] ?? 0);
    };
    return {
      memory: count("memory", "memory.oom_control", /^oom_kill (\d+)$/m),
      processes: count("pids", "pids.events", /^max (\d+)$/m),
    };
  }

  /** Remove it, when everything in it has ended. */
  remove(): void {
    for (const directory of this.#directories.values()) remove(directory);
  }
}

function makeGroup(
  controller: Controller,
  { file, bound }: { readonly file: string; readonly bound: number },
): string | null {
  const parent = ownGroup(controller);
  const self = identity(Deno.pid);
  if (parent === null || self === null) return null;
  prune(parent);
  const directory = `${parent}/${PREFIX}${self}`;
  // Commands cannot write there: no grant covers files of the kernel.
  if (syscall("mkdirat", AT_FDCWD, cString(directory), 0o755) < 0) return null;
  if (write(`${directory}/${file}`, String(bound))) return directory;
  remove(directory);
  return null;
}
