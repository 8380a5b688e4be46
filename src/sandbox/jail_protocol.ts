/** Messages between the shell's main thread and the jail's thread. */
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

/** Order to kill everything in the jail's domain, which is not answered. Ignored where signals do not stay in it. */
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
  readonly address: Uint8Array<ArrayBuffer>;
}

/** What the main thread sends. */
export type JailOrder = RestrictOrder | SpawnOrder | BindOrder | KillOrder;

/**
 * What the jail's thread answers: one reply per order that has one, in order. `supervised` comes before the reply to
 * `restrict`, whose proof makes calls that somebody must answer.
 */
export type JailReply =
  | { readonly kind: "supervised"; readonly listener: number; readonly jailTid: number }
  | { readonly kind: "bound"; readonly result: number }
  | {
    readonly kind: "restricted";
    readonly proof: Proof;
    readonly tid: number;
    /** Process id of the watchdog, null where there is none. */
    readonly watchdog: number | null;
  }
  | { readonly kind: "spawned"; readonly pid: number; readonly path: string }
  | { readonly kind: "not-spawned"; readonly errno: number; readonly path: string }
  /** `watchdog`: one that was started before that, to be ended. */
  | { readonly kind: "failed"; readonly message: string; readonly watchdog?: number | null };
