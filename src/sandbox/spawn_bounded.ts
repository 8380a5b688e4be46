/** Starting a process from the main thread in the session's control group, where there is one. */
import { type Result, syscall } from "./linux/ffi.ts";
import { posixSpawn, type SpawnRequest } from "./linux/posix_spawn.ts";
import type { SessionCgroup } from "./session_cgroup.ts";

/**
 * Start a process that is bounded from its beginning: the calling thread is in the group while it forks.
 *
 * @returns the process id, or the negative errno.
 */
export function spawnBounded(request: SpawnRequest, cgroup: SessionCgroup | null): Result {
  const tid = syscall("gettid");
  cgroup?.add(tid);
  try {
    return posixSpawn(request);
  } finally {
    cgroup?.release(tid);
  }
}
