/**
 * What the shell's main thread and the jail's thread say to each other. The order to restrict itself and its answers are
 * posted; all further ones go through a channel, and so they are numbers, and addresses of the shell's memory.
 */
import type { ChannelEnd } from "./channel.ts";
import type { SpawnRequest } from "./linux/posix_spawn.ts";
import type { SocketRules } from "./socket_rules.ts";
import type { Proof, Restriction } from "./restrict.ts";

/** Order to restrict the thread, once and first. */
export interface RestrictOrder extends Omit<Restriction, "filter">, SocketRules {
  readonly kind: "restrict";
  readonly shellPid: number;
  /** A file that exists and that no plan grants: the probe must not be able to open it. */
  readonly forbidden: string;
  /** False where nobody is told of commands before they execute anything (seccomp.ts). */
  readonly announced?: boolean;
  /** Where the watchdog reads; null for a jail without one (watchdog.ts). */
  readonly watchdogInput: number | null;
  /** Where the main thread says what it does for commands (acting.ts). */
  readonly acting: SharedArrayBuffer;
  /** How often that is looked at, in ms; LOOK_MS of acting.ts when absent. */
  readonly lookMs?: number;
  /** Where the thread takes all later orders from, once it is restricted. */
  readonly channel: ChannelEnd;
}

/** What is started in a jail: the file `argv[0]` where that holds a slash, else one that is looked for. */
export interface SpawnOrder extends Omit<SpawnRequest, "path"> {
  /** Directories with colons between them. */
  readonly searchPath: string;
}

/**
 * Order to bind a unix socket for a caller, with the caller's working directory and umask: made from within the domain,
 * the kernel itself decides whether the name may be created, whatever the path has become meanwhile.
 */
export interface BindOrder {
  /** The socket, and the directory, as descriptors of this process. */
  readonly fd: number;
  readonly cwd: number;
  readonly umask: number;
  readonly address: Uint8Array<ArrayBuffer>;
}

/** Codes of the orders that the channel carries, with their operands and results; one below 0 is an errno. */
export const JAIL_ORDER = {
  /** `path`, `argv`, `env`, `cwd`, `place` and `fds` of a `PreparedRequest`. Result: the process id. */
  SPAWN: 1,
  /**
   * The same behind a number of bytes: that many lie where `path` leads, each path that is tried with a NUL behind it. The
   * answer's index says which path the result is about.
   */
  SEARCH: 2,
  /** Those of a `BindOrder`, of the bytes address and length. Result: 0. */
  BIND: 3,
  /** Kill everything in the jail's domain; nothing is done where signals do not stay in it. Result: 0. */
  KILL: 4,
} as const;

/** An order that could not be carried out at all. */
export interface FailedReply {
  readonly kind: "failed";
  readonly message: string;
  /** Process id of a watchdog that was started before that, to be ended. */
  readonly watchdog?: number | null;
}

/**
 * What comes of the order to restrict the thread. `supervised` comes before the others, whose proof makes calls that
 * somebody must answer.
 */
export type RestrictReply =
  | { readonly kind: "supervised"; readonly listener: number; readonly jailTid: number }
  | {
    readonly kind: "restricted";
    readonly proof: Proof;
    readonly tid: number;
    /** Process id of the watchdog, null where there is none. */
    readonly watchdog: number | null;
  }
  | FailedReply;
