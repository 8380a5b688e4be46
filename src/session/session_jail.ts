/** The jail of a session: compiled from the policy, started early, replaced when the files it grants were replaced. */
import { isCurrent } from "../sandbox/grants.ts";
import { BubblewrapJail } from "../sandbox/bubblewrap_jail.ts";
import { findUncovered, NO_COVERING } from "../sandbox/covers.ts";
import { type Bubblewrap, findBubblewrap } from "../sandbox/find_bubblewrap.ts";
import { type CommandJail, Jail, type JailSettings } from "../sandbox/jail.ts";
import { OpenJail } from "../sandbox/open_jail.ts";
import { close, open } from "../sandbox/linux/ffi.ts";
import { status } from "../sandbox/linux/files.ts";
import { OPEN } from "../sandbox/linux/uapi.ts";
import { hasChildren, killTree } from "../sandbox/process_tree.ts";
import { Supervision } from "../sandbox/supervision.ts";
import { exited } from "../sandbox/supervise.ts";
import type { SessionCgroup } from "../sandbox/session_cgroup.ts";
import type { Watchdog } from "../sandbox/watchdog.ts";
import { type Plan, type PlanContext, planJail } from "../sandbox/plan.ts";
import type { Policy } from "../policy/policy.ts";

/** Time to delete a tree, in ms: a command may have made one whose every level costs the kernel a walk to its root. */
const REMOVE_MS = 5000;

/** What the session's jail is made from. */
export interface SessionJailOptions extends PlanContext {
  readonly policy: Policy;
  /** A file that no plan grants; the probe must fail to open it. */
  readonly forbidden: string;
  /** Gives away a worker that is already loading, for the first jail, which ends it. */
  readonly takeWorker: () => Worker;
  /** Processes that commands left running: a watchdog stays as long as one of its own may be among them. */
  readonly running: ReadonlySet<number>;
  /** Where the kernel bounds what commands use together; null where it does not. */
  readonly cgroup: SessionCgroup | null;
  /** Whether the supervision's `onChild` is needed; without it a command starts sooner. */
  readonly announced: boolean;
}

/** Directories may have been made unwritable (Go's module cache is); `chmod -R` follows no links. */
const REMOVE = `rm -rf -- "$1" || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }`;

/** What a jail reaches that only reads. */
const READS_ONLY = { net: "none", loopback: false, sockets: [] } as const;

/** A plan without what it lets commands write and reach; a device is no place to leave anything. */
function readersPlan(plan: Plan): Plan {
  const grants = plan.grants.map((grant) => grant.device ? grant : { ...grant, write: false });
  return { ...plan, ...READS_ONLY, grants, roots: [], covering: NO_COVERING };
}

/** Holds one jail at a time. */
export class SessionJail {
  readonly #options: SessionJailOptions;
  /** Shared by all jails of the session. */
  readonly supervision: Supervision = new Supervision();
  #plan: Plan;
  #jail: Promise<CommandJail>;
  /** What made it fail may be over by the next command. */
  #failed = false;
  /** Watchdogs of jails that were replaced. */
  readonly #outdated: Watchdog[] = [];
  readonly #watchdogs = new Set<number>();

  constructor(options: SessionJailOptions) {
    let found: Bubblewrap | null = null;
    const look = () => found ??= findBubblewrap(options.policy);
    this.#options = { ...options, findBubblewrap: look };
    this.#plan = planJail(options.policy, this.#options);
    this.#jail = this.#start(options.takeWorker());
  }

  /** Processes beside the commands' own: neither jobs nor leftovers. */
  get watchdogs(): ReadonlySet<number> {
    return this.#watchdogs;
  }

  /** The plan in force. */
  get plan(): Plan {
    return this.#plan;
  }

  /**
   * The jail for the next command.
   *
   * @throws {JailError} when the restriction could not be applied or proven.
   */
  current(): Promise<CommandJail> {
    // A start that is under way needs the jail that it began with.
    return this.supervision.processes.exclusive(() => this.#renewed());
  }

  /** The jail in force: for a command that was about to start when it was replaced. @throws {JailError} as `current`. */
  latest(): Promise<CommandJail> {
    return this.#jail;
  }

  async #renewed(): Promise<CommandJail> {
    const ended = !this.#failed && !(await this.#jail.catch(() => null))?.isAlive;
    if (this.#failed || ended || !isCurrent(this.#plan.watched)) {
      const outdated = this.#jail;
      this.#plan = planJail(this.#options.policy, this.#options);
      this.#jail = this.#start(null);
      const replaced = await outdated.catch(() => null);
      replaced?.close();
      if (replaced?.watchdog) this.#outdated.push(replaced.watchdog);
    }
    const isQuiet = this.#options.running.size + this.supervision.processes.count === 0;
    if (isQuiet) await this.#endOutdated();
    return await this.#jail;
  }

  async #endOutdated(): Promise<void> {
    for (const watchdog of this.#outdated.splice(0)) await this.#end(watchdog);
  }

  async #end(watchdog: Watchdog): Promise<void> {
    await watchdog.end();
    this.#watchdogs.delete(watchdog.pid);
  }

  /** Kill everything that the session's jails have started. */
  async killAll(): Promise<void> {
    (await this.#jail.catch(() => null))?.killAll();
    this.#options.cgroup?.kill();
    await this.#endOutdated();
    killTree({ keep: this.#watchdogs, unreaped: this.supervision.processes.awaited });
  }

  /**
   * Delete a tree of an earlier session, from inside a jail of its own that may write there. Only when no command runs
   * any more.
   */
  async removeElsewhere(path: string): Promise<void> {
    const known = status(path, { follow: false });
    if (known?.kind !== "directory" || known.uid !== this.#options.host.uid) return;
    const grant = { path, read: true, write: true, list: true, directory: true, device: false };
    const grants = [...this.#plan.grants, grant];
    const { forbidden, cgroup } = this.#options;
    const { kind } = this.#plan.backend;
    // Without a jail nothing of an earlier one's is touched.
    if (kind === "none") return;
    if (kind === "kernel") return await this.#removeAside(path, grants);
    const jail = await BubblewrapJail.start({ ...this.#plan, grants }, { forbidden, cgroup });
    await remove(jail, path).finally(() => jail.close());
  }

  /**
   * Start a jail beside the one in force: with what that one reads, without what it writes and reaches.
   *
   * @returns it, and what ends it together with all that it has started.
   * @throws {JailError} when the restriction could not be applied or proven.
   */
  async startReader(): Promise<{ readonly jail: CommandJail; readonly end: () => Promise<void> }> {
    const { forbidden, cgroup } = this.#options;
    const supervision = new Supervision(this.supervision.processes);
    supervision.onChild = this.supervision.onChild;
    const plan = readersPlan(this.#plan);
    const settings = {
      ...this.#settings(plan.grants),
      ...READS_ONLY,
      // What the policy names here it need not list for commands.
      executable: null,
      supervision,
    };
    const jail = plan.backend.kind === "none"
      ? new OpenJail(cgroup)
      : plan.backend.kind === "bubblewrap"
      ? await BubblewrapJail.start(plan, { forbidden, cgroup })
      : await this.#startKernel(settings);
    const end = async () => {
      if (jail.tid !== null) await cgroup?.releaseThread(jail.tid);
      jail.close();
      if (jail.watchdog) await this.#end(jail.watchdog);
      await supervision.close();
    };
    return { jail, end };
  }

  /** Delete a tree from inside the jail; what cannot be deleted, or not in time, stays. */
  async remove(path: string): Promise<void> {
    const jail = await this.current();
    if (this.#plan.execution === null) return await remove(jail, path);
    await this.#removeAside(path, this.#plan.grants);
  }

  /** Delete a tree from a jail that executes what Debrief names, whatever commands may execute. */
  async #removeAside(path: string, grants: Plan["grants"]): Promise<void> {
    const supervision = new Supervision();
    const settings = { ...this.#settings(grants), executable: null, watched: false, supervision };
    const jail = await Jail.start(settings);
    await remove(jail, path).finally(() => jail.close());
    await supervision.close();
  }

  /**
   * Remove what a command has made under a denied name where nothing could be covered; from inside the jail that it ran in.
   *
   * @returns what was there, in words.
   */
  async removeUncovered(): Promise<readonly string[]> {
    const { policy, roots, covering } = this.#plan;
    const found = findUncovered(policy, { roots, covering });
    if (found.length === 0) return [];
    const jail = await this.#jail;
    for (const path of found) await remove(jail, path);
    const left = new Set(findUncovered(policy, { roots, covering }));
    return found.map((path) => left.has(path) ? `${path} (denied, and not removed)` : path);
  }

  /** End the worker, the supervision, and all that is left of the jail. */
  async close(): Promise<void> {
    await this.#finish({ kills: true });
  }

  /** End a jail from which no command was started; other sessions of the process go on. */
  async abandon(): Promise<void> {
    await this.#finish({ kills: false });
  }

  async #finish({ kills }: { readonly kills: boolean }): Promise<void> {
    const jail = await this.#jail.catch(() => null);
    if (jail?.tid) await this.#options.cgroup?.releaseThread(jail.tid);
    jail?.close();
    await this.#endOutdated();
    if (jail?.watchdog) await this.#end(jail.watchdog);
    this.#options.cgroup?.kill();
    if (kills && hasChildren()) killTree();
    await this.supervision.close();
    this.#options.cgroup?.remove();
  }

  #settings(grants: Plan["grants"]): JailSettings {
    const { forbidden, announced } = this.#options;
    const { landlockAbi, loopback, sockets, supervised, execution } = this.#plan;
    const executable = execution?.paths ?? null;
    // By host decides the proxy, to which the supervisor lets commands connect.
    const net = this.#plan.net === "all" ? "all" as const : "none" as const;
    return {
      ...{ landlockAbi, net, loopback, sockets, supervised, announced, grants, forbidden },
      executable,
      shellPid: Deno.pid,
      watched: true,
      spared: this.#watchdogs,
      supervision: this.supervision,
    };
  }

  /** @param worker one that is already loading; only the kernel backend has a use for it. */
  #start(worker: Worker | null): Promise<CommandJail> {
    const jail = this.#startKind(worker);
    this.#failed = false;
    // Reported by `current`, when a command needs the jail.
    jail.catch(() => this.#failed = true);
    return jail;
  }

  #startKind(worker: Worker | null): Promise<CommandJail> {
    const { backend } = this.#plan;
    const { forbidden, cgroup } = this.#options;
    if (backend.kind !== "kernel") worker?.terminate();
    switch (backend.kind) {
      case "none":
        return Promise.resolve(new OpenJail(cgroup));
      case "bubblewrap":
        return BubblewrapJail.start(this.#plan, { forbidden, cgroup });
      case "kernel":
        return this.#startKernel(this.#settings(this.#plan.grants), worker ?? undefined);
    }
  }

  async #startKernel(settings: JailSettings, worker = Jail.boot()): Promise<CommandJail> {
    const started = await Jail.start(settings, worker);
    // Before anything is waited for: what is found among the processes meanwhile and is no watchdog is ended.
    if (started.watchdog) this.#watchdogs.add(started.watchdog.pid);
    await this.#options.cgroup?.addThread(started.tid);
    return started;
  }
}

async function remove(jail: CommandJail, path: string): Promise<void> {
  const fds = [0, 1, 2].map(() => open("/dev/null", OPEN.RDWR));
  try {
    const argv = ["sh", "-c", REMOVE, "sh", path];
    const reply = await jail.spawn({
      argv,
      searchPath: "/bin",
      env: { PATH: "/usr/bin:/bin" },
      cwd: "/",
      fds,
    });
    if (reply.kind === "spawned") await exited(reply.pid, REMOVE_MS);
    if (reply.kind === "spawned") reply.proof?.close();
  } finally {
    fds.forEach(close);
  }
}
