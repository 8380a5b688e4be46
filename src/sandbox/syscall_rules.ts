/**
 * What a jailed process may ask the kernel for, as data: calls that do not exist for it, calls that are refused,
 * and calls that are decided on their arguments. Every other call of the table in linux/syscalls.ts is allowed;
 * a call that the table does not know answers ENOSYS.
 */
import { ERRNO, OPEN } from "./linux/uapi.ts";

/** A test on the low 32 bits of one argument. */
export interface Test {
  readonly arg: number;
  /** Applied before comparing; all bits when absent. */
  readonly mask?: number;
  /** True when the masked value is one of these; when absent, true when any bit of the mask is set. */
  readonly in?: readonly number[];
}

/** Tests that must all hold. */
export type Clause = readonly Test[];

/** A call that is decided on its arguments. */
export interface ArgumentRule {
  readonly call: string;
  /** The call passes exactly when one clause holds; `deny` is the other way round. */
  readonly allow?: readonly Clause[];
  readonly deny?: readonly Clause[];
  readonly errno: number;
  /** What `deny` leaves: calls that are answered otherwise, the first clause that holds deciding. */
  readonly further?: readonly {
    readonly clause: Clause;
    readonly answer: "supervisor" | "nothing";
  }[];
}

/** Ids that signals and scheduling calls must not be aimed at. */
export interface Protected {
  /** Process id of the shell. */
  readonly shellPid: number;
  /** Thread id of the jail's own thread, which is in the commands' Landlock domain. */
  readonly jailTid: number;
}

/**
 * Answered with ENOSYS, as on a kernel built without them, so that programs take their older ways: io_uring and
 * clone3 and openat2 hide their arguments from seccomp, SysV IPC and POSIX queues reach other processes' segments,
 * pidfd_send_signal and setxattrat go around checks made on their older forms.
 */
export const ABSENT: readonly string[] = [
  ..."io_uring_setup io_uring_enter io_uring_register clone3 openat2 pidfd_send_signal setxattrat removexattrat"
    .split(" "),
  ..."shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl".split(
    " ",
  ),
  ..."mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr".split(" "),
  ..."add_key request_key keyctl userfaultfd memfd_secret map_shadow_stack modify_ldt".split(" "),
  ..."uselib ustat sysfs _sysctl create_module get_kernel_syms query_module nfsservctl getpmsg putpmsg"
    .split(" "),
  ..."afs_syscall tuxcall security vserver epoll_ctl_old epoll_wait_old lookup_dcookie remap_file_pages"
    .split(" "),
  ..."lsm_set_self_attr statmount listmount".split(" "),
];

/** Those of `ABSENT` that reach only the caller's own in an IPC namespace: ipc_namespaces(7). */
export const OWN_IPC: ReadonlySet<string> = new Set(
  ABSENT.filter((call) => /^(?:shm(?:get|at|ctl|dt)|sem(?:get|op|ctl|timedop)|msg|mq_)/.test(call)),
);

/** Answered with EPERM: what an ordinary user may not do either, or may do to processes that are not the command's. */
export const REFUSED: readonly string[] = [
  ..."ptrace process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp"
    .split(" "),
  ..."mount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr"
    .split(" "),
  ..."unshare setns bpf perf_event_open fanotify_init fanotify_mark open_by_handle_at quotactl quotactl_fd"
    .split(" "),
  ..."init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct"
    .split(" "),
  ..."settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname syslog vhangup iopl ioperm"
    .split(" "),
];

/**
 * Handed to the supervisor (supervisor.ts). Landlock knows none of the first group; sockets need decisions on addresses,
 * which lie in memory where a filter cannot look; `setsid` is how a command's first process announces itself before it
 * executes anything. Without a supervisor the first group and `setsid` pass, and the sockets' calls are refused.
 */
export const SUPERVISED = {
  metadata: [
    ..."chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes futimesat utimensat"
      .split(" "),
    ..."setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr".split(" "),
  ],
  sockets: "bind listen connect".split(" "),
  session: ["setsid"],
  watches: ["inotify_add_watch"],
  /** Some of these calls, as the rules of arguments say. */
  partly: ["setsockopt"],
} as const;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET: `linux/sched.h`. */
const CLONE_NAMESPACES = 0x7e020000;
/**
 * CLONE_PARENT: a sibling of its maker. A command's first process would make children of the jail's thread, which are
 * taken for commands that start.
 */
const CLONE_PARENT = 0x8000;
/** S_ISUID and S_ISGID, `linux/stat.h`. */
const SET_ID_BITS = 0o6000;
/** O_ACCMODE, `asm-generic/fcntl.h`. */
const ACCESS_MODE = 3;
/** SOCK_TYPE_MASK, `linux/net.h`. */
const SOCKET_TYPE = 0xf;
const [STREAM, DGRAM, RAW, SEQPACKET] = [1, 2, 3, 5];
const [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK] = [1, 2, 10, 16];
const [IPPROTO_DEFAULT, IPPROTO_TCP, IPPROTO_UDP] = [0, 6, 17];
const NETLINK_ROUTE = 0;
/** MSG_FASTOPEN, `linux/socket.h`: connects while it sends. */
const MSG_FASTOPEN = 0x20000000;
/** `PR_SET_DUMPABLE`, `linux/prctl.h`. */
const PR_SET_DUMPABLE = 4;

/** F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY, F_SETDELEG: `asm-generic/fcntl.h`, `linux/fcntl.h`. */
const FCNTL_REFUSED = [8, 10, 15, 1024, 1026, 1040];
/**
 * TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP: `asm-generic/ioctls.h`, `asm-generic/sockios.h`. TCXONC, which stops all that
 * is written to a terminal, and the shell with it; TIOCEXCL, TIOCSETD.
 */
const IOCTL_REFUSED = [0x5412, 0x541c, 0x8901, 0x8902, 0x540a, 0x540c, 0x5423];
/** TCFLSH, and what of it discards output that the terminal has not shown yet: TCOFLUSH, TCIOFLUSH. */
const DISCARD_OUTPUT: Clause = [{ arg: 1, in: [0x540b] }, { arg: 2, in: [1, 2] }];
/** TIOCSCTTY: a terminal that is nobody's would be the command's, and open to it as `/dev/tty`. */
const TAKE_TERMINAL = 0x540e;
/**
 * What changes a file or directory that is only open for reading, and so goes around Landlock: inode flags, attributes,
 * version, verity and encryption (`linux/fs.h`, `fs/ext4/ext4.h`, `linux/fsverity.h`, `linux/fscrypt.h`), FAT attributes
 * (`linux/msdos_fs.h`), pinned files (`linux/f2fs.h`), and subvolumes of btrfs, which are created and deleted through
 * their directory (`linux/btrfs.h`). Removing a key of the user's locks what is encrypted with it on the whole file system.
 */
const IOCTL_REFUSED_ON_FILES = [
  ...[0x40086602, 0x40046602, 0x401c5820, 0x40087602, 0x40047602, 0x40806685, 0x800c6613],
  ...[0x40047211, 0x40086604, 0xc0406618, 0x4004f50d],
  ...[
    0x50009401,
    0x5000940e,
    0x5000940f,
    0x50009417,
    0x50009418,
    0x4008941a,
    0xc0c89425,
    0x5000943f,
  ],
];
/** PER_LINUX, and the value that only asks: personality(2). */
const PERSONALITY_ALLOWED = [0, 0xffffffff];

function self(call: string, arg: number): ArgumentRule {
  return { call, allow: [[{ arg, in: [0] }]], errno: ERRNO.EPERM };
}

function setId(call: string, arg: number): ArgumentRule {
  return { call, deny: [[{ arg, mask: SET_ID_BITS }]], errno: ERRNO.EPERM };
}

/**
 * Opening a file: no set-id bits for a new one, and no access mode 3, which opens devices for `ioctl` alone and asks
 * Landlock for neither reading nor writing (`OPEN_FMODE`, `linux/fs.h`).
 */
function openRule(call: string, flagsArg: number, modeArg: number): ArgumentRule {
  const setId: Clause = [
    { arg: flagsArg, mask: OPEN.CREAT | OPEN.TMPFILE_BIT },
    { arg: modeArg, mask: SET_ID_BITS },
  ];
  const noAccess: Clause = [{ arg: flagsArg, mask: ACCESS_MODE, in: [ACCESS_MODE] }];
  return { call, deny: [setId, noAccess], errno: ERRNO.EPERM };
}

/** Calls that are decided on their arguments under every policy. */
export function argumentRules(
  { isolated = false, ...ids }: Protected & { readonly isolated?: boolean },
): readonly ArgumentRule[] {
  // Among mounts of its own a command has terminals of its own.
  const ioctls = isolated ? IOCTL_REFUSED : [...IOCTL_REFUSED, TAKE_TERMINAL];
  const ours = [ids.shellPid, ids.jailTid, -ids.shellPid >>> 0];
  const notOurs = (call: string, ...args: number[]): ArgumentRule => ({
    call,
    deny: args.map((arg) => [{ arg, in: ours }]),
    errno: ERRNO.EPERM,
  });
  return [
    {
      call: "clone",
      deny: [[{ arg: 0, mask: CLONE_NAMESPACES | CLONE_PARENT }]],
      errno: ERRNO.EPERM,
    },
    { call: "fcntl", deny: [[{ arg: 1, in: FCNTL_REFUSED }]], errno: ERRNO.EPERM },
    {
      call: "ioctl",
      deny: [
        [{ arg: 1, in: [...ioctls, ...IOCTL_REFUSED_ON_FILES] }],
        ...isolated ? [] : [DISCARD_OUTPUT],
      ],
      errno: ERRNO.EPERM,
    },
    { call: "personality", allow: [[{ arg: 0, in: PERSONALITY_ALLOWED }]], errno: ERRNO.EPERM },
    // Answered with success but not done: agents that hide their memory (ssh-agent) then still have a supervisor, which
    // could not look into them otherwise. Other commands could not see more than what they may see of each other anyway.
    { call: "prctl", deny: [[{ arg: 0, in: [PR_SET_DUMPABLE] }]], errno: 0 },
    ...[["sendto", 3], ["sendmsg", 2], ["sendmmsg", 3]].map(([call, arg]): ArgumentRule => ({
      call: call as string,
      deny: [[{ arg: arg as number, mask: MSG_FASTOPEN }]],
      errno: ERRNO.EACCES,
    })),
    notOurs("kill", 0),
    notOurs("tkill", 0),
    notOurs("tgkill", 0, 1),
    notOurs("rt_sigqueueinfo", 0),
    notOurs("rt_tgsigqueueinfo", 0, 1),
    self("prlimit64", 0),
    self("sched_setaffinity", 0),
    self("sched_setscheduler", 0),
    self("sched_setparam", 0),
    self("sched_setattr", 0),
    self("move_pages", 0),
    self("migrate_pages", 0),
    // PRIO_PROCESS and PRIO_PGRP of the caller; IOPRIO_WHO_PROCESS and _PGRP likewise.
    {
      call: "setpriority",
      allow: [[{ arg: 0, in: [0, 1] }, { arg: 1, in: [0] }]],
      errno: ERRNO.EPERM,
    },
    {
      call: "ioprio_set",
      allow: [[{ arg: 0, in: [1, 2] }, { arg: 1, in: [0] }]],
      errno: ERRNO.EPERM,
    },
    setId("chmod", 1),
    setId("fchmod", 1),
    setId("fchmodat", 2),
    setId("fchmodat2", 2),
    setId("creat", 1),
    setId("mknod", 1),
    setId("mknodat", 2),
    openRule("open", 1, 2),
    openRule("openat", 2, 3),
    {
      // A datagram pair could be sent from to any other socket's name; stream and seqpacket pairs cannot.
      call: "socketpair",
      allow: [[{ arg: 0, in: [AF_UNIX] }, { arg: 1, mask: SOCKET_TYPE, in: [STREAM, SEQPACKET] }]],
      errno: ERRNO.EAFNOSUPPORT,
    },
  ];
}

const NETLINK: Clause = [
  { arg: 0, in: [AF_NETLINK] },
  { arg: 1, mask: SOCKET_TYPE, in: [DGRAM, RAW] },
  { arg: 2, in: [NETLINK_ROUTE] },
];

/**
 * Which sockets exist. Addresses are the supervisor's to decide about, and so are unix peers; without one there is no
 * socket that could leave the machine, no `connect`, and none that listens.
 */
export function networkRules(
  { net, supervised }: { readonly net: "none" | "all"; readonly supervised: boolean },
): readonly ArgumentRule[] {
  const unix: Clause = [{ arg: 0, in: [AF_UNIX] }, { arg: 1, mask: SOCKET_TYPE, in: [STREAM] }];
  const stream: Clause = [
    { arg: 0, in: [AF_INET, AF_INET6] },
    { arg: 1, mask: SOCKET_TYPE, in: [STREAM] },
    { arg: 2, in: [IPPROTO_DEFAULT, IPPROTO_TCP] },
  ];
  const datagram: Clause = [
    { arg: 0, in: [AF_INET, AF_INET6] },
    { arg: 1, mask: SOCKET_TYPE, in: [DGRAM] },
    { arg: 2, in: [IPPROTO_DEFAULT, IPPROTO_UDP] },
  ];
  const internet = net === "all" ? [stream, datagram] : [stream];
  const allow = [unix, NETLINK, ...(supervised ? internet : [])];
  return [{ call: "socket", allow, errno: ERRNO.EACCES }];
}

/**
 * Which sockets exist in namespaces of their own: internet sockets reach a network of its own or, where the policy grants
 * it, all of the machine's. Unix sockets are files, and those of the host may lie in what is granted.
 */
export function isolatedNetworkRules(
  { net, loopback = true }: { readonly net: "none" | "all"; readonly loopback?: boolean },
): readonly ArgumentRule[] {
  const internet: Clause = [
    { arg: 0, in: [AF_INET, AF_INET6] },
    { arg: 1, mask: SOCKET_TYPE, in: [STREAM, DGRAM] },
    { arg: 2, in: [IPPROTO_DEFAULT, IPPROTO_TCP, IPPROTO_UDP] },
  ];
  const allow = net === "all" || loopback ? [internet, NETLINK] : [NETLINK];
  return [{ call: "socket", allow, errno: ERRNO.EACCES }];
}
