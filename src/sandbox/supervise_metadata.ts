/**
 * Calls that change what a file is known by: mode, owner, times, extended attributes. Landlock covers none of them, so
 * the file is resolved here, must lie beneath a write grant, and is changed through the descriptor that was looked at.
 * Whether the caller may change it is the kernel's own decision: see `unprivileged`.
 */
import { coversPath } from "../policy/match.ts";
import { type Caller, CallError, int, orFail, unsigned } from "./caller.ts";
import { cString, syscall } from "./linux/ffi.ts";
import { descriptorStatus, readLink } from "./linux/files.ts";
import { descriptorPath } from "./linux/notify.ts";
import { AT, AT_FDCWD, ERRNO } from "./linux/uapi.ts";
import type { PathGrant } from "./restrict.ts";
import type { Refused } from "./supervision.ts";

/** What the handlers are given. */
export interface MetadataContext {
  readonly caller: Caller;
  /** Six registers. */
  readonly args: readonly bigint[];
  readonly grants: readonly PathGrant[];
  readonly refuse: (refused: Refused) => void;
}

type Register = (index: number) => bigint;
type Handler = (context: MetadataContext, register: Register) => number;

/** `XATTR_NAME_MAX` and `XATTR_SIZE_MAX`, `linux/limits.h`. */
const XATTR = { NAME: 255, SIZE: 65536 } as const;
/** What a command may set: its own attributes, and access lists, which say no more than a mode does. */
const ATTRIBUTES = /^(?:user\.|system\.posix_acl_(?:access|default)$)/;
const SET_ID_BITS = 0o6000;
const DELETED = " (deleted)";
const EMPTY = cString("");
const latin = new TextDecoder("latin1");

/**
 * Fail unless what a descriptor holds may be changed: it lies beneath a write grant, or has no name at all.
 *
 * @throws {CallError}
 */
function assertGranted(context: MetadataContext, fd: number): void {
  const info = descriptorStatus(fd);
  const path = readLink(`/proc/self/fd/${fd}`);
  if (info === null || path === null) throw new CallError(ERRNO.EPERM);
  // Owned by the user like any file where the shell is root's, and never a command's to change.
  if (info.kind === "character-device" || info.kind === "block-device") {
    throw new CallError(ERRNO.EPERM);
  }
  if (/^(?:pipe|socket):\[/.test(path)) return;
  if (!path.startsWith("/")) throw new CallError(ERRNO.EPERM);
  // Both: a file system may count no names at all, and any file may be called so.
  if (info.links === 0 && path.endsWith(DELETED)) return;
  if (isWritable(context.grants, path)) return;
  context.refuse({ permission: "write", resource: path });
  throw new CallError(ERRNO.EACCES);
}

/** True when a real path lies beneath a grant to write. */
export function isWritable(grants: readonly PathGrant[], path: string): boolean {
  return grants.some((grant) =>
    grant.write && (grant.directory ? coversPath(grant.path, path) : grant.path === path)
  );
}

/** Where a call finds its file. */
interface Place {
  readonly dirfd?: number;
  readonly path: bigint;
  readonly flags?: number;
}

function atPath(context: MetadataContext, place: Place): number {
  const { caller } = context;
  const path = caller.path(place.path);
  const fd = caller.resolve({ dirfd: place.dirfd ?? AT_FDCWD, path, flags: place.flags ?? 0 });
  assertGranted(context, fd);
  caller.assertWaiting();
  return fd;
}

function atDescriptor(context: MetadataContext, register: bigint): number {
  const fd = context.caller.descriptor(int(register));
  assertGranted(context, fd);
  context.caller.assertWaiting();
  return fd;
}

function onlyFlags(register: bigint): number {
  const flags = unsigned(register);
  if (flags & ~(AT.SYMLINK_NOFOLLOW | AT.EMPTY_PATH)) throw new CallError(ERRNO.EINVAL);
  return flags;
}

/** The filter refuses them as well; here nothing depends on it. */
function modeOf(register: bigint): number {
  const mode = unsigned(register);
  if (mode & SET_ID_BITS) throw new CallError(ERRNO.EPERM);
  return mode;
}

function changeMode(context: MetadataContext, place: Place, register: bigint): number {
  const mode = modeOf(register);
  const fd = atPath(context, place);
  return syscall("fchmodat", AT_FDCWD, descriptorPath(fd), mode);
}

function changeOwner(context: MetadataContext, place: Place, ids: readonly bigint[]): number {
  const [user, group] = ids.map(unsigned) as [number, number];
  const fd = atPath(context, place);
  return syscall("fchownat", fd, EMPTY, user, group, AT.EMPTY_PATH);
}

/** `struct timespec[2]` or a null pointer. */
type Times = BigInt64Array<ArrayBuffer> | 0;

function timesAt(
  { caller }: MetadataContext,
  at: { readonly address: bigint; readonly unit: "seconds" | "microseconds" | "nanoseconds" },
): Times {
  const { address, unit } = at;
  if (address === 0n) return 0;
  const read = new BigInt64Array(caller.memory(address, unit === "seconds" ? 16 : 32).buffer);
  if (unit === "nanoseconds") return read;
  if (unit === "seconds") return new BigInt64Array([read[0]!, 0n, read[1]!, 0n]);
  const [accessed, accessedUs, modified, modifiedUs] = [...read] as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  for (const part of [accessedUs, modifiedUs]) {
    if (part < 0n || part >= 1_000_000n) throw new CallError(ERRNO.EINVAL);
  }
  return new BigInt64Array([accessed, accessedUs * 1000n, modified, modifiedUs * 1000n]);
}

function changeTimes(context: MetadataContext, place: Place, times: Times): number {
  const fd = atPath(context, place);
  return syscall("utimensat", fd, EMPTY, times, AT.EMPTY_PATH);
}

/** `utimensat` and `futimesat` without a path mean the descriptor. */
function changeTimesAt(context: MetadataContext, place: Place, times: Times): number {
  if (place.path !== 0n) return changeTimes(context, place, times);
  if (place.flags) throw new CallError(ERRNO.EINVAL);
  const fd = atDescriptor(context, BigInt(place.dirfd ?? AT_FDCWD));
  return syscall("utimensat", fd, 0, times, 0);
}

function attributeName({ caller }: MetadataContext, address: bigint): Uint8Array<ArrayBuffer> {
  let name: Uint8Array<ArrayBuffer>;
  try {
    name = caller.string(address, XATTR.NAME + 1);
  } catch (error) {
    const tooLong = error instanceof CallError && error.errno === ERRNO.ENAMETOOLONG;
    throw tooLong ? new CallError(ERRNO.ERANGE) : error;
  }
  if (name.length === 1) throw new CallError(ERRNO.ERANGE);
  if (!ATTRIBUTES.test(latin.decode(name.subarray(0, -1)))) throw new CallError(ERRNO.EPERM);
  return name;
}

function attributeValue({ caller }: MetadataContext, at: Register): Uint8Array<ArrayBuffer> {
  const size = at(3);
  if (size > BigInt(XATTR.SIZE)) throw new CallError(ERRNO.E2BIG);
  return caller.memory(at(2), Number(size));
}

function setAttribute(context: MetadataContext, at: Register, flags: number): number {
  const [name, value] = [attributeName(context, at(1)), attributeValue(context, at)];
  const fd = atPath(context, { path: at(0), flags });
  // The descriptor's name leads to the file itself, also where that is a link.
  return syscall("setxattr", descriptorPath(fd), name, value, value.length, int(at(4)));
}

function removeAttribute(context: MetadataContext, at: Register, flags: number): number {
  const name = attributeName(context, at(1));
  const fd = atPath(context, { path: at(0), flags });
  return syscall("removexattr", descriptorPath(fd), name);
}

const { SYMLINK_NOFOLLOW } = AT;

/** By the name of the call. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  chmod: (context, at) => changeMode(context, { path: at(0) }, at(1)),
  fchmod: (context, at) => {
    const mode = modeOf(at(1));
    return syscall("fchmod", atDescriptor(context, at(0)), mode);
  },
  fchmodat: (context, at) => changeMode(context, { dirfd: int(at(0)), path: at(1) }, at(2)),
  fchmodat2: (context, at) =>
    changeMode(context, { dirfd: int(at(0)), path: at(1), flags: onlyFlags(at(3)) }, at(2)),
  chown: (context, at) => changeOwner(context, { path: at(0) }, [at(1), at(2)]),
  lchown: (context, at) =>
    changeOwner(context, { path: at(0), flags: SYMLINK_NOFOLLOW }, [at(1), at(2)]),
  fchown: (context, at) =>
    syscall("fchown", atDescriptor(context, at(0)), unsigned(at(1)), unsigned(at(2))),
  fchownat: (context, at) =>
    changeOwner(
      context,
      { dirfd: int(at(0)), path: at(1), flags: onlyFlags(at(4)) },
      [at(2), at(3)],
    ),
  utime: (context, at) =>
    changeTimes(context, { path: at(0) }, timesAt(context, { address: at(1), unit: "seconds" })),
  utimes: (context, at) =>
    changeTimes(
      context,
      { path: at(0) },
      timesAt(context, { address: at(1), unit: "microseconds" }),
    ),
  futimesat: (context, at) =>
    changeTimesAt(
      context,
      { dirfd: int(at(0)), path: at(1) },
      timesAt(context, { address: at(2), unit: "microseconds" }),
    ),
  utimensat: (context, at) =>
    changeTimesAt(
      context,
      { dirfd: int(at(0)), path: at(1), flags: onlyFlags(at(3)) },
      timesAt(context, { address: at(2), unit: "nanoseconds" }),
    ),
  setxattr: (context, at) => setAttribute(context, at, 0),
  lsetxattr: (context, at) => setAttribute(context, at, SYMLINK_NOFOLLOW),
  fsetxattr: (context, at) => {
    const [name, value] = [attributeName(context, at(1)), attributeValue(context, at)];
    const fd = atDescriptor(context, at(0));
    return syscall("fsetxattr", fd, name, value, value.length, int(at(4)));
  },
  removexattr: (context, at) => removeAttribute(context, at, 0),
  lremovexattr: (context, at) => removeAttribute(context, at, SYMLINK_NOFOLLOW),
  fremovexattr: (context, at) => {
    const name = attributeName(context, at(1));
    return syscall("fremovexattr", atDescriptor(context, at(0)), name);
  },
};

/**
 * Carry one of these calls out for its caller; without capabilities (`unprivileged`).
 *
 * @returns 0, or the negative errno.
 * @throws {CallError} what the caller is to be told, too.
 */
export function superviseMetadata(call: string, context: MetadataContext): number {
  const handler = HANDLERS[call];
  if (!handler) throw new CallError(ERRNO.EPERM);
  return orFail(handler(context, (index) => context.args[index] ?? 0n));
}
