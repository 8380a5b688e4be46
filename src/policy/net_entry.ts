/**
 * Network entries: `host`, `host:port`, `*.domain:port`, an IPv4 address or `[IPv6]:port`, an address range
 * (`10.0.0.0/8:443`, `[fd00::/8]:443`), in one canonical spelling,
 * so that `EXAMPLE.com.`, an internationalised name and its punycode form, or `::ffff:127.0.0.1` and `127.0.0.1`
 * cannot be told apart by a rule.
 */
import { firstOf, formatIpv4, parseRange } from "./ip_address.ts";
import { showValue } from "./show_value.ts";

/** A network entry, taken apart. */
export interface NetPattern {
  /** Canonical name, address or range; IPv6 in brackets; `*.domain` is every name below the domain; `*` is all. */
  readonly host: string;
  /** 1 to 65535, null for every port. */
  readonly port: number | null;
}

const ACCEPTED =
  'accepted are "host", "host:port", "*.domain:port", an IPv4 address, "[IPv6]:port", or a range such as "10.0.0.0/8:443"';

/** Longest domain name and label in characters (RFC 1035, section 2.3.4). */
const MAX_NAME = 253;
const MAX_LABEL = 63;

/** Says what is wrong with a network entry, or null when it can be used. */
export function problemOfNet(entry: string): string | null {
  const result = analyse(entry);
  return typeof result === "string"
    ? `Cannot use the address ${showValue(entry)}: ${result}`
    : null;
}

/** Returns the canonical spelling of an entry that `problemOfNet` found nothing wrong with. */
export function canonicalNet(entry: string): string {
  const result = analyse(entry);
  if (typeof result === "string") {
    throw new TypeError(`Cannot use the address "${entry}": ${result}`);
  }
  return formatNet(result);
}

/** Joins host and port again. */
export function formatNet(pattern: NetPattern): string {
  return pattern.port === null ? pattern.host : `${pattern.host}:${pattern.port}`;
}

/** Takes a canonical entry (or `*`) apart. */
export function parseNet(canonical: string): NetPattern {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(canonical);
  return { host: match?.[1] ?? canonical, port: match?.[2] ? Number(match[2]) : null };
}

/**
 * Returns a host in canonical spelling, or null when it is none: lower case, punycode, no trailing dot, IPv4 in four decimal
 * parts (so `127.1`, `0x7f.1` and `2130706433` are all `127.0.0.1`), IPv6 compressed and in brackets,
 * IPv4-mapped IPv6 as the IPv4 address that it reaches.
 */
export function canonicalHost(host: string): string | null {
  const address = /^\[(.*)\]$/s.exec(host)?.[1] ?? (host.includes(":") ? host : null);
  if (address !== null) return canonicalIpv6(address);
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  // What a URL would take as a delimiter, decode or silently drop never reaches the URL parser.
  if (name.length > MAX_NAME || !/^[\p{L}\p{M}\p{N}._-]+$/u.test(name)) return null;
  const canonical = hostnameOf(name);
  if (canonical === null || canonical.length > MAX_NAME) return null;
  const valid = canonical.split(".").every((label) =>
    label.length > 0 && label.length <= MAX_LABEL
  );
  return valid ? canonical : null;
}

function canonicalIpv6(address: string): string | null {
  if (!/^[0-9A-Fa-f:.]+$/.test(address)) return null;
  const host = hostnameOf(`[${address}]`);
  const mapped = host === null ? null : /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(host);
  if (!mapped) return host;
  const [high, low] = [parseInt(mapped[1] ?? "", 16), parseInt(mapped[2] ?? "", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function hostnameOf(authority: string): string | null {
  const url = `http://${authority}/`;
  return URL.canParse(url) ? new URL(url).hostname : null;
}

function analyse(entry: string): NetPattern | string {
  if (entry === "*") return 'write "net": true to allow or deny every address';
  const match = /^(\[[^\]]*\]|[^:]*)(?::([^:]*))?$/.exec(entry);
  if (entry.includes("/") && (!match || !/^\[?[^[\]/]*\/\d{1,3}\]?$/.test(match[1] ?? ""))) {
    return `schemes and paths are not supported; ${ACCEPTED}`;
  }
  if (!match) {
    return entry.includes("]")
      ? ACCEPTED
      : 'write an IPv6 address in brackets, for example "[::1]:8080"';
  }
  const port = parsePort(match[2]);
  if (typeof port === "string") return port;
  const written = match[1] ?? "";
  if (written.includes("/")) return analyseRange(written, port);
  const wildcard = written.startsWith("*.");
  const host = canonicalHost(wildcard ? written.slice(2) : written);
  if (host === null) return ACCEPTED;
  const isAddress = host.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(host);
  if (isAddress && wildcard) return "a wildcard can stand before a domain name only";
  if (isAddress && !written.startsWith("[") && host !== written) {
    return `write this address as "${host}"`;
  }
  return { host: wildcard ? `*.${host}` : host, port };
}

/** A range whose address is not its lowest one is a mistake more often than not: nobody can tell which was meant. */
function analyseRange(written: string, port: number | null): NetPattern | string {
  const [address = "", prefix = ""] = written.replace(/^\[(.*)\]$/, "$1").split("/");
  const inBrackets = written.startsWith("[");
  const canonical = canonicalHost(inBrackets ? `[${address}]` : address);
  if (canonical === null) return ACCEPTED;
  const bare = canonical.replace(/^\[(.*)\]$/, "$1");
  const isIpv6 = bare !== canonical;
  const host = isIpv6 ? `[${bare}/${Number(prefix)}]` : `${bare}/${Number(prefix)}`;
  const range = parseRange(host);
  if (range === null) {
    return parseRange(canonical) === null
      ? "a range needs an address before its prefix length"
      : `"/${prefix}" is no prefix length from 0 to ${isIpv6 ? 128 : 32}`;
  }
  const first = firstOf(range);
  if (first !== range.value) {
    const lowest = isIpv6 ? canonicalHost(`[${ipv6Text(first)}]`) : formatIpv4(first);
    const text = isIpv6 ? lowest?.replace("]", `/${range.prefix}]`) : `${lowest}/${range.prefix}`;
    return `write this range as "${text}"`;
  }
  return inBrackets !== isIpv6 || (!isIpv6 && address !== bare)
    ? `write this range as "${host}"`
    : { host, port };
}

function ipv6Text(value: bigint): string {
  return (value.toString(16).padStart(32, "0").match(/.{4}/g) ?? []).join(":");
}

function parsePort(text: string | undefined): number | null | string {
  if (text === undefined) return null;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65535 ? port : `"${text}" is no port from 1 to 65535`;
}
