/** The proxy's SOCKS side: version 5 with names (RFC 1928), user name and password (RFC 1929), CONNECT only. */
import type { GateAnswer } from "./egress_gate.ts";
import { EgressStream } from "./egress_stream.ts";
import type { ServeContext } from "./http_proxy.ts";
import { tunnel } from "./tunnel.ts";

/** First byte of every message. */
export const SOCKS_VERSION = 5;

const METHOD = { password: 2, none: 0xff } as const;
const CONNECT = 1;
const ADDRESS = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** Reply codes, RFC 1928, section 6. */
const REPLY = {
  done: 0,
  failed: 1,
  unsupportedCommand: 7,
  unsupportedAddress: 8,
} as const;

const ANSWERS: Readonly<Record<Exclude<GateAnswer["kind"], "connected">, number>> = {
  refused: 2,
  unresolved: 4,
  unreachable: 4,
  "refused-by-host": 5,
};

/** Serve one client until it ends. @throws {Error} when it breaks the protocol or a connection breaks. */
export async function serveSocks(client: EgressStream, context: ServeContext): Promise<void> {
  const { gate, deadline, limits } = context;
  deadline.within(limits.headMs);
  if (!await authenticate(client, context)) return;
  context.accepted();
  const [version, command, reserved, type] = await client.exactly(4);
  if (version !== SOCKS_VERSION || reserved !== 0) return await answer(client, REPLY.failed);
  const host = await readHost(client, type ?? 0);
  if (host === null) return await answer(client, REPLY.unsupportedAddress);
  const [high = 0, low = 0] = await client.exactly(2);
  if (command !== CONNECT) return await answer(client, REPLY.unsupportedCommand);
  const port = high * 256 + low;
  if (port === 0) return await answer(client, REPLY.failed);
  // Resolving and dialling have times of their own.
  deadline.within(Infinity);
  const result = await gate.connect({ host, port });
  if (result.kind !== "connected") return await answer(client, ANSWERS[result.kind]);
  const origin = new EgressStream(result.conn, deadline);
  context.opened(origin);
  deadline.whileActive(limits.idleMs);
  try {
    await answer(client, REPLY.done);
    await tunnel(client, origin);
  } finally {
    origin.close();
  }
}

async function authenticate(client: EgressStream, { token }: ServeContext): Promise<boolean> {
  const [version, count = 0] = await client.exactly(2);
  if (version !== SOCKS_VERSION) return false;
  const methods = await client.exactly(count);
  if (!methods.includes(METHOD.password)) {
    await client.write(new Uint8Array([SOCKS_VERSION, METHOD.none]));
    return false;
  }
  await client.write(new Uint8Array([SOCKS_VERSION, METHOD.password]));
  // The negotiation has a version of its own.
  if ((await client.exactly(1))[0] !== 1) return false;
  const user = await readText(client);
  const accepted = token.acceptsPassword(user, await readText(client));
  await client.write(new Uint8Array([1, accepted ? 0 : 1]));
  return accepted;
}

async function readText(client: EgressStream): Promise<Uint8Array> {
  const [length = 0] = await client.exactly(1);
  return await client.exactly(length);
}

/** The address as text, in brackets if it is IPv6; null for a kind that there is not. */
async function readHost(client: EgressStream, type: number): Promise<string | null> {
  if (type === ADDRESS.ipv4) return (await client.exactly(4)).join(".");
  if (type === ADDRESS.ipv6) {
    const bytes = await client.exactly(16);
    const groups = Array.from(
      { length: 8 },
      (_, at) => ((bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0)).toString(16),
    );
    return `[${groups.join(":")}]`;
  }
  // What is no UTF-8 becomes U+FFFD, which is in no host name.
  return type === ADDRESS.name ? new TextDecoder().decode(await readText(client)) : null;
}

/** The bound address in it says nothing: all zeros, as for a proxy that does not tell. */
async function answer(client: EgressStream, code: number): Promise<void> {
  await client.write(new Uint8Array([SOCKS_VERSION, code, 0, ADDRESS.ipv4, 0, 0, 0, 0, 0, 0]));
}
