/**
 * Which of the processes below the shell belong to which command, where several run at a time. Every command leads a
 * session of the kernel (setsid(2)), and a session is left only by making another one, of which the jail's supervisor is
 * told before. So the session of a process says whose it is, also when all of its parents are gone.
 */
import { syscall } from "./linux/ffi.ts";
import { descendants, type Kept } from "./process_tree.ts";

/** Sessions that are remembered before it is looked whether they still live; each one that does is a process. */
const MAX_SESSIONS = 1024;

/** Background commands are told apart from each other; everything else counts as the foreground's. */
export type CommandKind = "job" | "command";

/** The commands of one shell that run. */
export class CommandProcesses {
  readonly #leaders = new Set<number>();
  /** The leading process of a job by session id. */
  readonly #sessions = new Map<number, number>();
  #sessionsBound = MAX_SESSIONS;
  #starting: Promise<unknown> = Promise.resolve();
  /** Of the command that starts. */
  #kind: CommandKind | null = null;
  #born: number[] = [];

  /** Children whose status their own supervisor takes. */
  get awaited(): Kept {
    return this.#leaders;
  }

  /** Commands that run. */
  get count(): number {
    return this.#leaders.size;
  }

  /** Jobs that run. */
  get jobs(): number {
    let count = 0;
    for (const [session, leader] of this.#sessions) if (session === leader) count++;
    return count;
  }

  /** Do something while no command starts. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#starting.then(work);
    this.#starting = done.catch(() => {});
    return done;
  }

  /** Start one command at a time, so that it is known whose process is born. */
  start<T extends { readonly reply: { readonly kind: string; readonly pid?: number } }>(
    kind: CommandKind,
    start: () => Promise<T>,
  ): Promise<T> {
    return this.exclusive(async () => {
      this.#kind = kind;
      let pid = 0;
      try {
        const started = await start();
        const { reply } = started;
        if (reply.pid !== undefined) this.born(pid = reply.pid);
        return started;
      } finally {
        // What was made and could not execute its program.
        for (const other of this.#born) if (other !== pid) this.ended(other);
        this.#kind = null;
        this.#born = [];
      }
    });
  }

  /** A process was made for the command that starts; before it executes anything where the jail tells of it. */
  born(pid: number): void {
    if (this.#kind === null) return;
    this.#leaders.add(pid);
    this.#born.push(pid);
    // The number may have been another process's.
    if (this.#kind === "job") this.#sessions.set(pid, pid);
    else this.#sessions.delete(pid);
  }

  /** The status of a command was taken, and what it left is not a job's any more. */
  ended(leader: number): void {
    this.#leaders.delete(leader);
    for (const [session, owner] of this.#sessions) {
      if (owner === leader) this.#sessions.delete(session);
    }
  }

  /** A process is about to make a session of its own. */
  makesSession(pid: number): void {
    const owner = this.jobOf(pid);
    if (owner === null) this.#sessions.delete(pid);
    else this.#sessions.set(pid, owner);
    if (this.#sessions.size > this.#sessionsBound) this.#forget();
  }

  /** The leading process of the job that a process belongs to; null for what is not a job's. */
  jobOf(pid: number): number | null {
    if (this.#sessions.size === 0) return null;
    if (this.#leaders.has(pid) && this.#sessions.has(pid)) return pid;
    return this.#sessions.get(syscall("getsid", pid)) ?? null;
  }

  /** Whatever is not the foreground command's: jobs, and what else is given. */
  besides(...more: readonly Kept[]): Kept {
    const jobs = () => this.jobs;
    return {
      has: (pid) => more.some((kept) => kept.has(pid)) || this.jobOf(pid) !== null,
      get size() {
        return more.reduce((sum, { size }) => sum + size, jobs());
      },
    };
  }

  /** Whatever is not a job's. @param leader its first process; null before there is one. */
  besidesJob(leader: () => number | null): Kept {
    return {
      has: (pid) => this.jobOf(pid) !== (leader() ?? NaN),
      size: Infinity,
    };
  }

  #forget(): void {
    const living = new Set(descendants().map(({ pid }) => syscall("getsid", pid)));
    for (const [session, leader] of this.#sessions) {
      if (session !== leader && !living.has(session)) this.#sessions.delete(session);
    }
    // Never a walk for each new one.
    this.#sessionsBound = Math.max(MAX_SESSIONS, 2 * this.#sessions.size);
  }
}
