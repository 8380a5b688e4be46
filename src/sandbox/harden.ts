/** First acts of the process, before it opens or reads anything: see `hardenProcess` and `inheritedDescriptors`. */
import { open, prctl, syscall } from "./linux/ffi.ts";
import { directoryNames } from "./linux/files.ts";
import { CLOSE_RANGE_CLOEXEC, ERRNO, F_GETFD, FD_CLOEXEC, OPEN, PR } from "./linux/uapi.ts";
import { SystemCallError } from "../errors.ts";

/** `asm-generic/signal.h`. */
const SIGXFSZ = 25;
/** `struct sigaction` of `rt_sigaction(2)` for `SIG_IGN` (1): handler, flags, restorer, mask; all words of 8 bytes. */
const IGNORE = new BigUint64Array([1n, 0n, 0n, 0n]);
const SIGSET_BYTES = 8;

/**
 * Descriptors above the standard ones that whoever started the process has given to it. Only before `hardenProcess`
 * they can be told from the runtime's own, which are all close-on-exec.
 */
export function inheritedDescriptors(): ReadonlySet<number> {
  // Not by `Deno.readDirSync`, which Deno 2.9 allows below /proc only to programs with every permission.
  const open = (directoryNames("/proc/self/fd") ?? []).map(Number);
  return new Set(open.filter((fd) => {
    const flags = fd > 2 ? syscall("fcntl", fd, F_GETFD) : -1;
    return flags >= 0 && (flags & FD_CLOEXEC) === 0;
  }));
}

/**
 * Close what a command could otherwise reach through the shell itself: its memory, environment and descriptors (the
 * jail's thread shares its credentials and domain with the commands), and descriptors that whoever started the shell
 * left open. It also becomes the parent of orphans, so that a command that daemonised is found and ended. And a file that
 * must not grow any more (`ulimit -f`) becomes an error to report, not a signal that ends the shell before its record is
 * written; commands get the signal's default action back.
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
  must("rt_sigaction", syscall("rt_sigaction", SIGXFSZ, IGNORE, 0, SIGSET_BYTES));
  // A shell started with one of 0, 1, 2 closed would give that number to the next file that it opens.
  for (const fd of [0, 1, 2]) {
    if (syscall("fcntl", fd, F_GETFD) === -ERRNO.EBADF) {
      must("openat", open("/dev/null", fd === 0 ? OPEN.RDONLY : OPEN.WRONLY));
    }
  }
}
