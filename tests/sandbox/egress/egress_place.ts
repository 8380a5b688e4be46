/** A proxy, an origin and raw clients for the protocol tests of this directory. */
import {
  type EgressLimits,
  EgressProxy,
  type EgressProxyOptions,
} from "../../../src/sandbox/egress/egress_proxy.ts";
import { policyOf } from "../../policy/fixture.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

/** What a place is made from. */
export interface PlaceOptions {
  /** Serves one connection to the origin, which is closed afterwards. */
  readonly origin: (conn: Deno.TcpConn) => Promise<void>;
  readonly limits?: Partial<EgressLimits>;
  readonly resolve?: EgressProxyOptions["resolve"];
  /** Makes `net`; without it the origin's address is allowed. */
  readonly net?: (port: number) => unknown;
}

/** A proxy whose policy allows one origin on loopback by its address. */
export class EgressPlace {
  readonly proxy: EgressProxy;
  /** `127.0.0.1:PORT` of the origin. */
  readonly origin: string;
  readonly originPort: number;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #clients: Deno.TcpConn[] = [];
  readonly #serving: Promise<void>;
  /** Connections that reached the origin. */
  reached = 0;

  constructor(options: PlaceOptions) {
    this.originPort = this.#listener.addr.port;
    this.origin = `127.0.0.1:${this.originPort}`;
    const net = options.net ? options.net(this.originPort) : [this.origin];
    this.proxy = EgressProxy.start({
      policy: policyOf({ net }),
      resolve: options.resolve ?? (() => Promise.reject(new Error("no such name"))),
      ...(options.limits ? { limits: options.limits } : {}),
    });
    this.#serving = this.#serve(options.origin);
  }

  async #serve(serve: PlaceOptions["origin"]): Promise<void> {
    const served: Promise<void>[] = [];
    try {
      for await (const conn of this.#listener) {
        this.reached++;
        this.#clients.push(conn);
        served.push(serve(conn).catch(() => {}).finally(() => closeQuietly(conn)));
      }
    } catch {
      // Closed.
    }
    await Promise.all(served);
  }

  /** The field that proves the token. */
  get authorization(): string {
    return `Proxy-Authorization: Basic ${btoa(`debrief:${this.proxy.token}`)}\r\n`;
  }

  /** A client of the proxy. */
  async client(): Promise<RawClient> {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: this.proxy.port });
    this.#clients.push(conn);
    return new RawClient(conn);
  }

  /** Send a text, say that there is no more, and read all that comes back. */
  async exchange(text: string): Promise<string> {
    const client = await this.client();
    await client.send(text);
    await client.conn.closeWrite().catch(() => {});
    return await client.rest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy.close();
    for (const conn of this.#clients) closeQuietly(conn);
    this.#listener.close();
    await this.#serving;
  }
}

/** A connection with reads by content. */
class RawClient {
  #pending = "";

  constructor(readonly conn: Deno.TcpConn) {}

  /** One character for each byte. A connection that the proxy has closed takes nothing more. */
  async send(text: string): Promise<void> {
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    for (let at = 0; at < bytes.length;) at += await this.conn.write(bytes.subarray(at));
  }

  /** What comes up to and with a text, or all if it does not come. */
  async until(text: string): Promise<string> {
    for (;;) {
      const at = this.#pending.indexOf(text);
      if (at >= 0) return this.take(at + text.length);
      if (!await this.#more()) return this.take(this.#pending.length);
    }
  }

  /** Exactly this many characters, fewer at the end. */
  async exactly(count: number): Promise<string> {
    while (this.#pending.length < count && await this.#more());
    return this.take(Math.min(count, this.#pending.length));
  }

  /** All until the end. */
  async rest(): Promise<string> {
    while (await this.#more());
    return this.take(this.#pending.length);
  }

  private take(count: number): string {
    const text = this.#pending.slice(0, count);
    this.#pending = this.#pending.slice(count);
    return text;
  }

  async #more(): Promise<boolean> {
    const buffer = new Uint8Array(65_536);
    const count = await this.conn.read(buffer).catch(() => null);
    if (count === null) return false;
    this.#pending += decoder.decode(buffer.subarray(0, count));
    return true;
  }
}

/** An origin that answers every request with what it received of its head, and reads `Content-Length` bytes. */
export async function echoHead(conn: Deno.TcpConn): Promise<void> {
  const client = new RawClient(conn);
  const head = await client.until("\r\n\r\n");
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  let body = await client.exactly(length);
  if (/^transfer-encoding: chunked/im.test(head)) body = await client.until("0\r\n\r\n");
  const text = head + body;
  await client.send(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
}

/** An origin that sends back what it gets until the end, and then a last word. */
export async function echo(conn: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(65_536);
  for (let count = await conn.read(buffer); count !== null; count = await conn.read(buffer)) {
    for (let at = 0; at < count;) at += await conn.write(buffer.subarray(at, count));
  }
  await conn.write(encoder.encode("END"));
}

function closeQuietly(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // Closed before.
  }
}
