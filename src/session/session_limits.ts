/** The policy's bounds for this machine and session: who keeps them, and what to say when one is met. */
import type { LimitName, Limits } from "../policy/policy.ts";
import { sizeText } from "../policy/size.ts";
import type { EndedBy } from "../sandbox/deadlines.ts";
import { LimitWatch } from "../sandbox/limit_watch.ts";
import { ProcessBounder, type ProcessBounds } from "../sandbox/resource_limits.ts";
import type { CgroupVersion, SessionCgroup } from "../sandbox/session_cgroup.ts";
import { descendants, type Kept } from "../sandbox/process_tree.ts";
import type { LimitMet } from "../record/record.ts";
import type { SessionJail } from "./session_jail.ts";

/** Who keeps a bound: the kernel for all processes together or for each, or a look a few times a second. */
export type LimitKeeper = `cgroup ${CgroupVersion}` | "rlimit" | "watched";

/** Time between looks at background processes while no command runs, in ms. */
const JOB_LOOK_MS = 200;

/** Bounds of a session. */
export class SessionLimits {
  /** With the share of memory worked out. */
  readonly bounds: Limits;
  readonly #jail: SessionJail;
  readonly #cgroup: SessionCgroup | null;
  readonly #bounder = new ProcessBounder();
  #jobTimer: ReturnType<typeof setTimeout> | undefined;
  #notice: string | null = null;

  /**
   * @param limits what `limitsHere` made of the policy's.
   * @param parts.cgroup null where none can be made.
   */
  constructor(
    limits: Limits,
    parts: { readonly jail: SessionJail; readonly cgroup: SessionCgroup | null },
  ) {
    this.bounds = limits;
    this.#jail = parts.jail;
    this.#cgroup = parts.cgroup;
    // Before it executes anything.
    parts.jail.supervision.onChild = (pid) => this.#boundOne(pid);
  }

  /** Who keeps each bound that is set. */
  get keepers(): Readonly<Partial<Record<LimitName, LimitKeeper>>> {
    const { bounds } = this;
    const shared = (version: CgroupVersion | null | undefined): LimitKeeper =>
      version ? `cgroup ${version}` : "watched";
    const cgroup = this.#cgroup?.bounded;
    const keepers: Record<string, LimitKeeper | false> = {
      timeout: bounds.timeoutMs > 0 && "watched",
      idle: bounds.idleMs > 0 && "watched",
      input: bounds.inputMs > 0 && "watched",
      cpu: bounds.cpuMs > 0 && "watched",
      memory: bounds.memoryBytes > 0 && shared(cgroup?.memory),
      processes: bounds.processes > 0 && shared(cgroup?.processes),
      fileSize: bounds.fileBytes > 0 && "rlimit",
      openFiles: bounds.openFiles > 0 && "rlimit",
      output: bounds.outputBytes > 0 && "watched",
    };
    return Object.fromEntries(Object.entries(keepers).filter(([, keeper]) => keeper !== false));
  }

  /**
   * A watch for one command, from now on.
   *
   * @param others what is not the command's.
   */
  watch(others: Kept): LimitWatch {
    return this.#newWatch(this.bounds.cpuMs, others);
  }

  /** Bound a command's process that was just started, where nobody told of it before it executed anything. */
  bound(pid: number, except: Kept): void {
    if (this.#jail.plan.supervised) return;
    for (let found = [pid], done = new Set<number>(); found.length > 0;) {
      for (const process of found) this.#boundOne(process);
      done = done.union(new Set(found));
      found = descendants(except).map((process) => process.pid).filter((id) => !done.has(id));
    }
  }

  /** Kill at once what the kernel can name as one. */
  killAll(): void {
    this.#cgroup?.kill();
  }

  #boundOne(pid: number): void {
    this.#bounder.bound(pid, processBounds(this.bounds, this.#cgroup));
  }

  /** What is said of a bound that was met. */
  met(name: EndedBy | "fileSize" | "openFiles"): LimitMet {
    const { bounds } = this;
    const texts = {
      memory: `memory limit of ${sizeText(bounds.memoryBytes)}`,
      processes: `process limit of ${bounds.processes}`,
      cpu: `CPU time limit of ${bounds.cpuMs / 1000} s`,
      input: `limit of ${bounds.inputMs / 1000} s at a question`,
      idle: `limit of ${bounds.idleMs / 1000} s without output`,
      output: `output limit of ${sizeText(bounds.outputBytes)}`,
      openFiles: `limit of ${bounds.openFiles} open files`,
      fileSize: `file size limit of ${sizeText(bounds.fileBytes)}`,
    };
    return { name, text: texts[name], at: bounds.sources[name] ?? null };
  }

  /** Look after background processes while no command does. */
  watchJobs(): void {
    clearTimeout(this.#jobTimer);
    const watch = this.#newWatch(0);
    const look = () => {
      const overrun = watch.look();
      if (overrun === null) return this.#next(look);
      const { text } = this.met(overrun);
      this.#notice = `what earlier commands left running was ended: ${text}`;
      this.#jail.killAll().catch(() => {});
    };
    this.#next(look);
  }

  /** A command begins, or the session ends. @returns what became of the background processes, if anything. */
  endJobWatch(): string | null {
    clearTimeout(this.#jobTimer);
    const notice = this.#notice;
    this.#notice = null;
    return notice;
  }

  #next(look: () => void): void {
    this.#jobTimer = setTimeout(look, JOB_LOOK_MS);
    Deno.unrefTimer(this.#jobTimer as unknown as number);
  }

  #newWatch(cpuMs: number, others?: Kept): LimitWatch {
    const { memoryBytes, processes } = this.bounds;
    const parts = {
      except: this.#jail.watchdogs,
      group: this.#cgroup,
      // A job is one of two, or alone.
      ...(others && { others, isShared: () => this.#jail.supervision.processes.count > 1 }),
    };
    return new LimitWatch({ memoryBytes, processes, cpuMs }, parts);
  }
}

/** What each process has to be bounded by itself, beside what a control group bounds. */
export function processBounds(bounds: Limits, cgroup: SessionCgroup | null): ProcessBounds {
  const { fileBytes, openFiles } = bounds;
  // A group of version 2 takes a command in a moment after it began.
  const processes = cgroup?.bounded.processes === "v1" ? 0 : bounds.processes;
  return { fileBytes, openFiles, processes };
}
