/**
 * Constants of the Linux kernel's user-space interface that the jail needs, with the header they come from.
 * They are the same on x86_64 and aarch64; what differs stands in syscalls.ts.
 */

/** `asm-generic/errno-base.h` and `errno.h`: the errors that the jail meets or returns. */
export const ERRNO = {
  EPERM: 1,
  ENOENT: 2,
  ESRCH: 3,
  EINTR: 4,
  E2BIG: 7,
  ENOEXEC: 8,
  EBADF: 9,
  ECHILD: 10,
  EAGAIN: 11,
  EACCES: 13,
  EFAULT: 14,
  EBUSY: 16,
  EEXIST: 17,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  EFBIG: 27,
  ENOSPC: 28,
  ERANGE: 34,
  ENAMETOOLONG: 36,
  ENOSYS: 38,
  ELOOP: 40,
  ENOTSOCK: 88,
  EAFNOSUPPORT: 97,
  EADDRINUSE: 98,
  ETIMEDOUT: 110,
  ECONNREFUSED: 111,
  EDQUOT: 122,
  EALREADY: 114,
  EINPROGRESS: 115,
} as const;

/** `linux/landlock.h`, file system rights by the ABI that brought them (Linux 5.13 = 1, 5.19 = 2, 6.2 = 3, 6.10 = 5). */
export const LANDLOCK_FS = {
  EXECUTE: 1n << 0n,
  WRITE_FILE: 1n << 1n,
  READ_FILE: 1n << 2n,
  READ_DIR: 1n << 3n,
  REMOVE_DIR: 1n << 4n,
  REMOVE_FILE: 1n << 5n,
  MAKE_CHAR: 1n << 6n,
  MAKE_DIR: 1n << 7n,
  MAKE_REG: 1n << 8n,
  MAKE_SOCK: 1n << 9n,
  MAKE_FIFO: 1n << 10n,
  MAKE_BLOCK: 1n << 11n,
  MAKE_SYM: 1n << 12n,
  /** ABI 2. */
  REFER: 1n << 13n,
  /** ABI 3. */
  TRUNCATE: 1n << 14n,
  /** ABI 5. */
  IOCTL_DEV: 1n << 15n,
} as const;

/** `linux/landlock.h`, network rights (ABI 4, Linux 6.7). */
export const LANDLOCK_NET = { BIND_TCP: 1n << 0n, CONNECT_TCP: 1n << 1n } as const;

/** `linux/landlock.h`, scopes (ABI 6, Linux 6.12). */
export const LANDLOCK_SCOPE = { ABSTRACT_UNIX_SOCKET: 1n << 0n, SIGNAL: 1n << 1n } as const;

/** `LANDLOCK_CREATE_RULESET_VERSION`, `linux/landlock.h`. */
export const LANDLOCK_CREATE_RULESET_VERSION = 1;
/** `LANDLOCK_RULE_PATH_BENEATH`, `linux/landlock.h`. */
export const LANDLOCK_RULE_PATH_BENEATH = 1;

/** `linux/prctl.h`. */
export const PR = {
  SET_DUMPABLE: 4,
  CAPBSET_DROP: 24,
  SET_SECUREBITS: 28,
  SET_CHILD_SUBREAPER: 36,
  SET_NO_NEW_PRIVS: 38,
  CAP_AMBIENT: 47,
  CAP_AMBIENT_CLEAR_ALL: 4,
} as const;

/** `SUID_DUMP_ROOT`, `linux/sched/coredump.h`: nothing that a process may set. */
export const SUID_DUMP_ROOT = 2;
/** Highest capability number that is dropped; `linux/capability.h` ends at 40, later ones answer EINVAL. */
export const CAP_LAST = 63;
/** `_LINUX_CAPABILITY_VERSION_3`, `linux/capability.h`. */
export const CAPABILITY_VERSION_3 = 0x20080522;
/** NOROOT, NO_SETUID_FIXUP and KEEP_CAPS off, all locked, no ambient raise: `linux/securebits.h`. */
export const SECUREBITS_LOCKED = 0x2f;

/** `linux/seccomp.h`. Notification flags as of Linux 5.0, WAIT_KILLABLE_RECV as of 5.19. */
export const SECCOMP = {
  SET_MODE_FILTER: 1,
  FILTER_FLAG_NEW_LISTENER: 1 << 3,
  FILTER_FLAG_WAIT_KILLABLE_RECV: 1 << 5,
  RET_ALLOW: 0x7fff0000,
  RET_USER_NOTIF: 0x7fc00000,
  RET_ERRNO: 0x00050000,
  RET_KILL_PROCESS: 0x80000000,
} as const;

/** `linux/seccomp.h`: calls on a listener. The size of each structure is part of the number (`asm-generic/ioctl.h`). */
export const SECCOMP_IOCTL = {
  /** Takes `struct seccomp_notif`, 80 bytes. */
  NOTIF_RECV: 0xc0502100,
  /** Takes `struct seccomp_notif_resp`, 24 bytes. */
  NOTIF_SEND: 0xc0182101,
  /** Takes the id, 8 bytes; numbered so since Linux 5.17. */
  NOTIF_ID_VALID: 0x40082102,
  /** Takes flags, by value (Linux 6.6). */
  NOTIF_SET_FLAGS: 0x40082104,
} as const;
/** `SECCOMP_USER_NOTIF_FLAG_CONTINUE`, `linux/seccomp.h` (Linux 5.5). */
export const NOTIF_FLAG_CONTINUE = 1;
/** `SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP`, `linux/seccomp.h` (Linux 6.6). */
export const NOTIF_FD_SYNC_WAKE_UP = 1;
/** `PIDFD_THREAD`, `linux/pidfd.h` (Linux 6.9). */
export const PIDFD_THREAD = 0o200;
/** `linux/memfd.h`. */
export const MFD_CLOEXEC = 1;

/** `linux/bpf_common.h` and `linux/filter.h`: the classic BPF instructions that a seccomp filter uses. */
export const BPF = {
  LD_W_ABS: 0x20,
  ALU_AND_K: 0x54,
  JMP_JA: 0x05,
  JMP_JEQ_K: 0x15,
  JMP_JGT_K: 0x25,
  JMP_JGE_K: 0x35,
  JMP_JSET_K: 0x45,
  RET_K: 0x06,
} as const;

/** `linux/close_range.h`. */
export const CLOSE_RANGE_CLOEXEC = 1 << 2;

/** `asm-generic/fcntl.h`; equal on x86_64 and aarch64 for the flags used here. */
export const OPEN = {
  RDONLY: 0,
  WRONLY: 1,
  RDWR: 2,
  NONBLOCK: 0o4000,
  CLOEXEC: 0o2000000,
  PATH: 0o10000000,
  CREAT: 0o100,
  EXCL: 0o200,
  /** The bit of O_TMPFILE that no other flag holds. */
  TMPFILE_BIT: 0o20000000,
} as const;

/** `O_DIRECTORY` and `O_NOFOLLOW` are numbered otherwise on aarch64: `arch/arm64/include/uapi/asm/fcntl.h`. */
export const OPEN_BY_ARCHITECTURE = {
  x86_64: { DIRECTORY: 0o200000, NOFOLLOW: 0o400000 },
  aarch64: { DIRECTORY: 0o40000, NOFOLLOW: 0o100000 },
} as const;

/** `linux/stat.h`. */
export const S_IF = {
  MASK: 0o170000,
  DIRECTORY: 0o040000,
  REGULAR: 0o100000,
  LINK: 0o120000,
  CHARACTER: 0o020000,
  BLOCK: 0o060000,
} as const;

/** Operations of `flock(2)`, `asm-generic/fcntl.h`. */
export const LOCK = { EX: 2, NB: 4, UN: 8 } as const;

/** `RLIMIT_*`, `asm-generic/resource.h`. */
export const RLIMIT = { FSIZE: 1, NPROC: 6, NOFILE: 7 } as const;

/** `linux/openat2.h`. */
export const RESOLVE = { NO_MAGICLINKS: 2, NO_SYMLINKS: 4, BENEATH: 8 } as const;

/** `AT_FDCWD`, `linux/fcntl.h`. */
export const AT_FDCWD = -100;
/** `linux/fcntl.h`. */
export const AT = {
  SYMLINK_NOFOLLOW: 0x100,
  REMOVEDIR: 0x200,
  SYMLINK_FOLLOW: 0x400,
  EMPTY_PATH: 0x1000,
} as const;
/** `linux/sched.h`: `CLONE_FS`. */
export const CLONE_FS = 0x200;
/** `asm-generic/poll.h`. */
export const POLL = { IN: 1, OUT: 4, ERR: 8, HUP: 16, NVAL: 32 } as const;
/** `linux/eventpoll.h`. */
export const EPOLL = { CLOEXEC: 0o2000000, CTL_ADD: 1, CTL_MOD: 3, IN: 1 } as const;
/** `linux/wait.h`. */
export const WAIT = {
  NOHANG: 1,
  EXITED: 4,
  NOWAIT: 0x01000000,
  WALL: 0x40000000,
  P_ALL: 0,
  P_PID: 1,
} as const;
/** `asm-generic/siginfo.h`, `si_code` of SIGCHLD. */
export const CLD = { EXITED: 1, KILLED: 2, DUMPED: 3 } as const;
/** `asm-generic/fcntl.h`: `F_GETFD` and its one flag, `FD_CLOEXEC`. */
export const F_GETFD = 1;
export const FD_CLOEXEC = 1;
/** `asm-generic/fcntl.h`: `F_GETFL`. */
export const F_GETFL = 3;
/** `asm-generic/fcntl.h`: `F_SETFL`. */
export const F_SETFL = 4;
/** `linux/fcntl.h`: `F_SETPIPE_SZ`. */
export const F_SETPIPE_SZ = 1031;
/** `X_OK`, `unistd.h`. */
export const X_OK = 1;
/** glibc `spawn.h`. */
export const POSIX_SPAWN = { SETSIGDEF: 0x04, SETSIGMASK: 0x08, SETSID: 0x80 } as const;

/** `linux/audit.h`: what `seccomp_data.arch` holds. */
export const AUDIT_ARCH = { x86_64: 0xc000003e, aarch64: 0xc00000b7 } as const;

/** `linux/socket.h`. */
export const AF = { UNSPEC: 0, UNIX: 1, INET: 2, INET6: 10, NETLINK: 16 } as const;
/** `linux/netlink.h`, `linux/socket.h` (MSG_DONTWAIT). */
export const NETLINK = {
  SOCK_DIAG: 4,
  DONE: 3,
  REQUEST: 1,
  DUMP: 0x300,
  DUMP_INTERRUPTED: 0x10,
  DONT_WAIT: 0x40,
} as const;
/** `SOCK_DIAG_BY_FAMILY`, `linux/sock_diag.h`. */
export const INET_DIAG = { BY_FAMILY: 20 } as const;
/** `linux/in.h`. */
export const IPPROTO_TCP = 6;
/** `linux/net.h`: socket types. */
export const SOCK = { STREAM: 1, DGRAM: 2, RAW: 3, SEQPACKET: 5 } as const;
/** `asm-generic/socket.h`. */
export const SO = {
  SOL_SOCKET: 1,
  TYPE: 3,
  LINGER: 13,
  PEERCRED: 17,
  SNDTIMEO: 21,
  SNDTIMEO_NEW: 67,
  ACCEPTCONN: 30,
  DOMAIN: 39,
} as const;
/** `linux/tcp.h`: level, name, and states as `net/tcp_states.h` numbers them. */
export const TCP = { LEVEL: 6, INFO: 11, SYN_SENT: 2, SYN_RECV: 3 } as const;
/** `linux/in6.h`: level and name of `IPV6_V6ONLY`. */
export const IPV6 = { LEVEL: 41, V6ONLY: 26 } as const;
