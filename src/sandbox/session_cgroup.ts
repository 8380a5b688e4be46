/**
 * Control groups of one session, in which the kernel bounds memory and processes of all its commands together. In
 * version 1 a single thread can be in a group, so the jail's thread is put into it once and every command begins in it,
 * without a moment outside and without a cost per command; for the rest see `UnifiedCgroup`. What a group refuses, it
 * counts.
 */
import type { Kept } from "./process_tree.ts";
import { KERNEL_FILES, makeGroup, writeAside } from "./cgroup_files.ts";
import { type GroupCounts, UnifiedCgroup } from "./unified_cgroup.ts";

/** Bounds of the group; 0 means none. */
export interface CgroupBounds {
  readonly memoryBytes: number;
  readonly processes: number;
  readonly cpuMs: number;
}

/** Which kind of group bounds something. */
export type CgroupVersion = "v1" | "v2";

type Controller = "memory" | "pids";

const ROOT = "/sys/fs/cgroup";
const { read, write, owner, remove } = KERNEL_FILES;

/** The directory of the group that this process is in: the session's lies below it, so no outer bound is left. */
function ownGroup(controller: Controller): string | null {
  const line = (read("/proc/self/cgroup") ?? "").split("\n")
    .find((line) => line.split(":")[1]?.split(",").includes(controller));
  const path = line?.split(":").slice(2).join(":");
  if (path === undefined || path.split("/").includes("..")) return null;
  const directory = `${ROOT}/${controller}${path === "/" ? "" : path}`;
  return owner(directory) === null ? null : directory;
}

/** The groups of one session, one for each controller of version 1 that bounds something, and one of version 2. */
export class SessionCgroup {
  #directories: ReadonlyMap<Controller, string>;
  readonly #unified: UnifiedCgroup | null;

  private constructor(
    directories: ReadonlyMap<Controller, string>,
    unified: UnifiedCgroup | null,
  ) {
    this.#directories = directories;
    this.#unified = unified;
  }

  /** Make the groups, as far as this user may; null when that is none. */
  static create(bounds: CgroupBounds): SessionCgroup | null {
    const directories = new Map<Controller, string>();
    const wanted = [
      ["memory", "memory.limit_in_bytes", bounds.memoryBytes],
      ["pids", "pids.max", bounds.processes],
    ] as const;
    for (const [controller, file, bound] of wanted) {
      const directory = bound > 0 ? makeBounded(controller, { file, bound }) : null;
      if (directory !== null) directories.set(controller, directory);
    }
    const unified = UnifiedCgroup.create({
      memoryBytes: directories.has("memory") ? 0 : bounds.memoryBytes,
      processes: directories.has("pids") ? 0 : bounds.processes,
      countsCpu: bounds.cpuMs > 0,
    });
    if (directories.size === 0 && unified === null) return null;
    return new SessionCgroup(directories, unified);
  }

  /** What it bounds, and by which kind of group. */
  get bounded(): {
    readonly memory: CgroupVersion | null;
    readonly processes: CgroupVersion | null;
  } {
    const by = (controller: Controller, unified: boolean | undefined) =>
      this.#directories.has(controller) ? "v1" : unified ? "v2" : null;
    return {
      memory: by("memory", this.#unified?.bounded.memory),
      processes: by("pids", this.#unified?.bounded.processes),
    };
  }

  /** Put the calling thread into it: what it starts from now on begins there. Where that fails, nothing is bounded. */
  add(tid: number): void {
    const directories = [...this.#directories.values()];
    if (directories.every((directory) => write(`${directory}/tasks`, String(tid)) === 0)) return;
    this.release(tid);
    this.#giveUp();
  }

  /** As `add`, for another thread: moving one lets the kernel wait for 10 ms in each group, here in all at once. */
  async addThread(tid: number): Promise<void> {
    if (await this.#move(tid, (directory) => `${directory}/tasks`)) return;
    await this.releaseThread(tid);
    this.#giveUp();
  }

  /** Take the calling thread out again, to where the shell is. */
  release(tid: number): void {
    for (const directory of this.#directories.values()) {
      write(`${directory}/../tasks`, String(tid));
    }
  }

  /** As `release`, for another thread. */
  async releaseThread(tid: number): Promise<void> {
    await this.#move(tid, (directory) => `${directory}/../tasks`);
  }

  async #move(tid: number, tasksOf: (directory: string) => string): Promise<boolean> {
    const files = [...this.#directories.values()].map(tasksOf);
    const moved = await Promise.all(files.map((file) => writeAside(file, String(tid))));
    return moved.every(Boolean);
  }

  #giveUp(): void {
    for (const directory of this.#directories.values()) remove(directory);
    this.#directories = new Map();
  }

  /** Bring in what could not begin in it. @returns true when everything is inside. */
  gather(except: Kept): boolean {
    return this.#unified?.gather(except) ?? true;
  }

  /** How often memory ran out and a process was refused, and what CPU time was counted, since the beginning. */
  counts(): GroupCounts {
    const count = (controller: Controller, file: string, pattern: RegExp) => {
      const directory = this.#directories.get(controller);
      const text = directory === undefined ? null : read(`${directory}/${file}`);
      return Number(pattern.exec(text ?? "")?.[1] ?? 0);
    };
    const unified = this.#unified?.counts();
    return {
      memory: count("memory", "memory.oom_control", /^oom_kill (\d+)$/m) + (unified?.memory ?? 0),
      processes: count("pids", "pids.events", /^max (\d+)$/m) + (unified?.processes ?? 0),
      cpuMs: unified?.cpuMs ?? 0,
    };
  }

  /** Kill at once what is in a group of version 2; the others have no such call. */
  kill(): void {
    this.#unified?.kill();
  }

  /** Remove it, when everything in it has ended. */
  remove(): void {
    for (const directory of this.#directories.values()) remove(directory);
    this.#unified?.remove();
  }
}

function makeBounded(
  controller: Controller,
  { file, bound }: { readonly file: string; readonly bound: number },
): string | null {
  const parent = ownGroup(controller);
  const directory = parent === null ? null : makeGroup(parent, KERNEL_FILES);
  if (directory === null || write(`${directory}/${file}`, String(bound)) === 0) return directory;
  remove(directory);
  return null;
}
