/** What a command must not be able to do to the shell, to its threads, and to other processes of the user. */
import type { Case } from "./attempt.ts";

const [EPERM, EBADF, EACCES, ENOTTY, ENOSYS] = [1, 9, 13, 25, 38] as const;

function call(name: string, rest: Omit<Case, "try">): Case {
  return { try: `calls ${name}`, ...rest };
}

/** Reaching into the shell. */
export const PROCESS_CASES: readonly Case[] = [
  call("ptrace-seize", { in: "PTRACE_SEIZE of each thread of the shell", want: [EPERM] }),
  call("ptrace-attach", { in: "PTRACE_ATTACH to each thread of the shell", want: [EPERM] }),
  call("ptrace-me", { in: "PTRACE_TRACEME", want: [EPERM] }),
  call("process_vm_readv", { in: "process_vm_readv of each thread", want: [EPERM] }),
  call("process_vm_writev", { in: "process_vm_writev to each thread", want: [EPERM] }),
  call("pidfd_getfd", { in: "taking a descriptor of the shell", want: [EPERM] }),
  call("process_madvise", { in: "process_madvise on the shell", want: [EPERM], control: "root" }),
  call("kcmp", { in: "kcmp with the shell", want: [EPERM] }),
  call("move_pages", { in: "move_pages of the shell", want: [EPERM] }),
  call("task-mem", { in: "/proc/SHELL/task/*/mem", want: [EPERM, EACCES] }),
  call("task-environ", { in: "/proc/SHELL/task/*/environ", want: [EPERM, EACCES] }),
  call("task-maps", { in: "/proc/SHELL/task/*/maps", want: [EPERM, EACCES] }),
  call("task-auxv", { in: "/proc/SHELL/task/*/auxv", want: [EPERM, EACCES] }),
  call("task-fd", { in: "opening /proc/SHELL/task/*/fd/0", want: [EPERM, EACCES] }),
  call("task-fdinfo", { in: "/proc/SHELL/task/*/fdinfo", want: [EPERM, EACCES] }),
  call("task-personality", { in: "/proc/SHELL/task/*/personality", want: [EPERM, EACCES] }),
  call("task-root", { in: "/proc/SHELL/task/*/root", want: [EPERM, EACCES] }),
  call("task-cwd", { in: "/proc/SHELL/task/*/cwd", want: [EPERM, EACCES] }),
  call("task-stdin", { in: "the link /proc/SHELL/task/*/fd/0", want: [EPERM, EACCES] }),
  { in: "/proc/SHELL/mem by name", try: "exec 9<>/proc/$VICTIM/mem" },
  { in: "//proc/./SHELL/environ", try: "cat //proc/.//$VICTIM/environ" },
  // Hosts may close these two to root as well; $OTHER below is their control.
  { in: "/proc/1/environ", try: "cat /proc/1/environ", bare: [0, 1] },
  { in: "/proc/1/root", try: "ls /proc/1/root/", bare: [0, 2] },
  { in: "the environment of another process of the user", try: "cat /proc/$OTHER/environ" },
  { in: "the open files of another process", try: "readlink /proc/$OTHER/fd/0" },

  call("prlimit", { in: "prlimit on each thread of the shell", want: [EPERM] }),
  call("prlimit-dirty", { in: "prlimit with dirty upper bits", want: [EPERM] }),
  call("renice", { in: "renice of each thread of the shell", want: [EPERM] }),
  call("renice-user", { in: "renice of all processes of the user", want: [EPERM] }),
  call("setaffinity", { in: "sched_setaffinity of each thread", want: [EPERM] }),
  call("setscheduler", { in: "sched_setscheduler of each thread", want: [EPERM] }),
  call("ioprio", { in: "ioprio_set of each thread", want: [EPERM] }),
];

/** Signals to what is not the command's own. */
export const SIGNAL_CASES: readonly Case[] = [
  call("kill", { in: "kill of the shell", want: [EPERM] }),
  call("kill-thread-ids", { in: "kill with the id of each thread of the shell", want: [EPERM] }),
  call("kill-dirty", { in: "kill with dirty upper bits", want: [EPERM] }),
  call("tgkill", { in: "tgkill of each thread of the shell", want: [EPERM] }),
  call("tkill", { in: "tkill of each thread of the shell", want: [EPERM] }),
  call("sigqueue", { in: "rt_sigqueueinfo to each thread of the shell", want: [EPERM] }),
  call("tgsigqueue", { in: "rt_tgsigqueueinfo to each thread of the shell", want: [EPERM] }),
  call("kill-group", { in: "kill of the shell's process group", want: [EPERM] }),
  call("kill-other", { in: "kill of another process of the user", want: [EPERM] }),
  call("pidfd_send_signal", { in: "pidfd_send_signal to the shell", want: [ENOSYS] }),
  call("proc-send-signal", {
    in: "pidfd_send_signal by /proc/TID of each thread of the shell",
    want: [ENOSYS],
    // A thread's directory names no process, so only the leader's can be signalled.
    bare: [0],
  }),
  call("F_SETOWN", { in: "F_SETOWN to each thread of the shell", want: [EPERM] }),
  call("F_SETOWN-dirty", { in: "F_SETOWN with dirty upper bits", want: [EPERM] }),
  call("F_SETOWN_EX", { in: "F_SETOWN_EX to each thread of the shell", want: [EPERM] }),
  // A pipe has neither of these two; what counts is that the kernel is not asked.
  call("FIOSETOWN", { in: "FIOSETOWN to each thread of the shell", want: [EPERM], bare: [ENOTTY] }),
  call("SIOCSPGRP", { in: "SIOCSPGRP", want: [EPERM], bare: [ENOTTY] }),
  call("F_SETSIG", { in: "F_SETSIG", want: [EPERM] }),
  call("F_SETLEASE", { in: "F_SETLEASE", want: [EPERM] }),
  call("F_NOTIFY", { in: "F_NOTIFY", want: [EPERM] }),
];

/** Doors of the kernel itself. */
export const KERNEL_CASES: readonly Case[] = [
  call("mount", { in: "mount", want: [EPERM], control: "root" }),
  call("remount", { in: "a remount of /", want: [EPERM], control: "root" }),
  // "." is no mount point: the kernel says EINVAL to who may unmount.
  call("umount", { in: "umount", want: [EPERM], bare: [22], control: "root" }),
  call("pivot_root", { in: "pivot_root", want: [EPERM], bare: [16, 22], control: "root" }),
  call("chroot", { in: "chroot", want: [EPERM], control: "root" }),
  call("open_tree", { in: "open_tree", want: [EPERM], control: "root" }),
  call("fsopen", { in: "fsopen", want: [EPERM], control: "root" }),
  call("move_mount", { in: "move_mount", want: [EPERM], bare: [EBADF], control: "root" }),
  call("mount_setattr", { in: "mount_setattr", want: [EPERM], control: "root" }),
  call("unshare-user", { in: "a user namespace by unshare", want: [EPERM], control: "root" }),
  call("unshare-mount", { in: "a mount namespace by unshare", want: [EPERM], control: "root" }),
  call("unshare-pid", { in: "a process namespace by unshare", want: [EPERM], control: "root" }),
  call("unshare-net", { in: "a network namespace by unshare", want: [EPERM], control: "root" }),
  call("setns", { in: "setns", want: [EPERM], control: "root" }),
  call("clone-user", { in: "a user namespace by clone", want: [EPERM], control: "root" }),
  call("clone-mount", { in: "a mount namespace by clone", want: [EPERM], control: "root" }),
  call("clone-user-dirty", { in: "clone with dirty upper bits", want: [EPERM], control: "root" }),
  call("clone-parent", { in: "a child of one's parent", want: [EPERM] }),
  call("clone3", { in: "clone3", want: [ENOSYS] }),
  call("clone3-user", { in: "a user namespace by clone3", want: [ENOSYS], control: "root" }),
  // Hosts turn io_uring off (kernel.io_uring_disabled): then EPERM, still another answer than ENOSYS.
  call("io_uring_setup", { in: "io_uring_setup", want: [ENOSYS], bare: [0, EPERM] }),
  call("io_uring_enter", { in: "io_uring_enter", want: [ENOSYS], bare: [EBADF] }),
  call("io_uring_register", { in: "io_uring_register", want: [ENOSYS], bare: [EBADF, 22, EPERM] }),
  call("bpf", { in: "bpf", want: [EPERM], control: "root" }),
  call("userfaultfd", { in: "userfaultfd", want: [ENOSYS], bare: [0, EPERM] }),
  call("perf_event_open", { in: "perf_event_open", want: [EPERM], control: "root" }),
  call("keyctl", { in: "keyctl", want: [ENOSYS] }),
  call("add_key", { in: "add_key", want: [ENOSYS] }),
  // ENOKEY: there is no such key.
  call("request_key", { in: "request_key", want: [ENOSYS], bare: [126] }),
  call("personality", { in: "personality", want: [EPERM] }),
  call("fanotify_init", { in: "fanotify_init", want: [EPERM] }),
  call("sethostname", { in: "sethostname", want: [EPERM], control: "root" }),
  call("syslog", { in: "syslog", want: [EPERM], control: "root" }),
  call("adjtimex", { in: "adjtimex", want: [EPERM] }),
  // Kernels without modules say ENOSYS, others that the module is none (ENOENT, EFAULT, ENOEXEC).
  call("init_module", {
    in: "init_module",
    want: [EPERM],
    bare: [2, 8, 14, ENOSYS],
    control: "root",
  }),
  call("delete_module", { in: "delete_module", want: [EPERM], bare: [2, ENOSYS], control: "root" }),
  // The magic numbers are wrong on purpose.
  call("reboot", { in: "reboot", want: [EPERM], bare: [22], control: "root" }),
  call("swapon", { in: "swapon", want: [EPERM], bare: [2, ENOSYS], control: "root" }),
  call("shmget", { in: "SysV shared memory", want: [ENOSYS] }),
  call("msgget", { in: "SysV messages", want: [ENOSYS] }),
  call("semget", { in: "SysV semaphores", want: [ENOSYS] }),
  call("mq_open", { in: "POSIX message queues", want: [ENOSYS] }),
  call("int80", { in: "the 32-bit entry", want: [ENOSYS], only: "x86_64" }),
  call("modify_ldt", { in: "modify_ldt", want: [ENOSYS], only: "x86_64" }),
  {
    in: "CapEff, NoNewPrivs or Seccomp other than those of a jail",
    try:
      `! grep -Eq '^CapEff:\\s0+$' /proc/self/status || ! grep -q '^NoNewPrivs:\\s*1$' /proc/self/status ||
      ! grep -q '^Seccomp:\\s*2$' /proc/self/status`,
  },
  {
    in: "a capability in any set",
    try: "grep -E '^Cap(Inh|Prm|Eff|Amb):' /proc/self/status | grep -vq 0000000000000000",
    control: "root",
  },
  {
    in: "another user's identity by a set-user-id program",
    try: "su root -c true",
    control: "root",
  },
];
