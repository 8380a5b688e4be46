/** First act of the process, before it opens or reads anything: see `hardenProcess`. */
import { open, prctl, syscall } from "./linux/ffi.ts";
import { CLOSE_RANGE_CLOEXEC, ERRNO, OPEN, PR } from "./linux/uapi.ts";
import { SystemCallError } from "../errors.ts";

/**
 * Close what a command could otherwise reach through the shell itself: its memory, environment and descriptors (the
 * jail's thread shares its credentials and domain with the commands), and descriptors that whoever started the shell
 * left open. It also becomes the parent of orphans, so that a command that daemonised is found and ended.
 *
 * @throws {SystemCallError} when the kernel refuses one of these.
 */
export function hardenProcess(): void {
  const must = (call: string, result: number) => {
    if (result < 0) {
      throw new SystemCallError(
        call,
        -result,
        `Cannot harden the shell: ${call} failed with errno ${-result}`,
      );
    }
  };
  must("prctl(PR_SET_DUMPABLE)", prctl(PR.SET_DUMPABLE, 0));
  must("close_range", syscall("close_range", 3, 0xffffffff, CLOSE_RANGE_CLOEXEC));
  must("prctl(PR_SET_CHILD_SUBREAPER)", prctl(PR.SET_CHILD_SUBREAPER, 1));
  // A shell started with one of 0, 1, 2 closed would give that number to the next file that it opens.
  for (const fd of [0, 1, 2]) {
    if (syscall("fcntl", fd, 1) === -ERRNO.EBADF) {
      must("openat", open("/dev/null", fd === 0 ? OPEN.RDONLY : OPEN.WRONLY));
    }
  }
}
