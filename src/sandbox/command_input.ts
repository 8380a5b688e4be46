/** Standard input of a command. */
import { open, syscall } from "./linux/ffi.ts";
import { OPEN } from "./linux/uapi.ts";

/** `TCGETS`, `asm-generic/ioctls.h`: answered by terminals only. */
const TCGETS = 0x5401;
/** More than `struct termios` takes on any architecture. */
const TERMIOS_BYTES = 256;
/** `O_NOCTTY`, `asm-generic/fcntl.h`. */
const NO_CONTROLLING_TERMINAL = 0o400;

/** `F_DUPFD_CLOEXEC`, `linux/fcntl.h`. */
const F_DUPFD_CLOEXEC = 1030;
/** Behind the three standard streams. */
const FIRST_OWN = 3;

/**
 * A descriptor that a command may have as its input, always a new one and close-on-exec.
 *
 * A terminal is open for reading and writing at once, so its own descriptor would let a command print past redaction and
 * imitate a block: it is opened anew for reading only, and where that is not possible the command reads nothing.
 *
 * @param fd what the caller has, null for nothing.
 * @returns the descriptor, or the negative errno.
 */
export function commandInput(fd: number | null): number {
  const isTerminal = fd !== null &&
    syscall("ioctl", fd, TCGETS, new Uint8Array(TERMIOS_BYTES)) === 0;
  if (fd !== null && !isTerminal) return syscall("fcntl", fd, F_DUPFD_CLOEXEC, FIRST_OWN);
  const readOnly = isTerminal
    ? open(`/proc/self/fd/${fd}`, OPEN.RDONLY | NO_CONTROLLING_TERMINAL)
    : -1;
  return readOnly >= 0 ? readOnly : open("/dev/null", OPEN.RDONLY);
}
