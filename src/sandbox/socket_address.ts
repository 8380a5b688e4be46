/** Socket addresses as a system call carries them: `struct sockaddr` of `linux/in.h`, `linux/in6.h`, `linux/un.h`. */
import { AF } from "./linux/uapi.ts";

/** An address of the internet families. */
export interface InternetAddress {
  readonly kind: "internet";
  readonly family: typeof AF.INET | typeof AF.INET6;
  /** 4 or 16 bytes. */
  readonly host: Uint8Array<ArrayBuffer>;
  readonly port: number;
  /** Flow label and scope id of IPv6, as in memory. */
  readonly flow: number;
  readonly scope: number;
}

/** What an address names. */
export type SocketAddress =
  | InternetAddress
  | { readonly kind: "path"; readonly path: Uint8Array<ArrayBuffer> }
  /** A name in the abstract space, or the request for one. */
  | { readonly kind: "abstract"; readonly name: string }
  | { readonly kind: "unspecified" }
  | { readonly kind: "other"; readonly family: number };

/** `sizeof(struct sockaddr_storage)`, the longest that the kernel takes. */
export const MAX_ADDRESS = 128;
const SIN_BYTES = 16;
/** `sizeof(struct sockaddr_in6)`; its last field, the scope, may be missing. */
const SIN6_BYTES = 28;
const SIN6_LEAST = 24;
const SUN_BYTES = 110;
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
const latin = new TextDecoder("latin1");

/** Take an address apart; null when it is too short or too long for its family. */
export function parseAddress(bytes: Uint8Array<ArrayBuffer>): SocketAddress | null {
  if (bytes.length < 2 || bytes.length > MAX_ADDRESS) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const family = view.getUint16(0, true);
  if (family === AF.UNSPEC) return { kind: "unspecified" };
  if (family === AF.UNIX) return unixAddress(bytes);
  if (family !== AF.INET && family !== AF.INET6) return { kind: "other", family };
  const six = family === AF.INET6;
  if (bytes.length < (six ? SIN6_LEAST : SIN_BYTES)) return null;
  return {
    kind: "internet",
    family,
    host: six ? bytes.slice(8, 24) : bytes.slice(4, 8),
    port: view.getUint16(2, false),
    flow: six ? view.getUint32(4, true) : 0,
    scope: six && bytes.length >= SIN6_BYTES ? view.getUint32(24, true) : 0,
  };
}

function unixAddress(bytes: Uint8Array<ArrayBuffer>): SocketAddress | null {
  if (bytes.length > SUN_BYTES) return null;
  const name = bytes.subarray(2);
  if (name.length === 0 || name[0] === 0) {
    return { kind: "abstract", name: latin.decode(name.subarray(1)) };
  }
  const end = name.indexOf(0);
  return { kind: "path", path: name.slice(0, end < 0 ? name.length : end) };
}

/** An internet address as the kernel takes it. */
export function encodeAddress(address: InternetAddress): Uint8Array<ArrayBuffer> {
  const six = address.family === AF.INET6;
  const bytes = new Uint8Array(six ? SIN6_BYTES : SIN_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, address.family, true);
  view.setUint16(2, address.port, false);
  bytes.set(address.host, six ? 8 : 4);
  if (six) view.setUint32(4, address.flow, true);
  if (six) view.setUint32(24, address.scope, true);
  return bytes;
}

/** The IPv4 address that an address is, also one mapped into IPv6; null for any other. */
export function fourOf({ host }: InternetAddress): Uint8Array | null {
  if (host.length === 4) return host;
  return MAPPED.every((byte, index) => host[index] === byte) ? host.subarray(12) : null;
}

/** True when packets to an address never leave the machine's loopback device. */
export function isLoopback(address: InternetAddress): boolean {
  const four = fourOf(address);
  if (four) return four[0] === 127;
  return address.host.every((byte, index) => byte === (index === 15 ? 1 : 0));
}

/** True for `0.0.0.0` and `::`. */
export function isUnspecified(address: InternetAddress): boolean {
  return (fourOf(address) ?? address.host).every((byte) => byte === 0);
}

/** The loopback address of the same family; `mapped` gives IPv4's in IPv6, which clients of both families reach. */
export function loopbackOf(
  address: InternetAddress,
  options: { readonly mapped: boolean },
): InternetAddress {
  const four = [127, 0, 0, 1];
  const host = address.family === AF.INET
    ? four
    : options.mapped
    ? [...MAPPED, ...four]
    : [...Array(15).fill(0), 1];
  return { ...address, host: new Uint8Array(host), flow: 0, scope: 0 };
}

/** `host:port` for messages. */
export function showAddress(address: InternetAddress): string {
  return `${showHost(address)}:${address.port}`;
}

/** The address without its port, IPv6 in brackets. */
export function showHost(address: InternetAddress): string {
  const four = fourOf(address);
  if (four) return four.join(".");
  const words = Array.from(
    { length: 8 },
    (_, index) => (address.host[2 * index]! << 8 | address.host[2 * index + 1]!).toString(16),
  );
  return new URL(`http://[${words.join(":")}]/`).hostname;
}
