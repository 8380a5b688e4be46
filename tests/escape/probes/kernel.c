/* Calls by which a process would leave its namespaces, load code into the kernel or hide arguments from a filter. */
#include "probe.h"
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

static int mount_(void) {
  if (mount("none", ".", "tmpfs", 0, NULL) < 0) return errno;
  umount(".");
  return 0;
}
static int remount(void) { return outcome(mount("none", "/", NULL, MS_REMOUNT | MS_BIND | MS_REC, NULL)); }
/* EINVAL: "." is no mount point, but the caller may unmount. */
static int umount_(void) { return outcome(umount2(".", MNT_EXPIRE)); }
static int pivot_root_(void) { return outcome(syscall(SYS_pivot_root, ".", ".")); }
static int chroot_(void) { return outcome(chroot(".")); }

static int unshared(int flags) {
  pid_t child = fork();
  if (child == 0) _exit(outcome(unshare(flags)));
  int status;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
static int unshare_user(void) { return unshared(CLONE_NEWUSER); }
static int unshare_mount(void) { return unshared(CLONE_NEWNS); }
static int unshare_pid(void) { return unshared(CLONE_NEWPID); }
static int unshare_net(void) { return unshared(CLONE_NEWNET); }
static int setns_(void) {
  int own = open("/proc/self/ns/uts", O_RDONLY);
  return own < 0 ? 211 : outcome(setns(own, 0));
}

static int cloned(unsigned long flags) {
  long child = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child < 0) return errno;
  waitpid(child, NULL, 0);
  return 0;
}
static int clone_user(void) { return cloned(CLONE_NEWUSER); }
static int clone_mount(void) { return cloned(CLONE_NEWNS); }
/* Its parent, and not this process, waits for it. */
static int clone_parent(void) {
  long child = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child < 0 ? errno : 0;
}
static int clone_user_dirty(void) { return cloned((1UL << 32) | CLONE_NEWUSER); }
static int clone3_with(uint64_t flags) {
  /* struct clone_args of Linux 5.3: flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls. */
  uint64_t args[8] = {flags, 0, 0, 0, SIGCHLD};
  long child = syscall(NR_clone3, args, sizeof args);
  if (child == 0) _exit(0);
  if (child < 0) return errno;
  waitpid(child, NULL, 0);
  return 0;
}
static int clone3_(void) { return clone3_with(0); }
static int clone3_user(void) { return clone3_with(CLONE_NEWUSER); }

static int open_tree_(void) { return outcome(syscall(NR_open_tree, AT_FDCWD, ".", 1 /* OPEN_TREE_CLONE */)); }
static int fsopen_(void) { return outcome(syscall(NR_fsopen, "tmpfs", 0)); }
static int move_mount_(void) { return outcome(syscall(NR_move_mount, -1, "", AT_FDCWD, ".", 4)); }
static int mount_setattr_(void) {
  uint64_t attributes[4] = {0};
  return outcome(syscall(NR_mount_setattr, AT_FDCWD, ".", 0, attributes, sizeof attributes));
}

static int io_uring_setup_(void) {
  char params[120] = {0};
  return outcome(syscall(NR_io_uring_setup, 1, params));
}
static int io_uring_enter_(void) { return outcome(syscall(NR_io_uring_enter, -1, 0, 0, 0, NULL, 0)); }
static int io_uring_register_(void) { return outcome(syscall(NR_io_uring_register, -1, 0, NULL, 0)); }
static int bpf_(void) {
  /* BPF_MAP_CREATE of an array: type, key size, value size, entries. */
  uint32_t attributes[32] = {2, 4, 4, 1};
  return outcome(syscall(SYS_bpf, 0, attributes, sizeof attributes));
}
static int userfaultfd_(void) { return outcome(syscall(SYS_userfaultfd, O_CLOEXEC)); }
static int perf_event_open_(void) {
  /* PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK of this process, user space only. */
  uint64_t attributes[14] = {0};
  uint32_t *words = (uint32_t *)attributes;
  words[0] = 1;
  words[1] = sizeof attributes;
  attributes[5] = 1 << 5 | 1 << 6;
  return outcome(syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0));
}
static int keyctl_(void) { return outcome(syscall(SYS_keyctl, 0, -3 /* session keyring */, 1)); }
static int add_key_(void) { return outcome(syscall(SYS_add_key, "user", "debrief-probe", "x", 1, -1)); }
static int request_key_(void) { return outcome(syscall(SYS_request_key, "user", "debrief-none", NULL, 0)); }
static int personality_(void) { return outcome(personality(ADDR_NO_RANDOMIZE)); }
static int fanotify(void) { return outcome(syscall(SYS_fanotify_init, 0x200 /* FAN_REPORT_FID */, 0)); }
static int sethostname_(void) {
  char name[65] = {0};
  gethostname(name, 64);
  return outcome(sethostname(name, strlen(name)));
}
static int syslog_(void) { return outcome(syscall(SYS_syslog, 10 /* SYSLOG_ACTION_SIZE_BUFFER */, NULL, 0)); }
static int adjtimex_(void) {
  char buffer[256] = {0};
  return outcome(syscall(SYS_adjtimex, buffer));
}
static int init_module_(void) { return outcome(syscall(SYS_init_module, NULL, 0, "")); }
static int delete_module_(void) { return outcome(syscall(SYS_delete_module, "debrief_no_such_module", O_NONBLOCK)); }
static int reboot_(void) { return outcome(syscall(SYS_reboot, 0, 0, 0, NULL)); }
static int swapon_(void) { return outcome(syscall(SYS_swapon, "/nonexistent", 0)); }
static int quotactl_(void) { return outcome(syscall(SYS_quotactl, (int)0x80000100, NULL, 0, NULL)); }
static int trace_me(void) { return outcome(ptrace(PTRACE_TRACEME, 0, 0, 0)); }

static int shmget_(void) {
  int id = syscall(SYS_shmget, 0, 4096, 01600);
  if (id < 0) return errno;
  syscall(SYS_shmctl, id, 0, NULL);
  return 0;
}
static int msgget_(void) {
  int id = syscall(SYS_msgget, 0, 01600);
  if (id < 0) return errno;
  syscall(SYS_msgctl, id, 0, NULL);
  return 0;
}
static int semget_(void) {
  int id = syscall(SYS_semget, 0, 1, 01600);
  if (id < 0) return errno;
  syscall(SYS_semctl, id, 0, 0, NULL);
  return 0;
}
static int mq_open_(void) {
  int queue = syscall(SYS_mq_open, "debrief-probe", O_RDWR | O_CREAT, 0600, NULL);
  if (queue < 0) return errno;
  syscall(SYS_mq_unlink, "debrief-probe");
  return 0;
}

#ifdef __x86_64__
/* getpid by the 32-bit entry (arch/x86/entry/syscalls/syscall_32.tbl) and by an x32 number. */
static int int80(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
  return result < 0 ? (int)-result : 0;
}
static int x32(void) { return outcome(syscall(0x40000000 + SYS_getpid)); }
static int iopl_(void) { return outcome(syscall(SYS_iopl, 3)); }
static int modify_ldt_(void) {
  char table[64];
  return outcome(syscall(SYS_modify_ldt, 0, table, sizeof table));
}
#endif

const struct probe kernel_probes[] = {
    {"mount", mount_}, {"remount", remount}, {"umount", umount_}, {"pivot_root", pivot_root_}, {"chroot", chroot_},
    {"unshare-user", unshare_user}, {"unshare-mount", unshare_mount}, {"unshare-pid", unshare_pid},
    {"unshare-net", unshare_net}, {"setns", setns_}, {"clone-user", clone_user}, {"clone-mount", clone_mount},
    {"clone-user-dirty", clone_user_dirty}, {"clone-parent", clone_parent}, {"clone3", clone3_}, {"clone3-user", clone3_user},
    {"open_tree", open_tree_}, {"fsopen", fsopen_}, {"move_mount", move_mount_}, {"mount_setattr", mount_setattr_},
    {"io_uring_setup", io_uring_setup_}, {"io_uring_enter", io_uring_enter_},
    {"io_uring_register", io_uring_register_}, {"bpf", bpf_}, {"userfaultfd", userfaultfd_},
    {"perf_event_open", perf_event_open_}, {"keyctl", keyctl_}, {"add_key", add_key_}, {"request_key", request_key_},
    {"personality", personality_}, {"fanotify_init", fanotify}, {"sethostname", sethostname_}, {"syslog", syslog_},
    {"adjtimex", adjtimex_}, {"init_module", init_module_}, {"delete_module", delete_module_}, {"reboot", reboot_},
    {"swapon", swapon_}, {"quotactl", quotactl_}, {"ptrace-me", trace_me}, {"shmget", shmget_}, {"msgget", msgget_},
    {"semget", semget_}, {"mq_open", mq_open_},
#ifdef __x86_64__
    {"int80", int80}, {"x32", x32}, {"iopl", iopl_}, {"modify_ldt", modify_ldt_},
#endif
    {NULL, NULL}};
