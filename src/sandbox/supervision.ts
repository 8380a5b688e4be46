/** What the supervisors of a session's jails share: one jail may be replaced while its processes go on. */
import type { PermissionName } from "../policy/policy.ts";
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
export type BindInJail = (order: Omit<BindOrder, "kind">) => Promise<number>;

/** Shared by all jails of a session. */
export class Supervision {
  /** Port on 127.0.0.1 of the session's own proxy, which decides about hosts itself; null when there is none. */
  proxyPort: number | null = null;
  /** True for an address that the policy lists as such: it needs no proxy, and what a name leads to is not in question. */
  lists: (target: { readonly host: string; readonly port: number }) => boolean = () => false;
  /** Ports of servers that Debrief itself sends to: a command that listened there would get what is meant for them. */
  reservedPorts: ReadonlySet<number> = new Set();
  /** Who listens. */
  readonly listening = new ListeningInodes();
  /** By the jail in force, also for processes of an earlier one: it has the same policy. */
  bindInJail: BindInJail = () => Promise.resolve(-ERRNO.EACCES);
  /**
   * Told of each process that the jail starts, by its process id, before it executes anything: the place to put it
   * under limits. It must be synchronous; when it throws, the process is not started.
   */
  onChild: ((pid: number) => void) | null = null;
  readonly #refused = new Map<string, Refused>();
  readonly #ends = new Set<() => Promise<void>>();

  /** Remember a refusal. */
  refuse(refused: Refused): void {
    if (this.#refused.size >= MAX_REFUSED) return;
    this.#refused.set(`${refused.permission} ${refused.resource}`, refused);
  }

  /** What was refused since the last time, each thing once, oldest first. */
  takeRefused(): readonly Refused[] {
    const taken = [...this.#refused.values()];
    this.#refused.clear();
    return taken;
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
