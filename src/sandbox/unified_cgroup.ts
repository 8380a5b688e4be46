/**
 * A control group of version 2 for one session. Memory belongs to processes there and not to threads, so commands cannot
 * begin in it as in a group of version 1: they are brought in. One move makes the kernel wait for all processors (13 ms
 * measured), so that is done at the watch's first look: what ends before costs nothing, and what goes on grows no more.
 */
import { type CgroupFiles, KERNEL_FILES, makeGroup } from "./cgroup_files.ts";
import { ERRNO } from "./linux/uapi.ts";
import { descendants, type Kept } from "./process_tree.ts";

/** What the group is to do; 0 means no bound. */
export interface UnifiedBounds {
  readonly memoryBytes: number;
  readonly processes: number;
  /** True when CPU time is to be counted: every group does, whatever controllers there are. */
  readonly countsCpu: boolean;
}

/** Counts since the group was made. */
export interface GroupCounts {
  /** How often a process was ended because memory ran out. */
  readonly memory: number;
  /** How often a process was not made. */
  readonly processes: number;
  /** CPU time in ms, also of processes that nobody waited for. */
  readonly cpuMs: number;
}

/** Where this process is: the group, and the uppermost one that can be seen. */
export interface OwnGroup {
  readonly directory: string;
  readonly mount: string;
}

/** What a group can have of its own that a group beside it would escape, with what says that there is none. */
const OUTER_BOUNDS: Readonly<Record<string, RegExp>> = {
  "memory.max": /^max$/,
  "memory.high": /^max$/,
  "memory.swap.max": /^max$/,
  "pids.max": /^max$/,
  "cpu.max": /^max /,
  "cpuset.cpus": /^$/,
  "io.max": /^$/,
};
/** Time to bring processes in, in ms; the watch looks on, and does so again. */
const GATHER_MS = 100;

/** Where this process is in the tree of version 2, from `/proc/self/cgroup` and `mountinfo`; null when it is in none. */
export function ownUnifiedGroup(cgroup: string, mountinfo: string): OwnGroup | null {
  const path = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  // proc_pid_mountinfo(5): id, parent, device, root, mount point, options, optional fields, "-", type.
  const mounted = /^\d+ \d+ \S+ (\S+) (\S+) .*- cgroup2 /m.exec(mountinfo);
  const [, root = "/", mount = ""] = mounted ?? [];
  if (path === undefined || mounted === null || path.split("/").includes("..")) return null;
  if (`${root}${mount}`.includes("\\")) return null;
  const above = root === "/" ? "" : root;
  if (path !== root && !path.startsWith(`${above}/`)) return null;
  const below = path.slice(above.length);
  return { directory: below === "/" ? mount : `${mount}${below}`, mount };
}

function words(text: string | null): ReadonlySet<string> {
  return new Set((text ?? "").split(/\s+/).filter(Boolean));
}

function countIn(text: string | null, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text ?? "")?.[1] ?? 0);
}

/** Makes room for a group: above it the controllers must be handed down. */
interface Parent {
  readonly directory: string;
  readonly undo: () => void;
}

class Finder {
  readonly #own: OwnGroup;
  readonly #files: CgroupFiles;
  readonly #wanted: readonly string[];

  constructor(own: OwnGroup, files: CgroupFiles, wanted: readonly string[]) {
    this.#own = own;
    this.#files = files;
    this.#wanted = wanted;
  }

  /** In order of preference: below this process's group no outer bound is left. */
  find(): Parent | null {
    const { directory } = this.#own;
    if (!this.#files.canWrite(`${directory}/cgroup.procs`)) return null;
    const undo = () => {};
    if (this.#handsDown(directory)) return { directory, undo };
    return this.#handDown() ?? this.#beside();
  }

  #handsDown(directory: string): boolean {
    const enabled = words(this.#files.read(`${directory}/cgroup.subtree_control`));
    return this.#wanted.every((controller) => enabled.has(controller));
  }

  /** A group hands nothing down while it holds a process. Where that is this one alone, it steps aside. */
  #handDown(): Parent | null {
    const { directory } = this.#own;
    const available = words(this.#files.read(`${directory}/cgroup.controllers`));
    if (!this.#wanted.every((controller) => available.has(controller))) return null;
    const change = (sign: string) => {
      const text = this.#wanted.map((controller) => `${sign}${controller}`).join(" ");
      return this.#files.write(`${directory}/cgroup.subtree_control`, text) === 0;
    };
    if (change("+")) return { directory, undo: () => {} };
    const alone = [...words(this.#files.read(`${directory}/cgroup.procs`))].join();
    if (alone !== String(Deno.pid)) return null;
    const aside = makeGroup(directory, this.#files, "-shell");
    if (aside === null) return null;
    const undo = () => {
      change("-");
      this.#files.write(`${directory}/cgroup.procs`, String(Deno.pid));
      this.#files.remove(aside);
    };
    const moved = this.#files.write(`${aside}/cgroup.procs`, String(Deno.pid)) === 0;
    if (moved && change("+")) return { directory, undo };
    undo();
    return null;
  }

  /** Only where the tree is this user's, and nothing bounds the group that would be left. */
  #beside(): Parent | null {
    const { directory, mount } = this.#own;
    const parent = directory.slice(0, directory.lastIndexOf("/"));
    const uid = this.#files.owner(parent);
    const isOurs = directory !== mount && uid !== 0 && uid === this.#files.user();
    if (!isOurs || !this.#handsDown(parent)) return null;
    if (!this.#files.canWrite(`${parent}/cgroup.procs`)) return null;
    const isBounded = Object.entries(OUTER_BOUNDS).some(([name, none]) => {
      const text = this.#files.read(`${directory}/${name}`);
      return text !== null && !none.test(text.trim());
    });
    return isBounded ? null : { directory: parent, undo: () => {} };
  }
}

/** The group of one session. */
export class UnifiedCgroup {
  readonly #directory: string;
  readonly #files: CgroupFiles;
  readonly #undo: () => void;
  /** What it bounds. */
  readonly bounded: { readonly memory: boolean; readonly processes: boolean };

  private constructor(
    directory: string,
    parts: {
      readonly files: CgroupFiles;
      readonly undo: () => void;
      readonly bounded: UnifiedCgroup["bounded"];
    },
  ) {
    this.#directory = directory;
    this.#files = parts.files;
    this.#undo = parts.undo;
    this.bounded = parts.bounded;
  }

  /** Make it, as far as this user may; null when it would be of no use. */
  static create(
    bounds: UnifiedBounds,
    { files = KERNEL_FILES, own = ownHere(files) }: {
      readonly files?: CgroupFiles;
      readonly own?: OwnGroup | null;
    } = {},
  ): UnifiedCgroup | null {
    if (own === null) return null;
    const memory = bounds.memoryBytes > 0;
    const processes = bounds.processes > 0;
    const each = [...memory ? ["memory"] : [], ...processes ? ["pids"] : []];
    // One controller may be another hierarchy's, or be withheld. None is still of use for CPU time.
    const choices = [each, ...(each.length > 1 ? each.map((one) => [one]) : []), []];
    for (const wanted of choices) {
      if (wanted.length === 0 && !bounds.countsCpu) continue;
      const parent = new Finder(own, files, wanted).find();
      if (parent === null) continue;
      const bounded = { memory: wanted.includes("memory"), processes: wanted.includes("pids") };
      const directory = makeGroup(parent.directory, files);
      const group = directory === null
        ? null
        : new UnifiedCgroup(directory, { files, undo: parent.undo, bounded });
      if (group !== null && group.#bound(bounds)) return group;
      if (group !== null) group.remove();
      else parent.undo();
    }
    return null;
  }

  #bound({ memoryBytes, processes }: UnifiedBounds): boolean {
    const set = (name: string, value: number) =>
      this.#files.write(`${this.#directory}/${name}`, String(value)) === 0;
    if (this.bounded.processes && !set("pids.max", processes)) return false;
    if (!this.bounded.memory) return true;
    // Without swap accounting there is no such file.
    set("memory.swap.max", 0);
    return set("memory.max", memoryBytes);
  }

  /**
   * Bring in all that descends from the shell; what these start from then on begins there.
   *
   * @returns false when some are still outside.
   */
  gather(except: Kept): boolean {
    const path = `${this.#directory}/cgroup.procs`;
    const until = performance.now() + GATHER_MS;
    do {
      const inside = words(this.#files.read(path));
      const outside = descendants(except).filter(({ pid }) => !inside.has(String(pid)));
      if (outside.length === 0) return true;
      for (const { pid } of outside) {
        const result = this.#files.write(path, String(pid));
        if (result !== 0 && result !== -ERRNO.ESRCH) return false;
        if (performance.now() > until) break;
      }
    } while (performance.now() < until);
    return false;
  }

  /** What it has counted. */
  counts(): GroupCounts {
    const read = (name: string) => this.#files.read(`${this.#directory}/${name}`);
    return {
      memory: countIn(read("memory.events"), "oom_kill"),
      processes: countIn(read("pids.events"), "max"),
      cpuMs: countIn(read("cpu.stat"), "usage_usec") / 1000,
    };
  }

  /** Kill everything in it in one call, however fast it forks (Linux 5.14). */
  kill(): void {
    this.#files.write(`${this.#directory}/cgroup.kill`, "1");
  }

  /** Remove it, when everything in it has ended. */
  remove(): void {
    this.#files.remove(this.#directory);
    this.#undo();
  }
}

function ownHere({ read }: CgroupFiles): OwnGroup | null {
  return ownUnifiedGroup(read("/proc/self/cgroup") ?? "", read("/proc/self/mountinfo") ?? "");
}
