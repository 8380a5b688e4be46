/** Reading the files of a project from outside of the jail: whoever wrote them may lead astray. */
import { UsageError } from "../../errors.ts";
import { close, read } from "../../sandbox/linux/ffi.ts";
import { descriptorStatus, openResolved, status } from "../../sandbox/linux/files.ts";
import { OPEN } from "../../sandbox/linux/uapi.ts";
import { exactText } from "../replace_file.ts";

/** Bytes of one file; what describes a project is far smaller. */
const MAX_BYTES = 262_144;

/**
 * The text of a regular file that no link leads to, at most 256 KiB of it; null when there is none.
 *
 * @param path absolute and without links.
 */
export function projectText(path: string): string | null {
  const bytes = projectBytes(path);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

function projectBytes(path: string): Uint8Array<ArrayBuffer> | null {
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
    return buffer.subarray(0, length);
  } finally {
    close(fd);
  }
}

/** True when a regular file lies there. */
export function isProjectFile(path: string): boolean {
  return status(path, { follow: false })?.kind === "file";
}

/**
 * The whole text of a file that is to be changed, null when there is none.
 *
 * @throws {UsageError} for what is no regular file, or too large to be read whole.
 */
export function wholeText(path: string): string | null {
  const found = status(path, { follow: false });
  if (found === null) return null;
  if (found.kind !== "file") throw new UsageError(`Cannot write "${path}": it is no regular file`);
  const bytes = found.size >= MAX_BYTES ? null : projectBytes(path);
  try {
    if (bytes !== null) return exactText(bytes);
  } catch {
    throw new UsageError(`Cannot write "${path}": it is not UTF-8`);
  }
  throw new UsageError(`Cannot write "${path}": it cannot be read whole, ${found.size} bytes`);
}
