/**
 * The only way from a jailed command to hosts, where the policy lists hosts: a listener on loopback that speaks HTTP and SOCKS5 on one
 * port, wants the session's token, checks every request against the policy and connects itself.
 */
import type { Policy } from "../../policy/policy.ts";
import type { EgressContext } from "./decide_egress.ts";
import { EgressGate } from "./egress_gate.ts";
import { EgressLog, type EgressReport } from "./egress_log.ts";
import { Deadline, EgressStream } from "./egress_stream.ts";
import { EGRESS_USER, EgressToken } from "./egress_token.ts";
import { HostResolver, interfaceAddresses } from "./host_resolver.ts";
import { type ServeContext, serveHttp } from "./http_proxy.ts";
import { serveSocks, SOCKS_VERSION } from "./socks_proxy.ts";

/** Bounds of the proxy. */
export interface EgressLimits {
  /** Clients at once; further ones wait. Each holds two buffers of 16 KiB and two sockets. */
  readonly connections: number;
  /** Time for a whole head or handshake, in ms. */
  readonly headMs: number;
  /** Time without a byte after which a connection is given up, in ms. */
  readonly idleMs: number;
  /** Time for one address, in ms. */
  readonly dialMs: number;
  /** Time for one name, in ms. */
  readonly resolveMs: number;
  /** Lookups under way at once; each holds a thread. */
  readonly lookups: number;
}

const LIMITS: EgressLimits = {
  connections: 256,
  headMs: 10_000,
  idleMs: 600_000,
  dialMs: 10_000,
  resolveMs: 10_000,
  lookups: 16,
};

/** Deadlines are looked at this often, in ms. */
const SWEEP_MS = 500;

/** What a proxy is started with. */
export interface EgressProxyOptions extends Partial<Omit<EgressContext, "policy">> {
  readonly policy: Policy;
  readonly limits?: Partial<EgressLimits>;
  /** Added to what is said of a host that cannot be reached. */
  readonly hint?: string;
}

interface Client {
  /** True once it has shown the token. */
  known: boolean;
  readonly deadline: Deadline;
  /** Its own connection and those to hosts. */
  readonly streams: Set<EgressStream>;
  readonly done: Promise<void>;
}

/** A running proxy. */
export class EgressProxy {
  readonly #listener: Deno.TcpListener;
  readonly #token = new EgressToken();
  readonly #log = new EgressLog();
  readonly #gate: EgressGate;
  readonly #limits: EgressLimits;
  readonly #clients = new Set<Client>();
  readonly #sweeper: ReturnType<typeof setInterval>;
  readonly #accepting: Promise<void>;
  readonly #closing = new AbortController();

  private constructor(options: EgressProxyOptions) {
    this.#limits = { ...LIMITS, ...options.limits };
    const resolver = new HostResolver(this.#limits);
    this.#gate = new EgressGate({
      policy: options.policy,
      resolve: options.resolve ?? ((name) => resolver.resolve(name)),
      ownAddresses: options.ownAddresses ?? interfaceAddresses,
      log: this.#log,
      dialMs: this.#limits.dialMs,
      hint: options.hint ?? "",
      signal: this.#closing.signal,
    });
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS);
    this.#accepting = this.#accept();
  }

  /** Start to listen. @throws {Deno.errors} when the system has no port left. */
  static start(options: EgressProxyOptions): EgressProxy {
    return new EgressProxy(options);
  }

  /** The port on 127.0.0.1. */
  get port(): number {
    return this.#listener.addr.port;
  }

  /** The secret in the addresses below, for redaction. */
  get token(): string {
    return this.#token.text;
  }

  /** The proxy's address for HTTP clients, with user name and token. */
  get httpUrl(): string {
    return `http://${this.#authority}`;
  }

  /** The proxy's address for SOCKS clients; `h` says that the proxy resolves names. */
  get socksUrl(): string {
    return `socks5h://${this.#authority}`;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  get #authority(): string {
    return `${EGRESS_USER}:${this.token}@127.0.0.1:${this.port}`;
  }

  /** Take what was refused and what failed since the last call. */
  drain(): EgressReport {
    return this.#log.drain();
  }

  /** Stop listening and end every connection. */
  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closing.abort(new Error("the proxy was closed"));
      clearInterval(this.#sweeper);
      this.#listener.close();
    }
    const clients = [...this.#clients];
    clients.forEach(giveUp);
    await Promise.all([this.#accepting, ...clients.map(({ done }) => done)]);
  }

  async #accept(): Promise<void> {
    while (!this.#closed) {
      const isFull = this.#clients.size >= this.#limits.connections;
      if (isFull && [...this.#clients].every(({ known }) => known)) {
        await Promise.race([...this.#clients].map(({ done }) => done));
        continue;
      }
      try {
        const conn = await this.#listener.accept();
        if (isFull) this.#giveUpOldestStranger();
        this.#serve(conn);
      } catch {
        // Out of descriptors, or a client that is gone already: neither may end the proxy.
        if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Any user of the machine can connect; who has no token must not keep out who has. */
  #giveUpOldestStranger(): void {
    const stranger = [...this.#clients].find(({ known }) => !known);
    if (stranger === undefined) return;
    this.#clients.delete(stranger);
    giveUp(stranger);
  }

  #serve(conn: Deno.TcpConn): void {
    const deadline = new Deadline();
    deadline.within(this.#limits.headMs);
    const stream = new EgressStream(conn, deadline);
    const streams = new Set([stream]);
    const opened = (origin: EgressStream) => {
      for (const each of streams) if (each !== stream) streams.delete(each);
      streams.add(origin);
      if (this.#closed) origin.close();
    };
    const accepted = () => client.known = true;
    const isKnown = () => client.known;
    const serving = this.#speak(stream, { deadline, opened, accepted, isKnown })
      // A connection that breaks is the client's to notice.
      .catch(() => {})
      .finally(() => {
        stream.close();
        this.#clients.delete(client);
      });
    const client: Client = { known: false, deadline, streams, done: serving };
    this.#clients.add(client);
  }

  async #speak(
    stream: EgressStream,
    parts: Pick<ServeContext, "deadline" | "opened" | "accepted" | "isKnown">,
  ): Promise<void> {
    const context = { ...parts, gate: this.#gate, token: this.#token, limits: this.#limits };
    const first = await stream.peek();
    if (first === null) return;
    await (first === SOCKS_VERSION ? serveSocks(stream, context) : serveHttp(stream, context));
  }

  #sweep(): void {
    for (const client of this.#clients) if (client.deadline.expired) giveUp(client);
  }
}

function giveUp({ streams }: Client): void {
  for (const stream of streams) stream.close();
}
