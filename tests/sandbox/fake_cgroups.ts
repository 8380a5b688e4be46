/** A tree of control groups in memory that keeps the kernel's rules as far as they decide where a group can be made. */
import type { CgroupFiles } from "../../src/sandbox/cgroup_files.ts";

const [ENOENT, EBUSY, EACCES, EEXIST] = [2, 16, 13, 17];

interface FakeGroup {
  owner: number;
  /** What it hands down. */
  enabled: Set<string>;
  procs: Set<string>;
  readonly settings: Map<string, string>;
}

/** The user is 1000; the mount is `/cg`. */
export class FakeCgroups {
  readonly groups = new Map<string, FakeGroup>();
  readonly #controllers: readonly string[];
  readonly #user: number;

  /** @param groups by path; each has its owner, what it hands down, its processes, and settings. */
  constructor(
    groups: Readonly<
      Record<
        string,
        { owner?: number; enabled?: string[]; procs?: string[]; settings?: Record<string, string> }
      >
    >,
    options: { readonly controllers?: readonly string[]; readonly user?: number } = {},
  ) {
    this.#controllers = options.controllers ?? ["memory", "pids", "cpu"];
    this.#user = options.user ?? 1000;
    for (const [path, { owner = 1000, enabled, procs, settings }] of Object.entries(groups)) {
      this.groups.set(path, {
        owner,
        enabled: new Set(enabled),
        procs: new Set(procs),
        settings: new Map(Object.entries(settings ?? {})),
      });
    }
  }

  /** What the source works with. */
  get files(): CgroupFiles {
    return {
      read: (path) => this.#read(path),
      write: (path, text) => this.#write(path, text),
      make: (path) => this.#make(path),
      remove: (path) => {
        if (this.groups.get(path)?.procs.size === 0) this.groups.delete(path);
      },
      names: (path) =>
        [...this.groups.keys()].filter((one) => parentOf(one) === path).map((one) =>
          one.slice(path.length + 1)
        ),
      owner: (path) => this.groups.get(path)?.owner ?? null,
      canWrite: (path) => this.#mayChange(this.groups.get(parentOf(path))),
      user: () => this.#user,
    };
  }

  #mayChange(group: FakeGroup | undefined): boolean {
    return group !== undefined && (this.#user === 0 || group.owner === this.#user);
  }

  #available(path: string): ReadonlySet<string> {
    if (path === "/cg") return new Set(this.#controllers);
    return this.groups.get(parentOf(path))?.enabled ?? new Set();
  }

  #read(path: string): string | null {
    if (path.startsWith("/proc/")) return Deno.readTextFileSync(path);
    const directory = parentOf(path);
    const name = path.slice(directory.length + 1);
    const group = this.groups.get(directory);
    if (group === undefined) return null;
    if (name === "cgroup.procs") return [...group.procs].map((pid) => `${pid}\n`).join("");
    if (name === "cgroup.subtree_control") return [...group.enabled].join(" ");
    if (name === "cgroup.controllers") return [...this.#available(directory)].join(" ");
    return group.settings.get(name) ?? null;
  }

  #write(path: string, text: string): number {
    const directory = parentOf(path);
    const name = path.slice(directory.length + 1);
    const group = this.groups.get(directory);
    if (group === undefined) return -ENOENT;
    if (!this.#mayChange(group)) return -EACCES;
    if (name === "cgroup.procs") {
      // "No internal processes".
      if (group.enabled.size > 0 && directory !== "/cg") return -EBUSY;
      for (const other of this.groups.values()) other.procs.delete(text);
      group.procs.add(text);
      return 0;
    }
    if (name === "cgroup.subtree_control") return this.#enable(directory, group, text);
    if (name.startsWith("cgroup.")) return 0;
    if (!this.#available(directory).has(name.split(".")[0]!)) return -ENOENT;
    group.settings.set(name, text);
    return 0;
  }

  #enable(directory: string, group: FakeGroup, text: string): number {
    const changed = text.split(" ");
    if (changed.some((word) => !this.#available(directory).has(word.slice(1)))) return -ENOENT;
    const adds = changed.some((word) => word.startsWith("+"));
    if (adds && group.procs.size > 0 && directory !== "/cg") return -EBUSY;
    for (const word of changed) {
      if (word.startsWith("+")) group.enabled.add(word.slice(1));
      else group.enabled.delete(word.slice(1));
    }
    return 0;
  }

  #make(path: string): number {
    const parent = this.groups.get(parentOf(path));
    if (parent === undefined) return -ENOENT;
    if (!this.#mayChange(parent)) return -EACCES;
    if (this.groups.has(path)) return -EEXIST;
    const owner = this.#user;
    this.groups.set(path, { owner, enabled: new Set(), procs: new Set(), settings: new Map() });
    return 0;
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
