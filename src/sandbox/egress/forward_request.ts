/** One request to its origin and the response back. */
import type { EgressTarget } from "./decide_egress.ts";
import { type Deadline, type EgressStream, ProtocolError } from "./egress_stream.ts";
import { copyBody } from "./http_body.ts";
import {
  endToEnd,
  type Field,
  formatHead,
  type Framing,
  MAX_HEAD,
  parseResponseHead,
  type RequestHead,
  responseFraming,
  type ResponseHead,
} from "./http_head.ts";
import { canonicalHost } from "../../policy/net_entry.ts";

/** Interim responses (1xx) that are passed on. */
const MAX_INTERIM = 16;

/** A request on its way. */
export interface Forwarding {
  readonly client: EgressStream;
  /** Connected to what was checked, for this request only. */
  readonly origin: EgressStream;
  readonly request: RequestHead;
  readonly framing: Framing;
  readonly target: EgressTarget;
  /** The request target in origin form. */
  readonly path: string;
  readonly deadline: Deadline;
}

/** How long a client may go on to send a body that its origin has answered without, in ms. */
const UNWANTED_BODY_MS = 2000;

/** Forward a request; true when the client's connection can take another one afterwards. */
export async function forward(forwarding: Forwarding): Promise<boolean> {
  const { client, origin, request, framing, path } = forwarding;
  const fields: Field[] = [
    ["Host", hostField(forwarding.target)],
    ...endToEnd(request.fields, ["host", "content-length"]),
    ...framingFields(framing),
    ["Connection", "close"],
  ];
  await origin.write(formatHead(`${request.method} ${path} HTTP/1.${request.minor}`, fields));
  // Both at once: an origin may answer before it has the whole body, or never read it.
  let sent = false;
  const sending = copyBody(client, origin, { framing, plain: false }).then(() => {
    sent = true;
  }).catch((error) => {
    // A body that is malformed must not become a request that looks complete.
    if (error instanceof ProtocolError) origin.close();
  });
  const complete = await passResponse(forwarding);
  if (sent) return complete;
  origin.close();
  await client.closeWrite();
  forwarding.deadline.within(UNWANTED_BODY_MS);
  await sending;
  return false;
}

/** The response; true when its end was told to the client by other means than closing. */
async function passResponse({ client, origin, request }: Forwarding): Promise<boolean> {
  let head = await readResponse(origin);
  for (let count = 0; head.status < 200; head = await readResponse(origin)) {
    if (head.status === 101 || ++count > MAX_INTERIM) return await badOrigin(client);
    if (request.minor === 1) await client.write(responseHead(head, []));
  }
  const framing = framingOf(head, request.method);
  if (framing === null) return await badOrigin(client);
  const plain = request.minor === 0;
  const closes = framing.kind === "until-close" || plain;
  await client.write(responseHead(head, [
    ...(plain && framing.kind === "chunked" ? [] : framingFields(framing)),
    ...(framing.kind === "none" ? lengthOf(head) : []),
    ["Connection", closes ? "close" : "keep-alive"],
  ]));
  // From here on an error closes the connection, which is how the client learns of it.
  await asBroken(copyBody(origin, client, { framing, plain }));
  return !closes;
}

/** A response head, or one that stands for an origin that sends none. */
async function readResponse(origin: EgressStream): Promise<ResponseHead> {
  try {
    return parseResponseHead(await origin.through("\r\n\r\n", MAX_HEAD));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return BAD_ORIGIN;
  }
}

function framingOf(head: ResponseHead, method: string): Framing | null {
  try {
    return responseFraming(head, method);
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}

const BAD_ORIGIN: ResponseHead = {
  status: 502,
  reason: "Bad Gateway",
  minor: 1,
  fields: [["Content-Length", "0"]],
};

async function badOrigin(client: EgressStream): Promise<boolean> {
  await client.write(responseHead(BAD_ORIGIN, [["Content-Length", "0"], ["Connection", "close"]]));
  return false;
}

/** A malformed body is the origin's fault: no answer of the proxy's may follow what was sent of it. */
async function asBroken(copying: Promise<void>): Promise<void> {
  await copying.catch((error) => {
    throw new Error("the origin broke off", { cause: error });
  });
}

function responseHead(head: ResponseHead, fields: readonly Field[]): Uint8Array {
  const kept = endToEnd(head.fields, ["content-length"]);
  return formatHead(`HTTP/1.1 ${head.status} ${head.reason}`, [...kept, ...fields]);
}

function framingFields(framing: Framing): Field[] {
  if (framing.kind === "chunked") return [["Transfer-Encoding", "chunked"]];
  return framing.kind === "length" ? [["Content-Length", String(framing.bytes)]] : [];
}

/** To HEAD, and with 304, the length is what a GET would have. */
function lengthOf({ fields, status }: ResponseHead): Field[] {
  if (status === 204) return [];
  return fields.filter(([name, value]) =>
    name.toLowerCase() === "content-length" && /^[0-9]{1,15}$/.test(value)
  ).slice(0, 1);
}

function hostField({ host, port }: EgressTarget): string {
  const name = canonicalHost(host) ?? host;
  return port === 80 ? name : `${name}:${port}`;
}
