/**
 * Messages between the shell's main thread and the jail's thread. The order to restrict itself and its answers are posted;
 * all further ones go through a channel, and so they are made of what JSON can say.
 */
import type { ChannelEnd } from "./channel.ts";
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

/** Order to start a program in the jail. */
export interface SpawnOrder {
  readonly kind: "spawn";
  /** File to execute when `argv[0]` holds a slash, else looked for along `searchPath`. */
  readonly argv: readonly string[];
  readonly searchPath: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly fds: readonly number[];
}

/** Order to kill everything in the jail's domain. Nothing is done where signals do not stay in it. */
export interface KillOrder {
  readonly kind: "kill";
}

/**
 * Order to bind a unix socket for a caller, with the caller's working directory and umask: made from within the domain,
 * the kernel itself decides whether the name may be created, whatever the path has become meanwhile.
 */
export interface BindOrder {
  readonly kind: "bind";
  /** The socket, and the directory, as descriptors of this process. */
  readonly fd: number;
  readonly cwd: number;
  readonly umask: number;
  /** Bytes. */
  readonly address: readonly number[];
}

/** An order to start a program as it is sent: the environment is one text, which costs less than its parts. */
export interface SpawnMessage extends Omit<SpawnOrder, "env"> {
  /** From `environmentBlock`. */
  readonly environment: string;
}

/** What the main thread sends through the channel. */
export type JailOrder = SpawnMessage | BindOrder | KillOrder;

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

/** What the jail's thread answers: one reply per order, in order. */
export type JailReply =
  | { readonly kind: "bound"; readonly result: number }
  | { readonly kind: "killed" }
  | { readonly kind: "spawned"; readonly pid: number; readonly path: string }
  | { readonly kind: "not-spawned"; readonly errno: number; readonly path: string }
  | FailedReply;
