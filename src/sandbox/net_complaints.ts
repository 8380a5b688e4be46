/** Which host a program complains about not having reached. */
import { parseAddress } from "../policy/ip_address.ts";
import { canonicalHost } from "../policy/net_entry.ts";

const NET_COMPLAINT =
  /could not resolve|couldn't resolve|name resolution|name or service not known|getaddrinfo|eai_again|enotfound|failed to connect|could not connect|connection refused|network is unreachable|(?:connect|listen|bind) eacces|connect: permission denied|socket: permission denied|connecting to .{0,300}permission denied|\/dev\/(?:tcp|udp)\/|could not translate host|unable to resolve|dns error/i;
/** `host`, `host:port` or a URL, after the words that come before it in complaints about names and connections. */
const HOST =
  /(?:https?:\/\/(?:[^\s/@]*@)?|\b(?:host ?(?:name|address)?|connect(?:ing)? to|(?:connect|listen|bind) EACCES:?(?: permission denied)?|resolve(?: host ?(?:name|address)?)?|EAI_AGAIN|ENOTFOUND|address):? ['"\u2018]?)(?!host\b|name\b|address\b)([A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?)(?::(\d{1,5})|['"\u2019]?,? port (\d{1,5}))?/i;
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
  /** True for what has to be resolved outside of this machine. */
  readonly isName: boolean;
}

/** True when the shell itself was to make the connection. */
export function isBashSocket(line: string): boolean {
  return BASH_SOCKET.test(line);
}

/** The host that could not be reached, null when the line does not complain about one. */
export function hostIn(line: string): HostInLine | null {
  if (!NET_COMPLAINT.test(line)) return null;
  const match = line.match(BASH_SOCKET) ?? line.match(HOST);
  const host = match?.[1];
  if (!match || !host) return null;
  const scheme = line.match(/\b(https?:)\/\//)?.[1];
  const port = Number(match[2] ?? match[3] ?? PORTS[scheme ?? ""] ?? 443);
  const canonical = canonicalHost(host);
  const isName = canonical !== null && canonical !== "localhost" &&
    parseAddress(canonical) === null;
  const resource = match[2] || match[3] || scheme ? `${host}:${port}` : host;
  return { host, port, resource, isName };
}
