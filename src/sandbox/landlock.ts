/** Landlock rulesets as numbers and bytes. Pure; restrict.ts applies them. Layouts: `linux/landlock.h`. */
import { LANDLOCK_FS as FS, LANDLOCK_NET, LANDLOCK_SCOPE } from "./linux/uapi.ts";

/** The newest ABI whose rights this file knows; on newer kernels the rights of this one are handled. */
export const NEWEST_ABI = 7;

/** Rights by the ABI that introduced them; a ruleset handles all that its kernel knows. */
const FS_BY_ABI: readonly (readonly [abi: number, rights: bigint])[] = [
  [1, (1n << 13n) - 1n],
  [2, FS.REFER],
  [3, FS.TRUNCATE],
  [5, FS.IOCTL_DEV],
];

const READ_DIRECTORY = FS.READ_FILE | FS.READ_DIR;
const WRITE_FILE = FS.WRITE_FILE | FS.TRUNCATE;
/** No MAKE_CHAR, MAKE_BLOCK: device nodes are never the work of a command. */
const WRITE_DIRECTORY = WRITE_FILE | FS.REMOVE_DIR | FS.REMOVE_FILE | FS.MAKE_DIR | FS.MAKE_REG |
  FS.MAKE_SOCK |
  FS.MAKE_FIFO | FS.MAKE_SYM | FS.REFER;

/** What one file or directory is granted. */
export interface Access {
  readonly read: boolean;
  readonly write: boolean;
  /** List directories, without reading files. */
  readonly list: boolean;
}

/** All file system rights that a ruleset of this ABI handles, hence denies unless a rule grants them. */
export function handledFs(abi: number): bigint {
  return FS_BY_ABI.filter(([since]) => since <= abi).reduce((all, [, rights]) => all | rights, 0n);
}

/**
 * The rights that a grant stands for, limited to what the ABI knows. Character devices may also take ioctls.
 *
 * @param target `executes`: what may be read may be executed.
 */
export function grantedRights(
  access: Access,
  target: {
    readonly directory: boolean;
    readonly device: boolean;
    readonly abi: number;
    readonly executes: boolean;
  },
): bigint {
  let rights = 0n;
  if (access.read) rights |= target.directory ? READ_DIRECTORY : FS.READ_FILE;
  if (access.read && target.executes) rights |= FS.EXECUTE;
  if (access.list) rights |= FS.READ_DIR;
  if (access.write) rights |= target.directory ? WRITE_DIRECTORY : WRITE_FILE;
  if (target.device) rights |= FS.IOCTL_DEV;
  return rights & handledFs(target.abi);
}

/**
 * `struct landlock_ruleset_attr`: handled file system rights, network rights and scopes, cut to what the ABI knows.
 *
 * @param net `none` also handles (and so denies) TCP bind and connect, beneath what seccomp already refuses.
 */
export function rulesetAttribute(abi: number, net: "none" | "all"): Uint8Array<ArrayBuffer> {
  const words = [handledFs(abi)];
  if (abi >= 4) words.push(net === "none" ? LANDLOCK_NET.BIND_TCP | LANDLOCK_NET.CONNECT_TCP : 0n);
  if (abi >= 6) words.push(LANDLOCK_SCOPE.ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE.SIGNAL);
  return new Uint8Array(new BigUint64Array(words).buffer);
}

/** `struct landlock_path_beneath_attr` (packed): rights, then the descriptor of the file or directory. */
export function pathBeneathAttribute(rights: bigint, fd: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, rights, true);
  view.setInt32(8, fd, true);
  return bytes;
}
