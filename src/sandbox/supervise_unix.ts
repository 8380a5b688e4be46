/**
 * Unix sockets of commands. Names are made by the jail's thread, inside the commands' own domain; connections lead to
 * sockets that the policy lists, or to those that a process of the session listens on.
 */
import { type Caller, CallError } from "./caller.ts";
import { descriptorStatus, readLink } from "./linux/files.ts";
import { type Answer, descriptorPath } from "./linux/notify.ts";
import { AF, AT_FDCWD, ERRNO } from "./linux/uapi.ts";
import type { PathGrant } from "./restrict.ts";
import {
  connectBriefly,
  isNonBlocking,
  peerProcess,
  sendTimeout,
  shutDown,
} from "./socket_calls.ts";
import type { SocketAddress } from "./socket_address.ts";
import { isWritable } from "./supervise_metadata.ts";
import type { Supervision } from "./supervision.ts";
import { listenersAt } from "./unix_listeners.ts";

/** What the handlers are given. */
export interface UnixContext {
  readonly caller: Caller;
  readonly rules: { readonly grants: readonly PathGrant[]; readonly sockets: readonly string[] };
  readonly supervision: Supervision;
}

const decoder = new TextDecoder();

function refuse({ supervision, caller }: UnixContext, name: string): never {
  supervision.refuse({ permission: "net", resource: `unix:${name}` }, caller.tid);
  throw new CallError(ERRNO.EACCES);
}

/** Landlock's scope of abstract names is that of whoever connects, and that is not the command: so there are none. */
function pathOf(context: UnixContext, address: SocketAddress): Uint8Array<ArrayBuffer> {
  if (address.kind === "abstract") return refuse(context, `@${address.name}`);
  if (address.kind !== "path") throw new CallError(ERRNO.EINVAL);
  return address.path;
}

/** Bind a socket to a path. */
export function bindUnix(
  context: UnixContext,
  socket: {
    readonly fd: number;
    readonly address: SocketAddress;
    readonly bytes: Uint8Array<ArrayBuffer>;
  },
): Promise<Answer> {
  const { caller, supervision } = context;
  const path = decoder.decode(pathOf(context, socket.address));
  const order = {
    fd: socket.fd,
    address: socket.bytes,
    cwd: caller.workingDirectory(),
    umask: caller.umask(),
  };
  const at = readLink(`/proc/self/fd/${order.cwd}`) ?? "";
  return supervision.bindInJail(order).then((result) => {
    if (result === -ERRNO.EACCES) {
      const resource = path.startsWith("/") ? path : `${at}/${path}`;
      if (!isWritable(context.rules.grants, resource)) {
        supervision.refuse({ permission: "write", resource }, caller.tid);
      }
    }
    return result;
  });
}

/**
 * Fail unless the session listens at a file. Where the kernel cannot say who listens there, the peer is looked at after
 * connecting only.
 *
 * @throws {CallError}
 */
function assertOwn(context: UnixContext, target: number, name: string): void {
  const listeners = listenersAt(target);
  if (listeners === null) return;
  if (listeners.length === 0) throw new CallError(ERRNO.ECONNREFUSED);
  const { listening } = context.supervision;
  if (listeners.some((inode) => !listening.has(inode))) refuse(context, name);
}

/** Connect a socket to the one that a path leads to. */
export function connectUnix(
  context: UnixContext,
  socket: { readonly fd: number; readonly address: SocketAddress },
): Answer | { readonly fd: number; readonly attempt: () => Answer | null } {
  const { caller } = context;
  const { fd } = socket;
  const path = new Uint8Array([...pathOf(context, socket.address), 0]);
  const target = caller.resolve({ dirfd: AT_FDCWD, path, flags: 0 });
  const name = readLink(`/proc/self/fd/${target}`);
  if (name === null || descriptorStatus(target) === null) throw new CallError(ERRNO.EACCES);
  const listed = context.rules.sockets.includes(name);
  if (!listed && !isWritable(context.rules.grants, name)) refuse(context, name);
  if (!listed) assertOwn(context, target, name);
  // The descriptor's own name leads to the very socket that was looked at.
  const bytes = new Uint8Array([AF.UNIX, 0, ...descriptorPath(target)]);
  const waits = !isNonBlocking(fd);
  const until = performance.now() + sendTimeout(fd);
  const attempt = (): Answer | null => {
    const result = connectBriefly(fd, bytes);
    if (result === 0 && !listed && peerProcess(fd) !== Deno.pid) {
      // A server of the user's own that happens to listen in the workspace.
      shutDown(fd);
      refuse(context, name);
    }
    // Its queue is full: there is nothing that could be waited for.
    return result === -ERRNO.EAGAIN && waits && performance.now() < until ? null : result;
  };
  caller.assertWaiting();
  return attempt() ?? { fd: -1, attempt };
}
