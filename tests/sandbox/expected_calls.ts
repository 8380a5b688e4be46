/**
 * What the jail answers to each call, written down a second time: a call that is added to the numbers and forgotten in
 * the rules, and so allowed, must fail a test. Each name of the tables stands in exactly one of these lists.
 */
import { setsockopt, SHARED_PORT, WAITING } from "./expected_options.ts";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Allowed whatever the arguments are. */
export const ALLOWED = words(`
  accept accept4 access alarm arch_prctl brk cachestat capget capset chdir clock_getres clock_gettime clock_nanosleep
  close close_range copy_file_range dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2
  epoll_wait eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate fchdir fdatasync
  fgetxattr flistxattr flock fork fstat fstatfs fsync ftruncate futex futex_requeue futex_wait futex_waitv futex_wake
  get_mempolicy get_robust_list get_thread_area getcpu getcwd getdents getdents64 getegid geteuid getgid getgroups
  getitimer getpeername getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage
  getsid getsockname getsockopt gettid gettimeofday getuid getxattr getxattrat inotify_init
  inotify_init1 inotify_rm_watch io_cancel io_destroy io_getevents io_pgetevents io_setup io_submit ioprio_get
  landlock_add_rule landlock_create_ruleset landlock_restrict_self lgetxattr link linkat listxattr listxattrat
  llistxattr lseek lsm_get_self_attr lsm_list_modules lstat madvise mbind membarrier memfd_create mincore mkdir mkdirat
  mlock mlock2 mlockall mmap mprotect mremap mseal msync munlock munlockall munmap name_to_handle_at nanosleep
  newfstatat pause pidfd_open pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll pread64 preadv preadv2 pselect6
  pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg rename renameat renameat2
  restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait
  sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
  sched_rr_get_interval sched_yield seccomp select sendfile set_mempolicy set_mempolicy_home_node set_robust_list
  set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setregid setresgid setresuid
  setreuid setrlimit setuid shutdown sigaltstack signalfd signalfd4 splice stat statfs statx symlink
  symlinkat sync sync_file_range syncfs sysinfo tee time timer_create timer_delete timer_getoverrun timer_gettime
  timer_settime timerfd_create timerfd_gettime timerfd_settime times truncate umask uname unlink unlinkat vfork vmsplice
  wait4 waitid write writev
`);

/** Handed to the supervisor whatever the arguments are: without one, those that change a file pass. */
export const FILE_CHANGES = words(`
  chown lchown fchown fchownat utime utimes futimesat utimensat setxattr lsetxattr fsetxattr removexattr lremovexattr
  fremovexattr setsid inotify_add_watch
`);

/** Handed to the supervisor whatever the arguments are: without one, EACCES (13). */
export const SOCKET_CALLS = words("bind listen connect");

/** Handed to the supervisor where the filter itself does not refuse. */
export const DECIDED_FURTHER: ReadonlySet<string> = new Set(
  words("chmod fchmod fchmodat fchmodat2"),
);

/** Answered with ENOSYS (38). */
export const NOT_THERE = words(`
  _sysctl add_key afs_syscall clone3 create_module epoll_ctl_old epoll_wait_old get_kernel_syms getpmsg io_uring_enter
  io_uring_register io_uring_setup keyctl listmount lookup_dcookie lsm_set_self_attr map_shadow_stack memfd_secret
  modify_ldt mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink msgctl msgget msgrcv msgsnd
  nfsservctl openat2 pidfd_send_signal putpmsg query_module remap_file_pages removexattrat request_key security semctl
  semget semop semtimedop setxattrat shmat shmctl shmdt shmget statmount sysfs tuxcall uselib userfaultfd ustat vserver
`);

/** Answered with EPERM (1). */
export const NOT_PERMITTED = words(`
  acct adjtimex bpf chroot clock_adjtime clock_settime delete_module fanotify_init fanotify_mark finit_module fsconfig
  fsmount fsopen fspick init_module ioperm iopl kcmp kexec_file_load kexec_load mount mount_setattr move_mount
  open_by_handle_at open_tree perf_event_open pidfd_getfd pivot_root process_madvise process_mrelease process_vm_readv
  process_vm_writev ptrace quotactl quotactl_fd reboot setdomainname sethostname setns settimeofday swapoff swapon syslog
  umount2 unshare vhangup
`);

/** One call that is decided on its arguments, with arguments of both sides. */
export interface Decided {
  readonly call: string;
  readonly allowed: readonly (readonly number[])[];
  readonly refused: readonly (readonly number[])[];
  readonly errno: number;
  /** Arguments with which it is handed to the supervisor. */
  readonly notified?: readonly (readonly number[])[];
  /** Arguments with which it succeeds without effect. */
  readonly ignored?: readonly (readonly number[])[];
}

/** Ids that the tests build their filter with. */
export const IDS = { shellPid: 4242, jailTid: 4250 };
const OTHER = 777;
const MINUS_ONE = 0xffffffff;
const SHELL_GROUP = (-IDS.shellPid) >>> 0;
const NO_ID_BITS = [0, 0o644, 0o1777];
const ID_BITS = [0o4755, 0o2755, 0o6777, 0o102755];
const [O_WRONLY, O_CREAT, O_TMPFILE, O_DIRECTORY] = [1, 0o100, 0o20200000, 0o200000];
const [CLOEXEC, NONBLOCK] = [0o2000000, 0o4000];
const modes = (list: readonly number[], at: number) =>
  list.map((mode) => [...Array(at).fill(3), mode]);
const aimed = (call: string, both: boolean): Decided => ({
  call,
  allowed: [[0, 9], [OTHER, 9], [MINUS_ONE, 9], [OTHER, OTHER + 1, 9]].filter(([a]) =>
    both ? a === OTHER : true
  ),
  refused: [
    [IDS.shellPid, 9],
    [IDS.jailTid, 9],
    [SHELL_GROUP, 9],
    ...both ? [[OTHER, IDS.jailTid, 9], [IDS.shellPid, OTHER, 9], [OTHER, IDS.shellPid, 9]] : [],
  ],
  errno: 1,
});
const own = (call: string): Decided => ({
  call,
  allowed: [[0]],
  refused: [[1], [OTHER], [IDS.shellPid], [IDS.jailTid], [MINUS_ONE]],
  errno: 1,
});

/** TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP. */
const TERMINAL_AND_OWNER = [0x5412, 0x541c, 0x8901, 0x8902, 0x540a, 0x540c, 0x540e, 0x5423];
/** Of a terminal's queues commands may discard the input (TCIFLUSH), not the output (TCOFLUSH, TCIOFLUSH). */
const TCFLSH = 0x540b;
/**
 * FS_IOC_SETFLAGS and its 32 bit form, FSSETXATTR, SETVERSION likewise, ENABLE_VERITY, SET_ENCRYPTION_POLICY; FAT;
 * EXT4_IOC_SETVERSION, FS_IOC_REMOVE_ENCRYPTION_KEY, F2FS_IOC_SET_PIN_FILE; btrfs.
 */
const FILE_SYSTEM = [
  ...[0x40086602, 0x40046602, 0x401c5820, 0x40087602, 0x40047602, 0x40806685, 0x800c6613],
  ...[0x40047211, 0x40086604, 0xc0406618, 0x4004f50d],
  ...[0x50009401, 0x5000940e, 0x5000940f, 0x50009417, 0x50009418, 0x4008941a, 0xc0c89425],
  0x5000943f,
];

/** Calls that are decided on their arguments, whatever the network. */
export const DECIDED: readonly Decided[] = [
  {
    call: "clone",
    // SIGCHLD; what glibc asks for a thread; vfork. Refused: CLONE_PARENT, and namespaces.
    allowed: [[17], [0x3d0f00], [0x4111], [0x01200011]],
    refused: [1 << 15, 1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30].map((
      bit,
    ) => [bit | 17]),
    errno: 1,
  },
  {
    call: "fcntl",
    // F_DUPFD … F_SETLKW, F_GETOWN, F_GETSIG, F_GETOWN_EX, F_OFD_SETLK, F_GETLEASE, F_DUPFD_CLOEXEC, F_SETPIPE_SZ, F_ADD_SEALS.
    allowed: [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 16, 37, 1025, 1030, 1031, 1033].map((c) => [3, c]),
    refused: [8, 10, 15, 1024, 1026, 1040].map((command) => [3, command]),
    errno: 1,
  },
  {
    call: "ioctl",
    // TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FICLONE, FICLONERANGE, FIDEDUPERANGE, FS_IOC_GETFLAGS, FSGETXATTR.
    allowed: [
      ...[
        0x5401,
        0x5413,
        0x541b,
        0x5421,
        0x5451,
        0x40049409,
        0x4020940d,
        0xc0189436,
        0x80086601,
        0x801c581f,
      ],
    ].map((c) => [1, c]).concat([[1, TCFLSH, 0]]),
    refused: [...TERMINAL_AND_OWNER, ...FILE_SYSTEM].map((command) => [1, command])
      .concat([[1, TCFLSH, 1], [1, TCFLSH, 2]]),
    errno: 1,
  },
  {
    call: "personality",
    allowed: [[0], [MINUS_ONE]],
    refused: [[0x40000], [8], [0x20000]],
    errno: 1,
  },
  // PR_SET_DUMPABLE succeeds without effect.
  { call: "prctl", allowed: [[3], [1, 9], [38, 1], [15]], refused: [[4, 0], [4, 1]], errno: 0 },
  // MSG_FASTOPEN connects.
  ...[["sendto", [1]], ["sendmsg", []], ["sendmmsg", [9]]].map(([call, before]) => ({
    call: call as string,
    allowed: [0, 0x4040].map((flags) => [3, 0x20000000, ...before as number[], flags]),
    refused: [0x20000000, 0x20004040].map((flags) => [3, 0, ...before as number[], flags]),
    errno: 13,
  })),
  aimed("kill", false),
  aimed("tkill", false),
  aimed("tgkill", true),
  aimed("rt_sigqueueinfo", false),
  aimed("rt_tgsigqueueinfo", true),
  ...words(
    "prlimit64 sched_setaffinity sched_setscheduler sched_setparam sched_setattr move_pages migrate_pages",
  )
    .map(own),
  {
    call: "setpriority",
    allowed: [[0, 0], [1, 0]],
    refused: [[0, 1], [1, OTHER], [2, 0], [3, 0]],
    errno: 1,
  },
  {
    call: "ioprio_set",
    allowed: [[1, 0], [2, 0]],
    refused: [[1, 1], [2, OTHER], [3, 0], [0, 0]],
    errno: 1,
  },
  ...["chmod", "fchmod", "creat", "mknod"].map((call) => ({
    call,
    allowed: modes(NO_ID_BITS, 1),
    refused: modes(ID_BITS, 1),
    errno: 1,
  })),
  ...["fchmodat", "fchmodat2", "mknodat"].map((call) => ({
    call,
    allowed: modes(NO_ID_BITS, 2),
    refused: modes(ID_BITS, 2),
    errno: 1,
  })),
  ...[["open", 1], ["openat", 2]].map(([call, at]) => {
    const before = Array(at as number).fill(3);
    return {
      call: call as string,
      // Without O_CREAT and O_TMPFILE the mode is whatever was in the register.
      allowed: [[0, 0o6777], [O_WRONLY, 0o4755], [O_DIRECTORY, 0o2000], [O_CREAT, 0o644], [
        O_TMPFILE,
        0o600,
      ]]
        .map((rest) => [...before, ...rest]),
      refused: [
        [O_CREAT, 0o4755],
        [O_CREAT | O_WRONLY, 0o2644],
        [O_TMPFILE, 0o4755],
        // Access mode 3 asks Landlock for nothing.
        [3, 0],
        [3 | O_CREAT, 0o644],
      ]
        .map((rest) => [...before, ...rest]),
      errno: 1,
    };
  }),
  {
    call: "socketpair",
    allowed: [[1, 1], [1, 5], [1, 1 | CLOEXEC], [1, 5 | NONBLOCK | CLOEXEC]],
    refused: [[1, 2], [1, 2 | CLOEXEC], [1, 3], [2, 1], [16, 3], [30, 1], [0, 1]],
    errno: 97,
  },
];

const NETLINK_ROUTE = [[16, 3, 0], [16, 2, 0], [16, 3 | CLOEXEC, 0]];
const NEVER = [
  // AF_UNIX datagram, raw internet sockets, ICMP, MPTCP, SCTP, netlink audit, generic and netfilter.
  ...[[1, 2, 0], [1, 5, 0], [2, 3, 255], [10, 3, 255], [2, 2, 1], [10, 2, 58], [2, 1, 262], [
    2,
    1,
    132,
  ]],
  ...[[16, 3, 9], [16, 3, 16], [16, 3, 12], [16, 2, 15]],
  // AF_PACKET, AF_ALG, AF_VSOCK, AF_BLUETOOTH, AF_CAN, AF_XDP, AF_KEY, AF_TIPC, AF_RXRPC, AF_UNSPEC.
  ...[
    [17, 3, 0],
    [38, 5, 0],
    [40, 1, 0],
    [31, 1, 0],
    [29, 3, 1],
    [44, 3, 0],
    [15, 3, 2],
    [30, 1, 0],
    [33, 2, 2],
    [0, 1, 0],
  ],
];
const STREAMS = [[2, 1, 0], [2, 1, 6], [10, 1, 6], [10, 1, 0], [2, 1 | NONBLOCK | CLOEXEC, 0]];
const DATAGRAMS = [[2, 2, 17], [10, 2, 0], [2, 2 | NONBLOCK | CLOEXEC, 0]];
const UNIX = [[1, 1, 0], [1, 1 | CLOEXEC | NONBLOCK, 0]];
const socket = (
  allowed: readonly (readonly number[])[],
  refused: readonly (readonly number[])[],
): Decided => ({ call: "socket", allowed, refused, errno: 13 });

/** Calls that are decided on their arguments, by network; `alone` is none without a supervisor. */
export const DECIDED_BY_NET: Readonly<Record<"none" | "all" | "alone", readonly Decided[]>> = {
  none: [
    socket([...UNIX, ...STREAMS, ...NETLINK_ROUTE], [...DATAGRAMS, ...NEVER]),
    setsockopt([], { notified: WAITING, ignored: SHARED_PORT }),
  ],
  all: [
    socket([...UNIX, ...STREAMS, ...DATAGRAMS, ...NETLINK_ROUTE], NEVER),
    setsockopt(SHARED_PORT, { notified: WAITING }),
  ],
  alone: [
    socket([...UNIX, ...NETLINK_ROUTE], [...STREAMS, ...DATAGRAMS, ...NEVER]),
    setsockopt(WAITING, { ignored: SHARED_PORT }),
  ],
};
