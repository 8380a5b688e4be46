/**
 * Socket options that say how long a call may wait. The supervisor shares commands' sockets and acts on them on the main
 * thread: what could make it wait is set by itself, so that nobody sets it between two of its own calls.
 */
import { type Caller, CallError, int } from "./caller.ts";
import { syscall } from "./linux/ffi.ts";
import type { Answer } from "./linux/notify.ts";
import { ERRNO, SO } from "./linux/uapi.ts";

/** `struct linger { int l_onoff, l_linger }`, `linux/socket.h`. */
const LINGER_BYTES = 8;
/** `struct __kernel_sock_timeval`, and `struct timeval` on 64-bit machines. */
const TIME_BYTES = 16;

/**
 * Set `SO_SNDTIMEO` or `SO_LINGER` for a caller.
 *
 * Closing a socket may wait only where it throws away what is left, which takes no time: the supervisor may be the last
 * to close it. Otherwise the kernel sends the rest when everybody has closed it, as it does without the option.
 *
 * @throws {CallError}
 */
export function setWaiting(
  caller: Caller,
  { fd, args }: { readonly fd: number; readonly args: readonly bigint[] },
): Answer {
  const [level, name, length] = [args[1], args[2], args[4]].map((register) => int(register ?? 0n));
  const lingers = name === SO.LINGER;
  if (level !== SO.SOL_SOCKET || !(lingers || name === SO.SNDTIMEO || name === SO.SNDTIMEO_NEW)) {
    throw new CallError(ERRNO.EPERM);
  }
  const size = lingers ? LINGER_BYTES : TIME_BYTES;
  if (length! < size) throw new CallError(ERRNO.EINVAL);
  const value = caller.memory(args[3] ?? 0n, size);
  const seconds = new DataView(value.buffer).getInt32(4, true);
  if (lingers && seconds !== 0) value.fill(0);
  caller.assertWaiting();
  return syscall("setsockopt", fd, level, name, value, size);
}
