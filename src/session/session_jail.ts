/** The jail of a session: compiled from the policy, started early, replaced when the files it grants were replaced. */
import { isCurrent } from "../sandbox/grants.ts";
import { Jail, type JailSettings } from "../sandbox/jail.ts";
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
  /** A worker that is already loading, for the first jail. */
  readonly worker: Worker;
  /** Processes that commands left running: a watchdog stays as long as one of its own may be among them. */
  readonly running: ReadonlySet<number>;
  /** Where the kernel bounds what commands use together; null where it does not. */
  readonly cgroup: SessionCgroup | null;
}

/** Directories may have been made unwritable (Go's module cache is); `chmod -R` follows no links. */
const REMOVE = `rm -rf -- "$1" || { chmod -R u+rwX -- "$1"; rm -rf -- "$1"; }`;

/** Holds one jail at a time. */
export class SessionJail {
  readonly #options: SessionJailOptions;
  /** Shared by all jails of the session. */
  readonly supervision = new Supervision();
  #plan: Plan;
  #jail: Promise<Jail>;
  /** What made it fail may be over by the next command. */
  #failed = false;
  /** Watchdogs of jails that were replaced. */
  readonly #outdated: Watchdog[] = [];
  readonly #watchdogs = new Set<number>();

  constructor(options: SessionJailOptions) {
    this.#options = options;
    this.#plan = planJail(options.policy, options);
    this.#jail = this.#start(options.worker);
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
  async current(): Promise<Jail> {
    const ended = !this.#failed && !(await this.#jail.catch(() => null))?.isAlive;
    if (this.#failed || ended || !isCurrent(this.#plan.watched)) {
      const outdated = this.#jail;
      this.#plan = planJail(this.#options.policy, this.#options);
      this.#jail = this.#start(Jail.boot());
      const replaced = await outdated.catch(() => null);
      replaced?.close();
      if (replaced?.watchdog) this.#outdated.push(replaced.watchdog);
    }
    if (this.#options.running.size === 0) await this.#endOutdated();
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
    await this.#endOutdated();
    killTree({ keep: this.#watchdogs });
  }

  /**
   * Delete a tree of an earlier session, from inside a jail of its own that may write there. Only when no command runs
   * any more.
   */
  async removeElsewhere(path: string): Promise<void> {
    const known = status(path, { follow: false });
    if (known?.kind !== "directory" || known.uid !== this.#options.host.uid) return;
    const grant = { path, read: true, write: true, list: true, directory: true, device: false };
    const settings = this.#settings([...this.#plan.grants, grant]);
    const jail = await Jail.start({ ...settings, watched: false });
    await remove(jail, path).finally(() => jail.close());
  }

  /** Delete a tree from inside the jail; what cannot be deleted, or not in time, stays. */
  async remove(path: string): Promise<void> {
    await remove(await this.current(), path);
  }

  /** End the worker, the supervision, and all that is left of the jail. */
  async close(): Promise<void> {
    const jail = await this.#jail.catch(() => null);
    if (jail) this.#options.cgroup?.release(jail.tid);
    jail?.close();
    await this.#endOutdated();
    if (jail?.watchdog) await this.#end(jail.watchdog);
    if (hasChildren()) killTree();
    await this.supervision.close();
    this.#options.cgroup?.remove();
  }

  #settings(grants: Plan["grants"]): JailSettings {
    const { forbidden } = this.#options;
    const { landlockAbi, loopback, sockets, supervised } = this.#plan;
    // By host decides the proxy, to which the supervisor lets commands connect.
    const net = this.#plan.net === "all" ? "all" as const : "none" as const;
    return {
      ...{ landlockAbi, net, loopback, sockets, supervised, grants, forbidden },
      shellPid: Deno.pid,
      watched: true,
      spared: this.#watchdogs,
      supervision: this.supervision,
    };
  }

  #start(worker: Worker): Promise<Jail> {
    const settings = this.#settings(this.#plan.grants);
    const jail = Jail.start(settings, worker).then((started) => {
      this.#options.cgroup?.add(started.tid);
      return started;
    });
    this.#failed = false;
    jail.then(
      ({ watchdog }) => watchdog && this.#watchdogs.add(watchdog.pid),
      // Reported by `current`, when a command needs the jail.
      () => this.#failed = true,
    );
    return jail;
  }
}

async function remove(jail: Jail, path: string): Promise<void> {
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
  } finally {
    fds.forEach(close);
  }
}
