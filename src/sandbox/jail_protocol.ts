/** Messages between the shell's main thread and the jail's thread. */
import type { Proof, Restriction } from "./restrict.ts";

/** Order to restrict the thread, once and first. */
export interface RestrictOrder extends Omit<Restriction, "filter"> {
  readonly kind: "restrict";
  readonly shellPid: number;
  /** A file that exists and that no plan grants: the probe must not be able to open it. */
  readonly forbidden: string;
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

/** What the main thread sends. */
export type JailOrder = RestrictOrder | SpawnOrder;

/** What the jail's thread answers: one reply per order, in order. */
export type JailReply =
  | { readonly kind: "restricted"; readonly proof: Proof; readonly tid: number }
  | { readonly kind: "spawned"; readonly pid: number; readonly path: string }
  | { readonly kind: "not-spawned"; readonly errno: number; readonly path: string }
  | { readonly kind: "failed"; readonly message: string };
