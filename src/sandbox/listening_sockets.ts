/** Who listens on a port of this machine, by the inode numbers of the sockets: `/proc/net/tcp` and `tcp6` of proc(5). */
import { close, open, read } from "./linux/ffi.ts";
import { AF, OPEN } from "./linux/uapi.ts";
import { diagnoseListening } from "./socket_diagnosis.ts";
import { fourOf, type InternetAddress } from "./socket_address.ts";

/** A socket that listens. */
export interface ListeningSocket {
  /** As the table writes them: bytes of every 32 bit word reversed, in hexadecimal. */
  readonly host: string;
  readonly port: number;
  readonly inode: string;
}

const LISTEN = "0A";
const CHUNK = 16384;
/** Bytes of a table that are read: listening sockets stand first, so this is thousands of them. */
const MAX_BYTES = 1 << 20;
const LINE = /^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ ([0-9A-F]{2}) (?:\S+ +){3}\d+ +\d+ (\d+)/;
const decoder = new TextDecoder();

/**
 * The listening sockets of a table's text; `complete` when a line of another state ended them.
 *
 * @throws {RangeError} when a line is none of such a table.
 */
export function parseListening(
  text: string,
): { readonly sockets: readonly ListeningSocket[]; readonly complete: boolean } {
  const sockets: ListeningSocket[] = [];
  // The last line may have been cut off.
  for (const line of text.split("\n").slice(1, -1)) {
    const [, host = "", port = "", state, inode = ""] = line.match(LINE) ?? [];
    if (state === undefined) throw new RangeError(`Cannot read a table of sockets: "${line}"`);
    if (state !== LISTEN) return { sockets, complete: true };
    sockets.push({ host, port: parseInt(port, 16), inode });
  }
  return { sockets, complete: false };
}

function readTable(path: string): readonly ListeningSocket[] | null {
  const fd = open(path, OPEN.RDONLY);
  if (fd < 0) return null;
  try {
    let text = "";
    const chunk = new Uint8Array(CHUNK);
    while (text.length < MAX_BYTES) {
      const count = read(fd, chunk);
      if (count < 0) return null;
      text += decoder.decode(chunk.subarray(0, count));
      const { sockets, complete } = parseListening(text);
      if (complete || count === 0) return sockets;
    }
    return null;
  } finally {
    close(fd);
  }
}

function inTable(host: Uint8Array): string {
  const reversed = Array.from(host, (_, index) => host[(index & ~3) + 3 - (index & 3)]!);
  return new Uint8Array(reversed).toHex().toUpperCase();
}

/**
 * Inodes of all sockets that a connection to an address could reach, also those that listen on every address.
 *
 * @returns null when the tables cannot be read to the end of what listens.
 */
export function listenersOn(address: InternetAddress): readonly string[] | null {
  const diagnosed = diagnosedOn(address);
  if (diagnosed !== null) return diagnosed;
  const four = fourOf(address);
  const six = address.host.length === 16 ? address.host : mappedOf(address.host);
  const inFour = four ? readTable("/proc/self/net/tcp") : [];
  const inSix = readSix();
  if (inFour === null || inSix === null) return null;
  const anywhere = ["0".repeat(8), "0".repeat(32)];
  const hosts = new Set([...anywhere, inTable(six), ...four ? [inTable(four)] : []]);
  return [...inFour, ...inSix]
    .filter(({ host, port }) => port === address.port && hosts.has(host))
    .map(({ inode }) => inode);
}

/** The same asked directly; null where the kernel does not say, for both families alike. */
function diagnosedOn(address: InternetAddress): readonly string[] | null {
  const four = fourOf(address);
  const inFour = four ? diagnoseListening(AF.INET, address.port) : [];
  const inSix = inFour && diagnoseListening(AF.INET6, address.port);
  if (inFour === null || inSix === null) return null;
  const six = address.host.length === 16 ? address.host : mappedOf(address.host);
  const hosts = new Set(
    [new Uint8Array(4), new Uint8Array(16), six, ...four ? [four] : []].map(String),
  );
  return [...inFour, ...inSix]
    .filter(({ host, port }) => port === address.port && hosts.has(String(host)))
    .map(({ inode }) => inode);
}

function mappedOf(host: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...Array(10).fill(0), 0xff, 0xff, ...host]);
}

/** A machine without IPv6 has no such table. */
function readSix(): readonly ListeningSocket[] | null {
  const path = "/proc/self/net/tcp6";
  const fd = open(path, OPEN.RDONLY);
  if (fd < 0) return [];
  close(fd);
  return readTable(path);
}
