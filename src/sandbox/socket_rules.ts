/** What a supervisor decides about sockets by. */
import type { PathGrant } from "./restrict.ts";

/** What the network rules of a plan come to. */
export interface SocketRules {
  readonly net: "none" | "all";
  /** Whether commands may have servers of their own. */
  readonly loopback: boolean;
  /** Real paths of unix sockets that commands may connect to, whoever listens. */
  readonly sockets: readonly string[];
  readonly grants: readonly PathGrant[];
}
