/**
 * The proxy's HTTP side (RFC 9110, 9112): CONNECT, and requests for `http:` in absolute form. Each request is checked anew and gets a
 * connection of its own to the origin, so nothing that one request carries can become part of another.
 */
import type { EgressGate, GateAnswer } from "./egress_gate.ts";
import { type Deadline, EgressStream, ProtocolError } from "./egress_stream.ts";
import type { EgressTarget } from "./decide_egress.ts";
import type { EgressToken } from "./egress_token.ts";
import { forward } from "./forward_request.ts";
import {
  type Field,
  formatHead,
  MAX_HEAD,
  parseRequestHead,
  requestFraming,
  type RequestHead,
  valuesOf,
} from "./http_head.ts";
import { tunnel } from "./tunnel.ts";

/** What the proxy's protocols need. */
export interface ServeContext {
  readonly gate: EgressGate;
  readonly token: EgressToken;
  readonly deadline: Deadline;
  readonly limits: {
    /** Time for a whole head or handshake, in ms. */
    readonly headMs: number;
    /** Time without a byte after which a connection is given up, in ms. */
    readonly idleMs: number;
  };
  /** Hears that the client has shown the token; `isKnown` is true from then on. */
  readonly accepted: () => void;
  readonly isKnown: () => boolean;
  /** Hears of every connection to a host, to close it with the proxy. */
  readonly opened: (stream: EgressStream) => void;
}

/** What is read of a request that was refused before the connection is closed, in bytes: see `linger`. */
const MAX_DISCARDED = 1 << 20;
/** How long, in ms. */
const LINGER_MS = 2000;

const STATUS: Readonly<Record<Exclude<GateAnswer["kind"], "connected">, string>> = {
  refused: "403 Forbidden",
  unresolved: "502 Bad Gateway",
  unreachable: "504 Gateway Timeout",
  "refused-by-host": "502 Bad Gateway",
};

/** Serve one client until it ends. @throws {Error} when a connection breaks. */
export async function serveHttp(client: EgressStream, context: ServeContext): Promise<void> {
  const { deadline, limits } = context;
  for (;;) {
    deadline.within(context.isKnown() ? limits.idleMs : limits.headMs);
    if (await client.peek() === null) return;
    deadline.within(limits.headMs);
    let goesOn: boolean;
    try {
      goesOn = await serveRequest(client, context);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      await reply(client, { status: "400 Bad Request", message: `Cannot proxy: ${error.message}` });
      goesOn = false;
    }
    if (!goesOn) return await linger(client, deadline);
  }
}

/** One request; true when the connection can take another. */
async function serveRequest(client: EgressStream, context: ServeContext): Promise<boolean> {
  const { token, gate, deadline, limits } = context;
  const request = parseRequestHead(await client.through("\r\n\r\n", MAX_HEAD));
  const framing = requestFraming(request);
  const keeps = framing.kind === "none" && keepsAlive(request);
  const authorization = valuesOf(request.fields, "proxy-authorization");
  if (authorization.length !== 1 || !token.acceptsBasic(authorization[0] ?? null)) {
    const message = "Cannot proxy: the session's token is missing or wrong";
    const status = "407 Proxy Authentication Required";
    const fields: Field[] = [["Proxy-Authenticate", 'Basic realm="debrief"']];
    await reply(client, { status, message, fields, keeps, isHead: request.method === "HEAD" });
    return keeps;
  }
  context.accepted();
  if (valuesOf(request.fields, "host").length > 1) throw new ProtocolError("two Host fields");
  const { target, path } = targetOf(request);
  if (request.method === "CONNECT" && framing.kind !== "none") {
    throw new ProtocolError("a CONNECT with a body");
  }
  // Resolving and dialling have times of their own.
  deadline.within(Infinity);
  const answer = await gate.connect(target);
  if (answer.kind !== "connected") {
    const { message } = answer;
    const isHead = request.method === "HEAD";
    await reply(client, { status: STATUS[answer.kind], message, keeps, isHead });
    return keeps;
  }
  const origin = new EgressStream(answer.conn, deadline);
  context.opened(origin);
  deadline.whileActive(limits.idleMs);
  try {
    if (request.method !== "CONNECT") {
      const goesOn = await forward({
        client,
        origin,
        request,
        framing,
        target,
        path,
        deadline,
      });
      return goesOn && keepsAlive(request);
    }
    await client.write(formatHead("HTTP/1.1 200 Connection established", []));
    await tunnel(client, origin);
    return false;
  } finally {
    origin.close();
  }
}

function keepsAlive({ fields, minor }: RequestHead): boolean {
  const options = [...valuesOf(fields, "connection"), ...valuesOf(fields, "proxy-connection")]
    .join(",").toLowerCase().split(",").map((option) => option.trim());
  return minor === 1 && !options.includes("close");
}

/** Where a request goes, and the path for the origin. @throws {ProtocolError} */
function targetOf({ method, target }: RequestHead): {
  readonly target: EgressTarget;
  readonly path: string;
} {
  if (method === "CONNECT") return { target: authorityOf(target, null), path: "" };
  const match = /^http:\/\/([^/?#\\@]*)([/?][^#]*)?$/i.exec(target);
  if (!match) {
    throw new ProtocolError(
      'the target is no absolute "http:" URL without user and fragment (CONNECT is for the rest)',
    );
  }
  const [, authority = "", rest = ""] = match;
  const path = rest === "" ? method === "OPTIONS" ? "*" : "/" : rest.replace(/^\?/, "/?");
  return { target: authorityOf(authority, 80), path };
}

function authorityOf(authority: string, defaultPort: number | null): EgressTarget {
  const match = /^(\[[^\]]{1,64}\]|[^:@[\]/]{1,255})(?::([0-9]{1,5}))?$/.exec(authority);
  const port = match?.[2] === undefined ? defaultPort : Number(match[2]);
  if (!match?.[1] || port === null || port < 1 || port > 65535) {
    throw new ProtocolError("the target has no usable host and port");
  }
  return { host: match[1], port };
}

async function reply(
  client: EgressStream,
  answer: {
    readonly status: string;
    readonly message: string;
    readonly fields?: readonly Field[];
    readonly keeps?: boolean;
    readonly isHead?: boolean;
  },
): Promise<void> {
  const body = new TextEncoder().encode(`${answer.message}\n`);
  const head = formatHead(`HTTP/1.1 ${answer.status}`, [
    ...(answer.fields ?? []),
    ["Content-Type", "text/plain; charset=utf-8"],
    ["Content-Length", String(body.length)],
    ["Connection", answer.keeps ? "keep-alive" : "close"],
  ]);
  await client.write(answer.isHead ? head : new Uint8Array([...head, ...body]));
}

/** Closing while bytes arrive would reset the connection, and the client lose the answer: so some are read first. */
async function linger(client: EgressStream, deadline: Deadline): Promise<void> {
  await client.closeWrite();
  deadline.within(LINGER_MS);
  for (let left = MAX_DISCARDED; left > 0;) {
    const piece = await client.some();
    if (piece === null) return;
    left -= piece.length;
  }
}
