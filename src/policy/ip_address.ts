/** IP addresses and ranges as numbers, so that "is this one in there" is a comparison of bits and not of text. */

/** An address: its width tells IPv4 from IPv6. */
export interface IpAddress {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** All addresses that begin with the same `prefix` bits (RFC 4632, section 3.1). */
export interface IpRange extends IpAddress {
  readonly prefix: number;
}

/**
 * The first 96 bits before an embedded IPv4 address: IPv4-compatible (RFC 4291, 2.5.5.1), IPv4-mapped, IPv4-translated
 * (RFC 2765) and the well-known prefix of NAT64 (RFC 6052).
 */
const EMBEDDING = [0n, 0xffffn, 0xffff0000n, 0x64ff9bn << 64n];

/** 2002::/16 (RFC 3056): the IPv4 address follows the prefix. */
const SIX_TO_FOUR = 0x2002n;

/** Takes a canonical host (`1.2.3.4`, `[::1]`) apart; null when it is a name. Brackets may be left out. */
export function parseAddress(host: string): IpAddress | null {
  const text = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) {
    const parts = text.split(".").map(Number);
    return parts.every((part) => part <= 255) ? { bits: 32, value: join(parts, 8n) } : null;
  }
  return text.includes(":") ? parseIpv6(text) : null;
}

/** Takes an address or a range in CIDR notation (`10.0.0.0/8`, `[fd00::/8]`) apart; null when it is neither. */
export function parseRange(host: string): IpRange | null {
  const text = host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
  const match = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text);
  const address = parseAddress(match?.[1] ?? "");
  if (address === null) return null;
  const prefix = match?.[2] === undefined ? address.bits : Number(match[2]);
  return prefix > address.bits ? null : { ...address, prefix };
}

/** True when every address of the narrow range lies in the wide one. */
export function coversRange(wide: IpRange, narrow: IpRange): boolean {
  if (wide.bits !== narrow.bits || wide.prefix > narrow.prefix) return false;
  return firstOf(wide) === firstOf({ ...narrow, prefix: wide.prefix });
}

/** The lowest address of a range, as a number. */
export function firstOf({ bits, value, prefix }: IpRange): bigint {
  const shift = BigInt(bits - prefix);
  return (value >> shift) << shift;
}

/** Writes an IPv4 address down from its number. */
export function formatIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join(".");
}

/**
 * The IPv4 address that a translator or relay behind an IPv6 address passes packets on to, as text; null without one. IPv4-mapped
 * addresses never get here: `canonicalHost` writes them as IPv4.
 */
export function embeddedIpv4({ bits, value }: IpAddress): string | null {
  if (bits === 32) return null;
  if (EMBEDDING.some((prefix) => value >> 32n === prefix)) return formatIpv4(value & 0xffffffffn);
  return value >> 112n === SIX_TO_FOUR ? formatIpv4((value >> 80n) & 0xffffffffn) : null;
}

/** Both halves around `::`, in groups of 16 bits; the last group may be written as an IPv4 address (RFC 4291, 2.2). */
function parseIpv6(text: string): IpAddress | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [left, right] = halves.map((half, at) => groupsOf(half, at === halves.length - 1));
  if (left === undefined || left === null || right === null) return null;
  const missing = 8 - left.length - (right?.length ?? 0);
  if (right === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...left, ...Array<number>(missing).fill(0), ...(right ?? [])];
  return { bits: 128, value: join(groups, 16n) };
}

function groupsOf(half: string, isLast: boolean): readonly number[] | null {
  if (half === "") return [];
  const groups: number[] = [];
  const parts = half.split(":");
  for (const [index, part] of parts.entries()) {
    const mayEmbed = isLast && index === parts.length - 1 && part.includes(".");
    const embedded = mayEmbed ? parseAddress(part) : null;
    if (embedded) groups.push(Number(embedded.value >> 16n), Number(embedded.value & 0xffffn));
    else if (/^[0-9A-Fa-f]{1,4}$/.test(part)) groups.push(parseInt(part, 16));
    else return null;
  }
  return groups;
}

function join(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | BigInt(part), 0n);
}
