/** Reading the files of a project from outside of the jail: whoever wrote them may lead a reader astray. */
import { close, read } from "../../sandbox/linux/ffi.ts";
import { descriptorStatus, openResolved, status } from "../../sandbox/linux/files.ts";
import { OPEN } from "../../sandbox/linux/uapi.ts";

/** Bytes of one file; what describes a project is far smaller. */
const MAX_BYTES = 262_144;

/**
 * The text of a regular file that no link leads to, at most 256 KiB of it; null when there is none.
 *
 * @param path absolute and without links.
 */
export function projectText(path: string): string | null {
  const fd = openResolved(path, OPEN.RDONLY | OPEN.NONBLOCK);
  if (fd < 0) return null;
  try {
    if (descriptorStatus(fd)?.kind !== "file") return null;
    const buffer = new Uint8Array(MAX_BYTES);
    let length = 0;
    for (;;) {
      const count = read(fd, buffer.subarray(length));
      if (count <= 0) break;
      length += count;
    }
    return new TextDecoder().decode(buffer.subarray(0, length));
  } finally {
    close(fd);
  }
}

/** True when a regular file lies there. */
export function isProjectFile(path: string): boolean {
  return status(path, { follow: false })?.kind === "file";
}
