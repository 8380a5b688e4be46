/** Decides, records and dials: the one way from either protocol to the network. */
import { denial } from "../../policy/denial.ts";
import { canonicalHost } from "../../policy/net_entry.ts";
import type { Denial, Policy } from "../../policy/policy.ts";
import { decideEgress, type EgressContext, type EgressTarget } from "./decide_egress.ts";
import type { EgressLog } from "./egress_log.ts";

/** A connection, or why there is none; `message` is one line for the client. */
export type GateAnswer =
  | { readonly kind: "connected"; readonly conn: Deno.TcpConn }
  | {
    readonly kind: "refused" | "unresolved" | "unreachable" | "refused-by-host";
    readonly message: string;
  };

/** What a gate is made from. */
export interface GateOptions extends EgressContext {
  readonly policy: Policy;
  readonly log: EgressLog;
  /** Time for one address, in ms. */
  readonly dialMs: number;
  /** Added where a host cannot be reached; empty for nothing. */
  readonly hint: string;
  /** Gives up what is under way. */
  readonly signal: AbortSignal;
}

/** The gate of one proxy. */
export class EgressGate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Connect to a target if the policy lets it. */
  async connect(target: EgressTarget): Promise<GateAnswer> {
    const { log, policy, hint } = this.#options;
    const decision = await orAborted(decideEgress(target, this.#options), this.#options.signal);
    const resource = resourceOf(target);
    if (decision.kind === "refused") {
      const { rule, note } = decision;
      const refusal = { permission: "net", resource, rule, by: "sandbox" } as const;
      const denied = denial(policy, note === null ? refusal : { ...refusal, note });
      log.refused(denied);
      return { kind: "refused", message: describeDenial(denied) };
    }
    if (decision.kind === "unresolved") {
      const message = `Cannot connect to "${resource}": ${decision.reason}${hint}`;
      log.failed(message);
      return { kind: "unresolved", message };
    }
    const dialled = await this.#dial(decision.addresses, target.port);
    if (dialled instanceof Error) {
      const message = `Cannot connect to "${resource}": ${dialled.message}${hint}`;
      log.failed(message);
      const active = dialled instanceof Deno.errors.ConnectionRefused;
      return { kind: active ? "refused-by-host" : "unreachable", message };
    }
    return { kind: "connected", conn: dialled };
  }

  /** The first address that answers; the last error when none does. */
  async #dial(addresses: readonly string[], port: number): Promise<Deno.TcpConn | Error> {
    let failure = new Error("it has no address");
    for (const hostname of addresses) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), this.#options.dialMs);
      try {
        const signal = AbortSignal.any([late.signal, this.#options.signal]);
        signal.throwIfAborted();
        return await Deno.connect({ hostname, port, signal });
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
        if (late.signal.aborted) failure = new Error(`${hostname} does not answer`);
      } finally {
        clearTimeout(timer);
      }
    }
    return failure;
  }
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Nobody waits for it any more.
    work.catch(() => {});
  }
}

/** A refusal in one line, for the program that met it. */
function describeDenial({ resource, rule, at, accepted }: Denial): string {
  const allowed = accepted === "" ? "nothing is allowed" : `allowed is ${accepted}`;
  return `Cannot connect to "${resource}": ${rule} (${at}); ${allowed}`;
}

/** `host:port` in canonical spelling, or as it was written with what no terminal should get escaped. */
function resourceOf({ host, port }: EgressTarget): string {
  const shown = canonicalHost(host) ??
    host.slice(0, 255).replace(
      /[^\x21-\x7e]/g,
      (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
  return `${shown}:${port}`;
}
