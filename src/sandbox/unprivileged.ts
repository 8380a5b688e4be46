/**
 * Acting for a jailed process with no more power than it has: same user and groups, no capability. The kernel then
 * decides about ownership and modes itself, exactly as it would have for the process.
 */
import { SystemCallError } from "../errors.ts";
import { syscall } from "./linux/ffi.ts";
import { CAPABILITY_VERSION_3 } from "./linux/uapi.ts";

/**
 * Do something without effective capabilities, on this thread alone.
 *
 * @param act must be synchronous: the capabilities are back when it returns.
 * @throws {SystemCallError} when they cannot be put down or taken up again.
 */
export function unprivileged<T>(act: () => T): T {
  const header = new Uint32Array([CAPABILITY_VERSION_3, 0]);
  // Two struct __user_cap_data_struct { effective, permitted, inheritable }, linux/capability.h.
  const own = new Uint32Array(6);
  must("capget", syscall("capget", header, own));
  if (own[0] === 0 && own[3] === 0) return act();
  const none = own.slice();
  none[0] = none[3] = 0;
  must("capset", syscall("capset", header, none));
  try {
    return act();
  } finally {
    must("capset", syscall("capset", header, own));
  }
}

function must(call: string, result: number): void {
  if (result >= 0) return;
  throw new SystemCallError(call, -result, `Cannot act for a command: ${call}, errno ${-result}`);
}
