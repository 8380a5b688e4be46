/**
 * `bind`, `listen` and `connect` of commands. The socket is taken from the caller, looked at, and acted on with a copy of
 * the address; nothing that the caller does meanwhile can change what was decided on.
 */
import { type Caller, CallError, int, orFail } from "./caller.ts";
import { syscall } from "./linux/ffi.ts";
import type { Answer } from "./linux/notify.ts";
import { AF, ERRNO, IPV6, SO, SOCK } from "./linux/uapi.ts";
import { listenersOn } from "./listening_sockets.ts";
import {
  connectBriefly,
  disconnect,
  isConnecting,
  isNonBlocking,
  ownAddress,
  sendTimeout,
  shutDown,
  socketInode,
  socketOption,
} from "./socket_calls.ts";
import {
  encodeAddress,
  type InternetAddress,
  isLoopback,
  isUnspecified,
  loopbackOf,
  MAX_ADDRESS,
  parseAddress,
  showAddress,
  showHost,
  type SocketAddress,
} from "./socket_address.ts";
import type { SocketRules } from "./socket_rules.ts";
import { setWaiting } from "./supervise_options.ts";
import { bindUnix, connectUnix } from "./supervise_unix.ts";
import type { Supervision } from "./supervision.ts";

/** What the handlers are given. */
export interface SocketContext {
  readonly caller: Caller;
  /** Six registers. */
  readonly args: readonly bigint[];
  readonly rules: SocketRules;
  readonly supervision: Supervision;
}

/** An answer that is not there yet: `attempt` is called when the descriptor can be written to, and from time to time. */
export interface Later {
  /** -1 when there is nothing to wait for but time. */
  readonly fd: number;
  readonly attempt: () => Answer | null;
}

/** An answer now, or later. */
export type Outcome = Answer | Promise<Answer> | Later;

/** A caller's socket with what the kernel says of it. */
interface Socket {
  readonly fd: number;
  readonly domain: number;
  readonly type: number;
}

/** How long a connection that is not to wait may do so, in ms, for a server of the session's whose queue is full. */
const MOST_WITHOUT_WAITING_MS = 1000;

function socketOf(caller: Caller, register: bigint): Socket {
  const fd = caller.descriptor(int(register));
  const [domain, type] = [SO.DOMAIN, SO.TYPE].map((name) => socketOption(fd, SO.SOL_SOCKET, name));
  return { fd, domain: domain!, type: type! };
}

/** A copy of the address, and its bytes as they were given. */
function addressOf(
  caller: Caller,
  args: readonly bigint[],
): { readonly address: SocketAddress; readonly bytes: Uint8Array<ArrayBuffer> } {
  const length = int(args[2] ?? 0n);
  if (length < 0 || length > MAX_ADDRESS) throw new CallError(ERRNO.EINVAL);
  const bytes = caller.memory(args[1] ?? 0n, length);
  const address = parseAddress(bytes);
  if (address === null) throw new CallError(ERRNO.EINVAL);
  return { address, bytes };
}

/** Refuse an address and remember it. */
function refuse({ supervision, caller }: SocketContext, address: InternetAddress): never {
  supervision.refuse({ permission: "net", resource: showAddress(address) }, caller.tid);
  throw new CallError(ERRNO.EACCES);
}

function assertFamily(address: SocketAddress, socket: Socket): asserts address is InternetAddress {
  if (address.kind !== "internet" || address.family !== socket.domain) {
    throw new CallError(ERRNO.EAFNOSUPPORT);
  }
}

/** Both families reach a socket of IPv6 that is not told to keep to its own. */
function isMapped(socket: Socket): boolean {
  return socket.domain === AF.INET6 && socketOption(socket.fd, IPV6.LEVEL, IPV6.V6ONLY) === 0;
}

/** The address that a command gets when it asks for one: on the loopback device, whatever it asked for. */
function narrowed(
  context: SocketContext,
  address: InternetAddress,
  socket: Socket,
): InternetAddress {
  if (context.rules.net === "all") return address;
  if (!context.rules.loopback) refuse(context, address);
  if (isUnspecified(address)) return loopbackOf(address, { mapped: isMapped(socket) });
  return isLoopback(address) ? address : refuse(context, address);
}

function bind(context: SocketContext): Outcome {
  const { caller, args } = context;
  const socket = socketOf(caller, args[0] ?? 0n);
  const { address, bytes } = addressOf(caller, args);
  if (socket.domain === AF.UNIX) return bindUnix(context, { fd: socket.fd, address, bytes });
  if (socket.domain === AF.NETLINK) {
    // Routes only, says the filter; every list of the machine's addresses begins with it.
    caller.assertWaiting();
    return syscall("bind", socket.fd, bytes, bytes.length);
  }
  assertFamily(address, socket);
  const own = encodeAddress(narrowed(context, address, socket));
  caller.assertWaiting();
  return syscall("bind", socket.fd, own, own.length);
}

function listen(context: SocketContext): Outcome {
  const { caller, args, rules, supervision } = context;
  const socket = socketOf(caller, args[0] ?? 0n);
  const backlog = int(args[1] ?? 0n);
  caller.assertWaiting();
  const isInternet = socket.domain === AF.INET || socket.domain === AF.INET6;
  if (isInternet && socket.type === SOCK.STREAM && rules.net !== "all") {
    assertOwnAddress(context, socket);
  }
  if (isInternet && supervision.reservedPorts.has(ownAddress(socket.fd).port)) {
    throw new CallError(ERRNO.EADDRINUSE);
  }
  if (isInternet || socket.domain === AF.UNIX) supervision.listening.add(socketInode(socket.fd));
  return syscall("listen", socket.fd, backlog);
}

/** A socket without an address would get every address of the machine from `listen`: it gets a loopback one before. */
function assertOwnAddress(context: SocketContext, socket: Socket): void {
  let address = ownAddress(socket.fd);
  if (!context.rules.loopback) refuse(context, address);
  if (isUnspecified(address) && address.port === 0) {
    const own = encodeAddress(loopbackOf(address, { mapped: isMapped(socket) }));
    orFail(syscall("bind", socket.fd, own, own.length));
    address = ownAddress(socket.fd);
  }
  if (!isLoopback(address)) refuse(context, address);
  // A socket of the user's that shares its port (SO_REUSEPORT) would lose connections to this one.
  const others = listenersOn(address);
  const { listening } = context.supervision;
  if (others === null || others.some((inode) => !listening.has(inode))) {
    throw new CallError(ERRNO.EADDRINUSE);
  }
}

function connect(context: SocketContext): Outcome {
  const { caller, args, rules } = context;
  const socket = socketOf(caller, args[0] ?? 0n);
  const { address, bytes } = addressOf(caller, args);
  if (socket.domain === AF.UNIX) return connectUnix(context, { fd: socket.fd, address });
  if (address.kind === "unspecified") {
    // Takes a connection apart; it leads nowhere.
    caller.assertWaiting();
    return disconnect(socket.fd);
  }
  if (address.kind !== "internet") throw new CallError(ERRNO.EAFNOSUPPORT);
  if (rules.net === "all" && socket.type === SOCK.DGRAM) {
    caller.assertWaiting();
    return connectBriefly(socket.fd, bytes);
  }
  assertFamily(address, socket);
  const target = isUnspecified(address)
    ? loopbackOf(address, { mapped: address.host.length === 16 && address.host[10] === 0xff })
    : address;
  return connectInternet(context, { socket, target });
}

/** Whether a connection may be made, and must still be found to be the session's own afterwards. */
function decide(context: SocketContext, target: InternetAddress): "allowed" | "own" {
  const { rules, supervision } = context;
  if (rules.net === "all") return "allowed";
  const host = showHost(target);
  const isProxy = supervision.proxyPort === target.port && host === "127.0.0.1";
  if (isProxy || supervision.lists({ host, port: target.port })) return "allowed";
  if (!rules.loopback || !isLoopback(target)) refuse(context, target);
  const listeners = listenersOn(target);
  // As the kernel would answer, also to a program that waits for its server to come up.
  if (listeners?.length === 0) throw new CallError(ERRNO.ECONNREFUSED);
  if (!isOwn(context, listeners)) refuse(context, target);
  return "own";
}

function isOwn({ supervision }: SocketContext, listeners: readonly string[] | null): boolean {
  return listeners !== null && listeners.length > 0 &&
    listeners.every((inode) => supervision.listening.has(inode));
}

function connectInternet(
  context: SocketContext,
  { socket, target }: { readonly socket: Socket; readonly target: InternetAddress },
): Outcome {
  const { caller } = context;
  if (decide(context, target) === "own") return connectOwn(context, socket, target);
  const bytes = encodeAddress(target);
  const waits = !isNonBlocking(socket.fd);
  const until = performance.now() + sendTimeout(socket.fd);
  const attempt = (): Answer | null => {
    const result = connectBriefly(socket.fd, bytes);
    const pending = result === -ERRNO.EINPROGRESS || result === -ERRNO.EALREADY;
    if (!pending || !waits) return result;
    return performance.now() < until ? null : -ERRNO.EINPROGRESS;
  };
  caller.assertWaiting();
  return attempt() ?? { fd: socket.fd, attempt };
}

/**
 * A connection to a server of the session's. Its queue may be full, and the kernel would then ask again for minutes, by
 * which time somebody else may listen there: so no attempt is left to the kernel.
 */
function connectOwn(context: SocketContext, socket: Socket, target: InternetAddress): Outcome {
  const { fd } = socket;
  const bytes = encodeAddress(target);
  const waits = !isNonBlocking(fd);
  const until = performance.now() + (waits ? sendTimeout(fd) : MOST_WITHOUT_WAITING_MS);
  const attempt = (): Answer | null => {
    const result = connectBriefly(fd, bytes);
    const pending = result === -ERRNO.EINPROGRESS || result === -ERRNO.EALREADY;
    if (pending && isConnecting(fd)) {
      disconnect(fd);
      if (performance.now() < until) return null;
      return waits ? -ERRNO.ETIMEDOUT : -ERRNO.ECONNREFUSED;
    }
    if (pending || result === 0) assertStillOwn(context, socket, target);
    return result;
  };
  const again = (): Answer | null => {
    decide(context, target);
    return attempt();
  };
  context.caller.assertWaiting();
  return attempt() ?? { fd: -1, attempt: again };
}

/** The listener may have been closed and its port taken by a stranger since it was looked for. */
function assertStillOwn(context: SocketContext, socket: Socket, target: InternetAddress): void {
  const listeners = listenersOn(target);
  if (listeners?.length === 0 || isOwn(context, listeners)) return;
  shutDown(socket.fd);
  refuse(context, target);
}

const HANDLERS: Readonly<Record<string, (context: SocketContext) => Outcome>> = {
  bind,
  listen,
  connect,
  setsockopt: (context) => {
    const { caller, args } = context;
    return setWaiting(caller, { fd: caller.descriptor(int(args[0] ?? 0n)), args });
  },
};

/**
 * Carry one of these calls out for its caller; without capabilities (`unprivileged`).
 *
 * @throws {CallError} what the caller is to be told, too.
 */
export function superviseSockets(call: string, context: SocketContext): Outcome {
  const handler = HANDLERS[call];
  if (!handler) throw new CallError(ERRNO.EACCES);
  return handler(context);
}
