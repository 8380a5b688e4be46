/** The working directory of a session between two commands. */
import { dirname } from "node:path/posix";
import { cString, syscall } from "../sandbox/linux/ffi.ts";
import { AT_FDCWD, X_OK } from "../sandbox/linux/uapi.ts";

/** True when a command can be started in a directory. */
export function isUsable(path: string): boolean {
  // With `/.` the call answers for a directory and the permission to enter it at once.
  return syscall("faccessat", AT_FDCWD, cString(`${path}/.`), X_OK) >= 0;
}

/**
 * A directory, or the nearest one above it that is there: an earlier command may have removed or renamed the one that
 * it stood in, and no later command could be started there, not even the `cd` that leaves it.
 */
export function nearestDirectory(path: string): string {
  let current = path;
  while (current !== "/" && !isUsable(current)) current = dirname(current);
  return current;
}
