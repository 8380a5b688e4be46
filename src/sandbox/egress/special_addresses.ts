/**
 * Addresses that lead somewhere else than to a public host: to this machine, its network, its cloud's metadata service.
 * A public name can resolve to any of them, so the proxy dials one only where the policy lists the address itself.
 */
import {
  coversRange,
  embeddedIpv4,
  type IpAddress,
  parseAddress,
  parseRange,
} from "../../policy/ip_address.ts";

/**
 * The blocks that are not globally reachable in the IANA special-purpose registries (RFC 6890, as of 2025), multicast,
 * what is reserved, and one public address that is none. The first entry that covers an address names it.
 */
const SPECIAL = ([
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private use"],
  ["100.64.0.0/10", "carrier-grade NAT"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local, where clouds serve metadata"],
  ["172.16.0.0/12", "private use"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private use"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  // Not in a registry: the host agent of Azure, with credentials, under a public address.
  ["168.63.129.16", "a cloud's host agent"],
  ["[::]", "unspecified"],
  ["[::1]", "loopback"],
  ["[64:ff9b:1::/48]", "local translation"],
  ["[100::/64]", "discard only"],
  ["[2001::/23]", "protocol assignments"],
  ["[2001:db8::/32]", "documentation"],
  ["[2002::/16]", "6to4"],
  ["[3fff::/20]", "documentation"],
  ["[fc00::/7]", "private use"],
  ["[fe80::/10]", "link-local"],
  ["[fec0::/10]", "site-local"],
  ["[ff00::/8]", "multicast"],
] as const).map(([text, purpose]) => ({ range: parsed(text), purpose }));

/** All that is delegated for hosts of the Internet (IANA IPv6 address space registry); the rest is none of it. */
const GLOBAL_UNICAST = parsed("[2000::/3]");

/** NAT64 (RFC 6052): on a network without IPv4 every public IPv4 host has such an address. */
const NAT64 = parsed("[64:ff9b::/96]");

function parsed(text: string) {
  const range = parseRange(text);
  if (range === null) throw new TypeError(`Cannot use the range "${text}": it is none`);
  return range;
}

/** Says in a few words what an address is for where that is not a public host; null for an ordinary one. */
export function specialPurpose(address: IpAddress): string | null {
  const single = { ...address, prefix: address.bits };
  if (coversRange(NAT64, single)) {
    const behind = parseAddress(embeddedIpv4(address) ?? "");
    return behind === null ? "translation" : specialPurpose(behind);
  }
  const found = SPECIAL.find(({ range }) => coversRange(range, single));
  if (found) return found.purpose;
  const isPublic = address.bits === 32 || coversRange(GLOBAL_UNICAST, single);
  return isPublic ? null : "reserved";
}
