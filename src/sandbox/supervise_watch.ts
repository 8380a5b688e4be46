/**
 * `inotify_add_watch` of commands. Landlock does not know it: whoever may look at a directory's modes could watch it, and
 * learn the names that a directory holds, and when each is used, where it may neither be listed nor read.
 */
import { coversPath } from "../policy/match.ts";
import { type Caller, CallError, int, unsigned } from "./caller.ts";
import { syscall } from "./linux/ffi.ts";
import { readLink } from "./linux/files.ts";
import { type Answer, descriptorPath } from "./linux/notify.ts";
import { AT, AT_FDCWD, ERRNO } from "./linux/uapi.ts";
import type { PathGrant } from "./restrict.ts";
import type { Refused } from "./supervision.ts";

/** What the handler is given. */
export interface WatchContext {
  readonly caller: Caller;
  /** Six registers. */
  readonly args: readonly bigint[];
  readonly grants: readonly PathGrant[];
  readonly refuse: (refused: Refused) => void;
}

/** `IN_DONT_FOLLOW`, `linux/inotify.h`. */
const DONT_FOLLOW = 0x02000000;

function isVisible(grants: readonly PathGrant[], path: string): boolean {
  return grants.some((grant) =>
    (grant.read || grant.list) &&
    (grant.directory ? coversPath(grant.path, path) : grant.path === path)
  );
}

/**
 * Add a watch for a caller; without capabilities (`unprivileged`).
 *
 * @throws {CallError} what the caller is to be told, too.
 */
export function superviseWatch({ caller, args, grants, refuse }: WatchContext): Answer {
  const [register = 0n, address = 0n, mask = 0n] = args;
  const fd = caller.descriptor(int(register));
  const flags = unsigned(mask) & DONT_FOLLOW ? AT.SYMLINK_NOFOLLOW : 0;
  const target = caller.resolve({ dirfd: AT_FDCWD, path: caller.path(address), flags });
  const path = readLink(`/proc/self/fd/${target}`);
  if (path === null) throw new CallError(ERRNO.EACCES);
  if (!isVisible(grants, path)) {
    refuse({ permission: "read", resource: path });
    throw new CallError(ERRNO.EACCES);
  }
  caller.assertWaiting();
  // The descriptor's name leads to the very file that was looked at, also where that is a link.
  const followed = unsigned(mask) & ~DONT_FOLLOW;
  return syscall("inotify_add_watch", fd, descriptorPath(target), followed);
}
