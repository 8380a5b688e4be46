/** A jailed thread that waits for a supervised call: its memory, descriptors and places, as its kernel would see them. */
import { close, cString, openat2, type Result } from "./linux/ffi.ts";
import { openHow, readKernelFile } from "./linux/files.ts";
import {
  isWaiting,
  type Notification,
  openWorkingDirectory,
  readCString,
  readMemory,
  takeDescriptor,
} from "./linux/notify.ts";
import { AT, AT_FDCWD, ERRNO, OPEN, OPEN_BY_ARCHITECTURE, RESOLVE } from "./linux/uapi.ts";
import type { Architecture } from "./linux/syscalls.ts";

/** What a supervised call fails with. */
export class CallError extends Error {
  override name = "CallError";

  /** @param errno positive. */
  constructor(readonly errno: number) {
    super(`errno ${errno}`);
  }
}

/** `PATH_MAX`, `linux/limits.h`: with the NUL. */
const PATH_MAX = 4096;
/** Names by which a process reaches its own descriptors; as this process's they would be the wrong ones. */
const OWN_DESCRIPTOR =
  /^\/+(?:dev\/fd|proc\/(self|thread-self|\d+)(?:\/task\/\d+)?\/fd)\/(\d{1,9})(\/[^]*)?$/;
const latin = new TextDecoder("latin1");

/** The value or the error. @throws {CallError} for a negative errno. */
export function orFail(result: Result): number {
  if (result < 0) throw new CallError(-result);
  return result;
}

/** The low 32 bits of a register, as the kernel reads an `int`. */
export function int(register: bigint): number {
  return Number(BigInt.asIntN(32, register));
}

/** The low 32 bits of a register, as the kernel reads an `unsigned int`. */
export function unsigned(register: bigint): number {
  return Number(BigInt.asUintN(32, register));
}

/** Looks into the caller of one notification; what was opened is closed with it. */
export class Caller implements Disposable {
  readonly #listener: number;
  readonly #opened = new Set<number>();
  /** Of the notification. */
  readonly id: bigint;
  /** Thread id. */
  readonly tid: number;

  constructor(listener: number, { id, tid }: Notification) {
    this.#listener = listener;
    this.id = id;
    this.tid = tid;
  }

  /** @throws {CallError} when the caller is gone: what was seen under its id may be another thread's. */
  assertWaiting(): void {
    if (!this.isWaiting) throw new CallError(ERRNO.EINTR);
  }

  /** True while the caller waits for its answer. */
  get isWaiting(): boolean {
    return isWaiting(this.#listener, this.id);
  }

  /** Process id: that of the thread's group. @throws {CallError} when the caller is gone. */
  get process(): number {
    const text = readKernelFile(`/proc/${this.tid}/status`)?.match(/^Tgid:\s*(\d+)$/m)?.[1];
    this.assertWaiting();
    return Number(text ?? 0);
  }

  /** Read a path with its NUL. @throws {CallError} */
  path(address: bigint): Uint8Array<ArrayBuffer> {
    return this.string(address, PATH_MAX);
  }

  /** Read a string with its NUL, at most so many bytes. @throws {CallError} ENAMETOOLONG when it is longer. */
  string(address: bigint, most: number): Uint8Array<ArrayBuffer> {
    return this.#read(readCString(this.tid, { address, most }));
  }

  /** Read memory. @throws {CallError} */
  memory(address: bigint, length: number): Uint8Array<ArrayBuffer> {
    return this.#read(readMemory(this.tid, { address, length }));
  }

  /** Duplicate one of the caller's descriptors. @throws {CallError} EBADF when it has none of that number. */
  descriptor(fd: number): number {
    return this.#keep(takeDescriptor(this.tid, fd));
  }

  /** Open the working directory of the caller. @throws {CallError} */
  workingDirectory(): number {
    return this.#keep(openWorkingDirectory(this.tid));
  }

  /** The caller's file creation mask. @throws {CallError} */
  umask(): number {
    const text = readKernelFile(`/proc/${this.tid}/status`)?.match(/^Umask:\s*(\d+)$/m)?.[1];
    this.assertWaiting();
    if (text === undefined) throw new CallError(ERRNO.EPERM);
    return parseInt(text, 8);
  }

  /**
   * Resolve a path as the kernel would for the caller, without touching the file. Magic links are not followed: they
   * would be this process's.
   *
   * @param flags `AT_SYMLINK_NOFOLLOW` and `AT_EMPTY_PATH`.
   * @returns an O_PATH descriptor, or the descriptor itself for an empty path.
   * @throws {CallError}
   */
  resolve(
    at: { readonly dirfd: number; readonly path: Uint8Array<ArrayBuffer>; readonly flags: number },
  ): number {
    const { dirfd, path, flags } = at;
    if (path.length === 1 && flags & AT.EMPTY_PATH) return this.#base(dirfd);
    const own = latin.decode(path.subarray(0, -1)).match(OWN_DESCRIPTOR);
    if (own && this.#isOwn(own[1])) {
      const fd = this.descriptor(Number(own[2]));
      const rest = own[3]?.replace(/^\/+/, "") ?? "";
      const follows = !(flags & AT.SYMLINK_NOFOLLOW);
      if (rest === "" && own[3] === undefined && follows) return fd;
      const start = path.length - 1 - rest.length;
      return this.#open(fd, rest === "" ? cString(".") : path.slice(start), flags);
    }
    const absolute = path[0] === 0x2f;
    return this.#open(absolute ? AT_FDCWD : this.#base(dirfd), path, flags);
  }

  [Symbol.dispose](): void {
    for (const fd of this.#opened) close(fd);
    this.#opened.clear();
  }

  #isOwn(name: string | undefined): boolean {
    if (name === undefined || !/^\d/.test(name)) return true;
    return this.process === Number(name);
  }

  #base(dirfd: number): number {
    return dirfd === AT_FDCWD ? this.workingDirectory() : this.descriptor(dirfd);
  }

  #open(base: number, path: Uint8Array<ArrayBuffer>, flags: number): number {
    const { NOFOLLOW } = OPEN_BY_ARCHITECTURE[Deno.build.arch as Architecture];
    const last = flags & AT.SYMLINK_NOFOLLOW ? NOFOLLOW : 0;
    return this.#keep(openat2(base, path, openHow(OPEN.PATH | last, RESOLVE.NO_MAGICLINKS)));
  }

  #keep(result: Result): number {
    const fd = orFail(result);
    this.#opened.add(fd);
    this.assertWaiting();
    return fd;
  }

  #read(result: Uint8Array<ArrayBuffer> | Result): Uint8Array<ArrayBuffer> {
    this.assertWaiting();
    if (typeof result === "number") throw new CallError(-result);
    return result;
  }
}
