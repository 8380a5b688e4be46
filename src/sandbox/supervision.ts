/** What the supervisors of a session's jails share: one jail may be replaced while its processes go on. */
import type { PermissionName } from "../policy/policy.ts";
import { CommandProcesses } from "./command_processes.ts";
import type { BindOrder } from "./jail_protocol.ts";
import { ERRNO } from "./linux/uapi.ts";

/** Something that a supervisor refused: an exact fact. */
export interface Refused {
  readonly permission: PermissionName;
  /** A real path, or `host:port`. */
  readonly resource: string;
}

/** Facts kept per command: more would say nothing new, and a command can cause any number. */
const MAX_REFUSED = 64;

/** Listening sockets that are remembered; the oldest are forgotten, and then no longer reached. */
const MAX_LISTENING = 4096;

/** Sockets that commands of the session listen on, by inode number. */
class ListeningInodes {
  readonly #inodes = new Set<string>();

  add(inode: string): void {
    this.#inodes.delete(inode);
    this.#inodes.add(inode);
    if (this.#inodes.size > MAX_LISTENING) this.#inodes.delete([...this.#inodes.keys()][0]!);
  }

  has(inode: string): boolean {
    return this.#inodes.has(inode);
  }
}

/** Makes a name for a socket from within a jail; the result is the kernel's. */
export type BindInJail = (order: BindOrder) => Promise<number>;

/** Shared by all jails of a session. */
export class Supervision {
  /** Port on 127.0.0.1 of the session's own proxy, which decides about hosts itself; null when there is none. */
  proxyPort: number | null = null;
  /** True for an address that the policy lists as such: it needs no proxy, and what a name leads to is not in question. */
  lists: (target: { readonly host: string; readonly port: number }) => boolean = () => false;
  /** Ports of servers that Debrief itself sends to: a command that listened there would get what is meant for them. */
  reservedPorts: ReadonlySet<number> = new Set();
  /** Who listens. */
  readonly listening: ListeningInodes = new ListeningInodes();
  /** By the jail in force, also for processes of an earlier one: it has the same policy. */
  bindInJail: BindInJail = () => Promise.resolve(-ERRNO.EACCES);
  /**
   * Told of each process that the jail starts, by its process id, before it executes anything: the place to put it
   * under limits. It must be synchronous; when it throws, the process is not started.
   */
  onChild: ((pid: number) => void) | null = null;
  /** Whose processes are whose. */
  readonly processes: CommandProcesses;
  readonly #refused = new Map<string, Refused & { readonly job: number | null }>();
  readonly #ends = new Set<() => Promise<void>>();

  /** @param processes those of another one, whose processes run beside. */
  constructor(processes: CommandProcesses = new CommandProcesses()) {
    this.processes = processes;
  }

  /** Remember what a thread was refused. */
  refuse({ permission, resource }: Refused, tid: number): void {
    const job = this.processes.jobOf(tid);
    const key = `${job} ${permission} ${resource}`;
    if (this.#countOf(job) < MAX_REFUSED) this.#refused.set(key, { permission, resource, job });
  }

  /**
   * What was refused to a command since the last time, each thing once, oldest first.
   *
   * @param job the leading process of a job; null for what is not a job's.
   */
  takeRefused(job: number | null = null): readonly Refused[] {
    const taken = [...this.#refused].filter(([, refused]) => refused.job === job);
    for (const [key] of taken) this.#refused.delete(key);
    return taken.map(([, { permission, resource }]) => ({ permission, resource }));
  }

  #countOf(job: number | null): number {
    return this.#refused.values().filter((refused) => refused.job === job).toArray().length;
  }

  /** Have something ended with the session. @returns a function that takes it off the list. */
  endLater(end: () => Promise<void>): () => void {
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /** End every supervisor; calls that wait, and later ones, fail. */
  async close(): Promise<void> {
    await Promise.all([...this.#ends].map((end) => end()));
  }
}
