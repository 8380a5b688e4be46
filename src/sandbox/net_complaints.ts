/** Which host a program complains about not having reached. */
import { parseAddress } from "../policy/ip_address.ts";
import { canonicalHost } from "../policy/net_entry.ts";

const NET_COMPLAINT =
  /could not resolve|couldn't resolve|name resolution|name or service not known|getaddrinfo|eai_again|enotfound|failed to connect|could not connect|connection refused|network is unreachable|(?:connect|listen|bind) eacces|connect: permission denied|socket: permission denied|connecting to .{0,300}permission denied|\/dev\/(?:tcp|udp)\/|could not translate host|unable to resolve|dns error/i;
/** Why a connection failed is not said by these; the names of hosts may be what failed, too, so those come first. */
const CONNECTION = /failed to connect|could not connect|connection refused|network is unreachable/i;
const OTHER_CAUSE = /resol|getaddrinfo|name or service not known|permission denied|eacces/i;
/** What comes before a host in complaints about names and connections. */
const BEFORE = String
  .raw`(?:https?:\/\/(?:[^\s/@]*@)?|\b(?:host ?(?:name|address)?|connect(?:ing)? to|(?:connect|listen|bind) EACCES:?(?: permission denied)?|resolve(?: host ?(?:name|address)?)?|EAI_AGAIN|ENOTFOUND|address):? ['"\u2018]?)`;
/** An address of IPv6 in brackets or before the word that begins its port: elsewhere nobody knows where it ends. */
const HOST6 = new RegExp(
  BEFORE +
    String
      .raw`(?:\[([0-9a-f:.]{2,45})\](?::(\d{1,5}))?|([0-9a-f:.]{2,45})['"\u2019]?,? port (\d{1,5}))`,
  "i",
);
/** `host`, `host:port` or a URL. */
const HOST = new RegExp(
  BEFORE +
    String
      .raw`(?!(?:host|name|address|server)(?![\w.-])|[0-9a-f]{0,4}:[0-9a-f]{0,4}:[0-9a-f:])([a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?)(?::(\d{1,5})|['"\u2019]?,? port (\d{1,5}))?`,
  "i",
);
/** What bash connects to when it is redirected there. */
const BASH_SOCKET = /\/dev\/(?:tcp|udp)\/([^\s/:]{1,253})\/(\d{1,5})/;
const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** The host of a complaint. */
export interface HostInLine {
  readonly host: string;
  /** What the line says, else what its scheme stands for, else 443. */
  readonly port: number;
  /** `host:port`, or the host where the line says nothing of a port. */
  readonly resource: string;
  /** Where it is: a name has to be resolved outside of this machine. */
  readonly kind: "name" | "address" | "loopback";
}

/** True when the shell itself was to make the connection. */
export function isBashSocket(line: string): boolean {
  return BASH_SOCKET.test(line);
}

/** True when a line says only that a connection failed, as it does where nobody listens. */
export function isConnectionOnly(line: string): boolean {
  return CONNECTION.test(line) && !OTHER_CAUSE.test(line);
}

/** Host and port as a line has them. */
function found(line: string): readonly [host: string | undefined, port: string | undefined] {
  const bash = line.match(BASH_SOCKET);
  if (bash) return [bash[1], bash[2]];
  const six = line.match(HOST6);
  const address = six?.[1] ?? six?.[3];
  if (six && address && parseAddress(address)?.bits === 128) {
    return [`[${address}]`, six[2] ?? six[4]];
  }
  const match = line.match(HOST);
  return [match?.[1], match?.[2] ?? match?.[3]];
}

/** The host that could not be reached, null when the line does not complain about one. */
export function hostIn(line: string): HostInLine | null {
  if (!NET_COMPLAINT.test(line)) return null;
  const [host, said] = found(line);
  if (!host) return null;
  const scheme = line.match(/\b(https?:)\/\//)?.[1];
  const port = Number(said ?? PORTS[scheme ?? ""] ?? 443);
  const resource = said || scheme ? `${host}:${port}` : host;
  return { host, port, resource, kind: kindOf(canonicalHost(host)) };
}

function kindOf(host: string | null): HostInLine["kind"] {
  if (host === null) return "address";
  if (host === "localhost" || host === "[::1]" || host.startsWith("127.")) return "loopback";
  return parseAddress(host) === null ? "name" : "address";
}
