/** What the supervisor needs to know of, and do with, a socket that it holds a descriptor of. */
import { CallError, orFail } from "./caller.ts";
import { type Result, syscall } from "./linux/ffi.ts";
import { readLink } from "./linux/files.ts";
import { ERRNO, F_GETFL, OPEN, POLL, SO, TCP } from "./linux/uapi.ts";
import { type InternetAddress, MAX_ADDRESS, parseAddress } from "./socket_address.ts";

/** An `int` option. @throws {CallError} ENOTSOCK for anything but a socket. */
export function socketOption(fd: number, level: number, name: number): number {
  const value = new Int32Array(1);
  orFail(syscall("getsockopt", fd, level, name, value, new Uint32Array([4])));
  return value[0]!;
}

/** The inode number of a socket: what `/proc/net` knows it by. @throws {CallError} */
export function socketInode(fd: number): string {
  const inode = readLink(`/proc/self/fd/${fd}`)?.match(/^socket:\[(\d+)\]$/)?.[1];
  if (inode === undefined) throw new CallError(ERRNO.ENOTSOCK);
  return inode;
}

/** The own address of an internet socket. @throws {CallError} for any other. */
export function ownAddress(fd: number): InternetAddress {
  const bytes = new Uint8Array(MAX_ADDRESS);
  const length = new Uint32Array([bytes.length]);
  orFail(syscall("getsockname", fd, bytes, length));
  const address = parseAddress(bytes.subarray(0, length[0]));
  if (address?.kind !== "internet") throw new CallError(ERRNO.EAFNOSUPPORT);
  return address;
}

/** Process id of the peer of a connected unix socket: that of whoever made the peer listen. @throws {CallError} */
export function peerProcess(fd: number): number {
  // struct ucred { pid, uid, gid }, linux/socket.h.
  const credentials = new Int32Array(3);
  orFail(
    syscall("getsockopt", fd, SO.SOL_SOCKET, SO.PEERCRED, credentials, new Uint32Array([12])),
  );
  return credentials[0]!;
}

/** True when calls on a descriptor are not to wait. */
export function isNonBlocking(fd: number): boolean {
  return (orFail(syscall("fcntl", fd, F_GETFL)) & OPEN.NONBLOCK) !== 0;
}

/** `struct timeval` of one microsecond; zeros would mean "for ever". */
const SHORTEST = new BigInt64Array([0n, 1n]);

/**
 * `connect(2)` that waits for a tick of the kernel's clock at most, also where the socket is a blocking one. Its flags
 * are shared with the caller, who could change them at any time: so it is the time limit that is set, not a flag. That
 * limit only the supervisor sets (supervise_options.ts).
 */
export function connectBriefly(fd: number, address: Uint8Array<ArrayBuffer>): Result {
  const own = new BigInt64Array(2);
  const length = new Uint32Array([16]);
  orFail(syscall("getsockopt", fd, SO.SOL_SOCKET, SO.SNDTIMEO, own, length));
  orFail(syscall("setsockopt", fd, SO.SOL_SOCKET, SO.SNDTIMEO, SHORTEST, 16));
  const result = syscall("connect", fd, address, address.length);
  syscall("setsockopt", fd, SO.SOL_SOCKET, SO.SNDTIMEO, own, 16);
  return result;
}

/** The limit that a caller has set for connecting, in ms; Infinity for none. @throws {CallError} */
export function sendTimeout(fd: number): number {
  const time = new BigInt64Array(2);
  const length = new Uint32Array([16]);
  orFail(syscall("getsockopt", fd, SO.SOL_SOCKET, SO.SNDTIMEO, time, length));
  const ms = Number(time[0]! * 1000n + time[1]! / 1000n);
  return ms === 0 ? Infinity : ms;
}

/** Take a connection apart, also one that is not there yet. */
export function disconnect(fd: number): Result {
  return connectBriefly(fd, new Uint8Array(16));
}

/** Time for the kernel to carry a connection through on this machine, in ns; mostly it has done so before. */
const HANDSHAKE_NS = 2_000_000n;

/** True while a TCP socket asks its peer and has no answer. */
export function isConnecting(fd: number): boolean {
  // struct pollfd { int fd; short events; short revents }, and struct timespec.
  syscall("ppoll", new Int32Array([fd, POLL.OUT]), 1, new BigInt64Array([0n, HANDSHAKE_NS]), 0, 0);
  // The first byte of struct tcp_info is the state.
  const state = new Uint8Array(1);
  orFail(syscall("getsockopt", fd, TCP.LEVEL, TCP.INFO, state, new Uint32Array([1])));
  return state[0] === TCP.SYN_SENT || state[0] === TCP.SYN_RECV;
}

/** End a connection at once; the descriptor stays. */
export function shutDown(fd: number): void {
  syscall("shutdown", fd, 2);
}
