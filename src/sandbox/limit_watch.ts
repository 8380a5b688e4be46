/**
 * Looks a few times a second at what the processes of a session use together, and says when that is too much. Where the
 * kernel bounds it (session_cgroup.ts), a look asks the kernel whether a bound was met.
 */
import type { SessionCgroup } from "./session_cgroup.ts";
import type { Kept } from "./process_tree.ts";
import type { GroupCounts } from "./unified_cgroup.ts";
import { currentUsage, exactMemory, livingCpu, type Usage } from "./usage.ts";

/** Bounds that are looked at; 0 means none. */
export interface WatchedBounds {
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly processes: number;
  readonly cpuMs: number;
}

/** A bound that was exceeded. */
export type Overrun = "memory" | "processes" | "cpu";

/** Time until the first look, in ms: most commands have ended by then and cost nothing. */
const FIRST_LOOK_MS = 50;
/** Time between looks, in ms, as long as a look costs little. */
const LOOK_MS = 100;
/** A look may take one tenth of the time. */
const COST_FACTOR = 10;

/** Watches from when it is made. */
export class LimitWatch {
  readonly #bounds: WatchedBounds;
  readonly #except: Kept;
  readonly #others: Kept | null;
  readonly #isShared: () => boolean;
  /** Another command has run meanwhile. */
  #shared = false;
  readonly #group: SessionCgroup | null;
  readonly #before: { readonly counts: GroupCounts | null; readonly usage: Usage | null };
  /** True when the last look found nothing outside of the group. */
  #gathered = false;
  #nextAt = performance.now() + FIRST_LOOK_MS;

  /**
   * @param bounds
   * @param parts.except processes that do not count, with what descends from them.
   * @param parts.group where the kernel bounds and counts; null for none.
   * @param parts.others what is not the command's: without it CPU time of the whole session counts.
   * @param parts.isShared true while other commands run.
   */
  constructor(
    bounds: WatchedBounds,
    parts: {
      readonly except: Kept;
      readonly group: SessionCgroup | null;
      readonly others?: Kept;
      readonly isShared?: () => boolean;
    },
  ) {
    this.#bounds = bounds;
    this.#except = parts.except;
    this.#others = parts.others ?? null;
    this.#isShared = parts.isShared ?? (() => false);
    this.#group = parts.group;
    const usage = bounds.cpuMs > 0 ? currentUsage(parts.except) : null;
    this.#before = { counts: parts.group?.counts() ?? null, usage };
  }

  /** When the next look is due, on the clock of `performance.now()`. */
  get nextAt(): number {
    const { memoryBytes, processes, cpuMs } = this.#bounds;
    return memoryBytes + processes + cpuMs > 0 ? this.#nextAt : Infinity;
  }

  /** True when what goes beyond this bound cannot grow on. */
  keeps(bound: "memory" | "processes"): boolean {
    const version = this.#group?.bounded[bound] ?? null;
    return version === "v1" || (version === "v2" && this.#gathered);
  }

  /** Look now. */
  look(): Overrun | null {
    const started = performance.now();
    const overrun = this.refused() ?? this.#exceeded();
    // Not before: a fork bomb would take long to bring in.
    if (overrun === null && this.#group !== null) {
      this.#gathered = this.#group.gather(this.#except);
    }
    const now = performance.now();
    this.#nextAt = now + Math.max(LOOK_MS, (now - started) * COST_FACTOR);
    return overrun;
  }

  /** What the kernel has refused since the beginning: also when everything has ended. */
  refused(): Overrun | null {
    const counts = this.#group?.counts() ?? null;
    const { counts: before } = this.#before;
    if (counts === null || before === null) return null;
    if (counts.memory > before.memory) return "memory";
    return counts.processes > before.processes ? "processes" : null;
  }

  #exceeded(): Overrun | null {
    const { memoryBytes, processes, cpuMs } = this.#bounds;
    const usage = currentUsage(this.#except, processes > 0 ? processes + 1 : Infinity);
    if (processes > 0 && usage.tasks > processes) return "processes";
    if (cpuMs > 0 && this.#cpu(usage) > cpuMs) return "cpu";
    const tooMuch = memoryBytes > 0 && usage.residentBytes > memoryBytes;
    return tooMuch && exactMemory(this.#except) > memoryBytes ? "memory" : null;
  }

  /** The kernel counts for all commands together. */
  #cpu(usage: Usage): number {
    this.#shared ||= this.#isShared();
    if (this.#shared && this.#others !== null) return livingCpu(this.#others);
    const counted = (this.#group?.counts().cpuMs ?? 0) - (this.#before.counts?.cpuMs ?? 0);
    return Math.max(counted, usage.cpuMs - (this.#before.usage?.cpuMs ?? 0));
  }
}
