/**
 * The sockets that listen on a port, asked of the kernel itself: `sock_diag(7)`. The tables of proc(5) say the same, but
 * to write one the kernel walks all its sockets, which takes it milliseconds on a machine with much memory.
 */
import { close, type Result, syscall } from "./linux/ffi.ts";
import { AF, INET_DIAG, IPPROTO_TCP, NETLINK, OPEN, SOCK } from "./linux/uapi.ts";

/** A socket that listens. */
export interface ListeningSocket {
  /** 4 or 16 bytes. */
  readonly host: Uint8Array;
  readonly port: number;
  readonly inode: string;
}

/** What a part of the kernel's answer says. */
export interface DiagnosisPart {
  readonly sockets: readonly ListeningSocket[];
  readonly state: "more" | "done" | "failed";
}

/** `1 << TCP_LISTEN`, `linux/tcp_states.h`. */
const LISTENING = 1 << 10;
/** As large as the kernel makes a part of its answer (`NLMSG_GOODSIZE` and more), `af_netlink.c`. */
const PART_BYTES = 32 * 1024;
/** Parts that are read: hundreds of sockets each. */
const MAX_PARTS = 256;
/** `struct nlmsghdr` and `struct inet_diag_req_v2`, `linux/netlink.h` and `linux/inet_diag.h`. */
const [HEADER_BYTES, REQUEST_BYTES] = [16, 56];
/** `struct inet_diag_msg`. */
const MESSAGE_BYTES = 72;

function request(family: number, port: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + REQUEST_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, INET_DIAG.BY_FAMILY, true);
  view.setUint16(6, NETLINK.REQUEST | NETLINK.DUMP, true);
  view.setUint8(HEADER_BYTES, family);
  view.setUint8(HEADER_BYTES + 1, IPPROTO_TCP);
  view.setUint32(HEADER_BYTES + 4, LISTENING, true);
  // idiag_sport: whoever listens on thousands of ports must not make every other look long (inet_diag_dump_icsk).
  view.setUint16(HEADER_BYTES + 8, port, false);
  return bytes;
}

/** Read a part of the answer. What is not as it must be makes it `failed`. */
export function parseDiagnosis(bytes: Uint8Array<ArrayBuffer>): DiagnosisPart {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sockets: ListeningSocket[] = [];
  for (let at = 0; at < bytes.length;) {
    const rest = bytes.length - at;
    const length = rest < HEADER_BYTES ? 0 : view.getUint32(at, true);
    if (length < HEADER_BYTES || length > rest) return { sockets, state: "failed" };
    const kind = view.getUint16(at + 4, true);
    const interrupted = (view.getUint16(at + 6, true) & NETLINK.DUMP_INTERRUPTED) !== 0;
    if (interrupted) return { sockets, state: "failed" };
    if (kind === NETLINK.DONE) {
      const failed = length >= HEADER_BYTES + 4 && view.getInt32(at + HEADER_BYTES, true) < 0;
      return { sockets, state: failed ? "failed" : "done" };
    }
    if (kind !== INET_DIAG.BY_FAMILY || length < HEADER_BYTES + MESSAGE_BYTES) {
      return { sockets, state: "failed" };
    }
    const body = at + HEADER_BYTES;
    const size = bytes[body] === AF.INET ? 4 : 16;
    sockets.push({
      // idiag_family, _state, _timer, _retrans; then struct inet_diag_sockid { sport, dport, src[4], … }.
      host: bytes.slice(body + 8, body + 8 + size),
      port: view.getUint16(body + 4, false),
      inode: String(view.getUint32(body + MESSAGE_BYTES - 4, true)),
    });
    at += (length + 3) & ~3;
  }
  return { sockets, state: "more" };
}

/**
 * The listening TCP sockets of a family on a port.
 *
 * @returns null where the kernel does not say (no such module, or a jail that has no such sockets).
 */
export function diagnoseListening(family: number, port: number): readonly ListeningSocket[] | null {
  const kind = SOCK.RAW | OPEN.CLOEXEC;
  const fd: Result = syscall("socket", AF.NETLINK, kind, NETLINK.SOCK_DIAG);
  if (fd < 0) return null;
  try {
    const asked = request(family, port);
    if (syscall("sendto", fd, asked, asked.length, 0, 0, 0) < 0) return null;
    const buffer = new Uint8Array(PART_BYTES);
    const found: ListeningSocket[] = [];
    for (let part = 0; part < MAX_PARTS; part++) {
      // The kernel writes the first part before `sendto` returns, and each further one when one was taken.
      const count = syscall("recvfrom", fd, buffer, buffer.length, NETLINK.DONT_WAIT, 0, 0);
      if (count <= 0) return null;
      const { sockets, state } = parseDiagnosis(buffer.subarray(0, count));
      found.push(...sockets);
      if (state !== "more") return state === "done" ? found : null;
    }
    return null;
  } finally {
    close(fd);
  }
}
