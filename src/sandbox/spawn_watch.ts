/**
 * Keeps the start of a command from being held up. Until its program is executed, a child of `posix_spawn` runs while
 * the thread that started it waits in the kernel (`vfork`). A process that earlier commands left running shares its
 * Landlock domain and may stop it there: the jail's thread would then answer no order any more, and no time limit runs.
 */
import { syscall } from "./linux/ffi.ts";
import { readKernelFile } from "./linux/files.ts";
import { type Kept, killTree, processEntry, processIds } from "./process_tree.ts";

/** How long a start may take before somebody looks, in ms: thousands of times what it takes on an idle machine. */
const FIRST_LOOK_MS = 200;
/** Time between looks, in ms. */
const LOOK_MS = 100;
/** Looks that find the child stopped, until whatever stops it is ended: one stop may be an accident. */
const PATIENCE = 10;
const SIGCONT = 18;
/** `PF_FORKNOEXEC`, `linux/sched.h`: forked, nothing executed yet. */
const NOT_EXECUTED = 0x40;

/** The stopped child that a thread waits for, null when there is none. Only what the thread itself started is looked at. */
function stoppedChild(tid: number): number | null {
  const list = readKernelFile(`/proc/self/task/${tid}/children`) ?? "";
  for (const pid of processIds(list)) {
    const known = processEntry(pid);
    if (known?.state === "T" && (known.flags & NOT_EXECUTED) !== 0) return pid;
  }
  return null;
}

/** Watches one start, from its order to its answer. */
export class SpawnWatch implements Disposable {
  readonly #tid: number;
  readonly #spared: Kept;
  readonly #awaited: Kept;
  #timer: ReturnType<typeof setTimeout>;
  #stops = 0;

  /**
   * @param tid the thread that starts the command.
   * @param parts.spared processes that are not commands'.
   * @param parts.awaited children whose status others take.
   */
  constructor(tid: number, parts: { readonly spared: Kept; readonly awaited: Kept }) {
    this.#tid = tid;
    this.#spared = parts.spared;
    this.#awaited = parts.awaited;
    this.#timer = setTimeout(() => this.#look(), FIRST_LOOK_MS);
  }

  /** True when everything that earlier commands left running had to be ended. */
  get ended(): boolean {
    return this.#stops >= PATIENCE;
  }

  #look(): void {
    const pid = stoppedChild(this.#tid);
    if (pid !== null) {
      this.#stops++;
      if (this.ended) this.#endOthers(pid);
      syscall("kill", pid, SIGCONT);
    }
    this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }

  #endOthers(pid: number): void {
    const has = (other: number) => other === pid || this.#spared.has(other);
    killTree({ keep: { has, size: this.#spared.size + 1 }, unreaped: this.#awaited });
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
