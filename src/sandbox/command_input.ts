/** Standard input of a command. */
import { close, open, syscall } from "./linux/ffi.ts";
import { descriptorStatus } from "./linux/files.ts";
import { OPEN } from "./linux/uapi.ts";
import { PipedInput } from "./piped_input.ts";

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

/** What a command reads; closed when it has ended. */
export interface CommandInput {
  readonly fd: number;
  readonly close: () => Promise<void>;
}

/** True for a terminal's descriptor. */
export function isTerminal(fd: number): boolean {
  return syscall("ioctl", fd, TCGETS, new Uint8Array(TERMIOS_BYTES)) === 0;
}

function owned(fd: number): CommandInput {
  return {
    fd,
    close: () => {
      close(fd);
      return Promise.resolve();
    },
  };
}

/**
 * What a command may have as its input, always a new descriptor and close-on-exec.
 *
 * A terminal is open for reading and writing at once, so its own descriptor would let a command print past redaction and
 * imitate a block: it is opened anew for reading only, and where that is not possible the command reads nothing.
 *
 * @param fd what the caller has, null for nothing.
 * @param options.reopens true where nothing keeps a command from opening anew, for writing, what it has open: then a
 *   file's bytes come through a pipe, and a terminal's not at all.
 * @throws {SystemCallError} when there is no descriptor left.
 */
export function commandInput(
  fd: number | null,
  { reopens }: { readonly reopens: boolean },
): CommandInput {
  if (fd === null || (isTerminal(fd) && reopens)) return owned(open("/dev/null", OPEN.RDONLY));
  if (!isTerminal(fd)) {
    const own = syscall("fcntl", fd, F_DUPFD_CLOEXEC, FIRST_OWN);
    if (!reopens || own < 0) return owned(own);
    const kind = descriptorStatus(own)?.kind;
    if (kind === "file") return new PipedInput(own);
    // A pipe or socket.
    if (kind === "other") return owned(own);
    close(own);
    return owned(open("/dev/null", OPEN.RDONLY));
  }
  const readOnly = open(`/proc/self/fd/${fd}`, OPEN.RDONLY | NO_CONTROLLING_TERMINAL);
  return owned(readOnly >= 0 ? readOnly : open("/dev/null", OPEN.RDONLY));
}
