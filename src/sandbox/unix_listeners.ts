/**
 * Which socket listens at a file, before anything is connected to it: unix_diag of `linux/unix_diag.h`, asked over netlink
 * (sock_diag(7)). Whoever connects can send at once, so to look at the peer afterwards is too late.
 */
import { close, read, type Result, syscall } from "./linux/ffi.ts";
import { readKernelFile } from "./linux/files.ts";
import { AF, OPEN, SOCK } from "./linux/uapi.ts";

/** A file as the kernel itself numbers it; stat(2) may show other numbers, for example on overlayfs and btrfs. */
export interface KernelFile {
  /** Low half of the inode's number. */
  readonly inode: number;
  /** As `kernel/include/linux/kdev_t.h` packs it. */
  readonly device: number;
}

/** `linux/netlink.h`, `linux/sock_diag.h`, `linux/unix_diag.h`, `net/tcp_states.h`. */
const DIAG = {
  NETLINK: 4,
  BY_FAMILY: 20,
  DUMP_REQUEST: 0x301,
  DONE: 3,
  ERROR: 2,
  LISTENING: 1 << 10,
  SHOW_VFS: 2,
  VFS: 1,
} as const;
const HEADER = 16;
const REQUEST = HEADER + 24;
/** `struct unix_diag_msg`. */
const MESSAGE = 16;
/** `MINORBITS`, `linux/kdev_t.h`. */
const MINOR_BITS = 20;
/** The kernel fills at most 32 KiB at a time (`netlink_dump`). */
const CHUNK = 65_536;
/** Answers that are read: each holds hundreds of sockets. */
const MAX_CHUNKS = 256;

/** The file of a descriptor, null when the kernel does not say (before Linux 5.14). */
function kernelFile(fd: number): KernelFile | null {
  const info = readKernelFile(`/proc/self/fdinfo/${fd}`) ?? "";
  const inode = /^ino:\s*(\d+)$/m.exec(info)?.[1];
  const mount = /^mnt_id:\s*(\d+)$/m.exec(info)?.[1];
  if (inode === undefined || mount === undefined) return null;
  const mounts = readKernelFile("/proc/self/mountinfo") ?? "";
  const [, major, minor] = RegExp(`^${mount} \\d+ (\\d+):(\\d+) `, "m").exec(mounts) ?? [];
  if (major === undefined || minor === undefined) return null;
  const device = (Number(major) << MINOR_BITS | Number(minor)) >>> 0;
  return { inode: Number(BigInt.asUintN(32, BigInt(inode))), device };
}

function dumpRequest(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(REQUEST);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, REQUEST, true);
  view.setUint16(4, DIAG.BY_FAMILY, true);
  view.setUint16(6, DIAG.DUMP_REQUEST, true);
  view.setUint8(HEADER, AF.UNIX);
  view.setUint32(HEADER + 4, DIAG.LISTENING, true);
  view.setUint32(HEADER + 12, DIAG.SHOW_VFS, true);
  return bytes;
}

/** The socket of one message, if it listens at the file. */
function socketIn(view: DataView, file: KernelFile): string | null {
  const aligned = (length: number) => (length + 3) & ~3;
  for (let at = MESSAGE; at + 4 <= view.byteLength;) {
    const length = view.getUint16(at, true);
    if (length < 4) return null;
    if (view.getUint16(at + 2, true) === DIAG.VFS && length >= 12) {
      const found = view.getUint32(at + 4, true) === file.inode &&
        view.getUint32(at + 8, true) === file.device;
      return found ? String(view.getUint32(4, true)) : null;
    }
    at += aligned(length);
  }
  return null;
}

/** Sockets in one answer; `end` is null as long as more follows. */
export function parseUnixDump(
  bytes: Uint8Array<ArrayBuffer>,
  file: KernelFile,
): { readonly sockets: readonly string[]; readonly end: "done" | "failed" | null } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sockets: string[] = [];
  for (let at = 0; at + HEADER <= bytes.length;) {
    const [length, type] = [view.getUint32(at, true), view.getUint16(at + 4, true)];
    if (type === DIAG.DONE) return { sockets, end: "done" };
    if (type === DIAG.ERROR || length < HEADER || at + length > bytes.length) {
      return { sockets, end: "failed" };
    }
    const body = new DataView(bytes.buffer, bytes.byteOffset + at + HEADER, length - HEADER);
    const socket = type === DIAG.BY_FAMILY && body.byteLength >= MESSAGE
      ? socketIn(body, file)
      : null;
    if (socket !== null) sockets.push(socket);
    at += (length + 3) & ~3;
  }
  return { sockets, end: null };
}

/**
 * Inode numbers of the sockets that listen at a file: one or none.
 *
 * @returns null when the kernel does not say: it was built without unix_diag, or the descriptor's file is not known.
 */
export function listenersAt(fd: number): readonly string[] | null {
  const file = kernelFile(fd);
  if (file === null) return null;
  const diag: Result = syscall("socket", AF.NETLINK, SOCK.RAW | OPEN.CLOEXEC, DIAG.NETLINK);
  if (diag < 0) return null;
  try {
    const request = dumpRequest();
    if (syscall("sendto", diag, request, request.length, 0, 0, 0) < 0) return null;
    const sockets: string[] = [];
    const chunk = new Uint8Array(CHUNK);
    for (let count = 0; count < MAX_CHUNKS; count++) {
      const size = read(diag, chunk);
      if (size <= 0) return null;
      const part = parseUnixDump(chunk.subarray(0, size), file);
      sockets.push(...part.sockets);
      if (part.end !== null) return part.end === "done" ? sockets : null;
    }
    return null;
  } finally {
    close(diag);
  }
}
