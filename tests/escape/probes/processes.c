/* What one process can do to another: here to every thread of the shell. */
#include "tasks.h"
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

static int seize(pid_t leader, pid_t task) {
  (void)leader;
  if (ptrace(PTRACE_SEIZE, task, 0, 0) < 0) return errno;
  ptrace(PTRACE_DETACH, task, 0, 0);
  return 0;
}
static int ptrace_seize(void) { return any_task(seize); }

static int attach(pid_t leader, pid_t task) {
  (void)leader;
  if (ptrace(PTRACE_ATTACH, task, 0, 0) < 0) return errno;
  waitpid(task, NULL, __WALL);
  ptrace(PTRACE_DETACH, task, 0, 0);
  return 0;
}
static int ptrace_attach(void) { return any_task(attach); }

/* The remote address is not mapped: EFAULT means that permission was granted. */
static int copied(long result) { return result < 0 && errno != EFAULT ? errno : 0; }
static int vm_read(pid_t leader, pid_t task) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)1, 1};
  (void)leader;
  return copied(syscall(SYS_process_vm_readv, task, &here, 1, &there, 1, 0));
}
static int vm_write(pid_t leader, pid_t task) {
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {(void *)1, 1};
  (void)leader;
  return copied(syscall(SYS_process_vm_writev, task, &here, 1, &there, 1, 0));
}
static int process_vm_readv_(void) { return any_task(vm_read); }
static int process_vm_writev_(void) { return any_task(vm_write); }

static int limit(pid_t leader, pid_t task) {
  struct rlimit old;
  (void)leader;
  if (syscall(SYS_prlimit64, task, RLIMIT_NOFILE, NULL, &old) < 0) return errno;
  return outcome(syscall(SYS_prlimit64, task, RLIMIT_NOFILE, &old, NULL));
}
static int prlimit_(void) { return any_task(limit); }
static int limit_dirty(pid_t leader, pid_t task) {
  struct rlimit old;
  (void)leader;
  return outcome(syscall(SYS_prlimit64, (1L << 32) | task, RLIMIT_NOFILE, NULL, &old));
}
static int prlimit_dirty(void) { return any_task(limit_dirty); }

static int nice_(pid_t leader, pid_t task) {
  (void)leader;
  return outcome(setpriority(PRIO_PROCESS, task, getpriority(PRIO_PROCESS, task)));
}
static int renice(void) { return any_task(nice_); }
static int renice_user(void) { return outcome(setpriority(PRIO_USER, getuid(), getpriority(PRIO_PROCESS, 0))); }

static int affinity(pid_t leader, pid_t task) {
  cpu_set_t set;
  (void)leader;
  sched_getaffinity(task, sizeof set, &set);
  return outcome(sched_setaffinity(task, sizeof set, &set));
}
static int setaffinity(void) { return any_task(affinity); }

static int scheduler(pid_t leader, pid_t task) {
  struct sched_param param = {0};
  (void)leader;
  return outcome(syscall(SYS_sched_setscheduler, task, SCHED_OTHER, &param));
}
static int setscheduler(void) { return any_task(scheduler); }

/* IOPRIO_WHO_PROCESS, IOPRIO_CLASS_BE level 4: linux/ioprio.h. */
static int io_priority(pid_t leader, pid_t task) {
  (void)leader;
  return outcome(syscall(SYS_ioprio_set, 1, task, (2 << 13) | 4));
}
static int ioprio(void) { return any_task(io_priority); }

static int pages(pid_t leader, pid_t task) {
  void *page = NULL;
  int state;
  (void)task;
  return outcome(syscall(SYS_move_pages, leader, 1, &page, NULL, &state, 0));
}
static int move_pages_(void) { return any_task(pages); }

static int pidfd(void) { return syscall(NR_pidfd_open, victim(), 0); }
static int pidfd_getfd_(void) {
  int process = pidfd();
  return process < 0 ? 211 : outcome(syscall(NR_pidfd_getfd, process, 0, 0));
}
static int process_madvise_(void) {
  int process = pidfd();
  struct iovec range = {NULL, 0};
  return process < 0 ? 211 : outcome(syscall(NR_process_madvise, process, &range, 1, 20 /* MADV_COLD */, 0));
}
static int kcmp_(void) { return outcome(syscall(SYS_kcmp, getpid(), victim(), 0, 0, 0)); }

#define TASK_FILE(symbol, name) \
  static int symbol##_of(pid_t leader, pid_t task) { return open_task(leader, task, name); } \
  static int symbol(void) { return any_task(symbol##_of); }
TASK_FILE(task_mem, "mem")
TASK_FILE(task_environ, "environ")
TASK_FILE(task_maps, "maps")
TASK_FILE(task_auxv, "auxv")
TASK_FILE(task_fd, "fd/0")
TASK_FILE(task_fdinfo, "fdinfo")
TASK_FILE(task_personality, "personality")

static int link_of(pid_t leader, pid_t task, const char *name) {
  char path[96], target[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", leader, task, name);
  return outcome(readlink(path, target, sizeof target));
}
#define TASK_LINK(symbol, name) \
  static int symbol##_of(pid_t leader, pid_t task) { return link_of(leader, task, name); } \
  static int symbol(void) { return any_task(symbol##_of); }
TASK_LINK(task_root, "root")
TASK_LINK(task_cwd, "cwd")
TASK_LINK(task_stdin, "fd/0")

/* How many threads of the shell carry a filter: the jail's own, and no other that it might have started. */
static int one_filtered_task(void) {
  char path[96], line[256];
  int filtered = 0;
  snprintf(path, sizeof path, "/proc/%d/task", victim());
  DIR *directory = opendir(path);
  for (struct dirent *entry; directory && (entry = readdir(directory)) != NULL;) {
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", victim(), atoi(entry->d_name));
    FILE *file = atoi(entry->d_name) > 0 ? fopen(path, "r") : NULL;
    while (file && fgets(line, sizeof line, file))
      if (strncmp(line, "Seccomp:\t2", 10) == 0) filtered++;
    if (file) fclose(file);
  }
  return filtered == 1 ? 0 : 210;
}

const struct probe process_probes[] = {
    {"ptrace-seize", ptrace_seize}, {"ptrace-attach", ptrace_attach},
    {"process_vm_readv", process_vm_readv_}, {"process_vm_writev", process_vm_writev_},
    {"prlimit", prlimit_}, {"prlimit-dirty", prlimit_dirty}, {"renice", renice}, {"renice-user", renice_user},
    {"setaffinity", setaffinity}, {"setscheduler", setscheduler}, {"ioprio", ioprio},
    {"move_pages", move_pages_}, {"pidfd_getfd", pidfd_getfd_}, {"process_madvise", process_madvise_},
    {"kcmp", kcmp_}, {"task-mem", task_mem}, {"task-environ", task_environ}, {"task-maps", task_maps},
    {"task-auxv", task_auxv}, {"task-fd", task_fd}, {"task-fdinfo", task_fdinfo},
    {"task-personality", task_personality}, {"task-root", task_root}, {"task-cwd", task_cwd},
    {"task-stdin", task_stdin}, {"one-filtered-task", one_filtered_task}, {NULL, NULL}};
