/** Bytes that a process reads from a descriptor, without a file and without a writer at the other end. */
import { JailError } from "./jail.ts";
import { close, cString, syscall, writeAll } from "./linux/ffi.ts";
import { MFD_CLOEXEC } from "./linux/uapi.ts";

/**
 * A descriptor of bytes in memory, at their beginning, close-on-exec.
 *
 * @throws {JailError} when there is no memory or no descriptor for it.
 */
export function memoryFile(bytes: Uint8Array<ArrayBuffer>): number {
  const fd = syscall("memfd_create", cString("debrief"), MFD_CLOEXEC);
  const result = fd < 0 ? fd : Math.min(writeAll(fd, bytes), syscall("lseek", fd, 0, 0));
  if (result >= 0) return fd;
  if (fd >= 0) close(fd);
  throw new JailError(`Cannot keep bytes in memory: errno ${-result}`);
}
