/* Signals, and what makes the kernel send some later. SIGURG is ignored by default: a delivery harms nobody. */
#include "tasks.h"
#include <signal.h>
#include <sys/ioctl.h>

static int to_process(pid_t leader, pid_t task) { (void)task; return outcome(syscall(SYS_kill, leader, SIGURG)); }
static int to_id(pid_t leader, pid_t task) { (void)leader; return outcome(syscall(SYS_kill, task, SIGURG)); }
static int to_thread(pid_t leader, pid_t task) { return outcome(syscall(SYS_tgkill, leader, task, SIGURG)); }
static int to_task(pid_t leader, pid_t task) { (void)leader; return outcome(syscall(SYS_tkill, task, SIGURG)); }
static int dirty(pid_t leader, pid_t task) {
  (void)leader;
  return outcome(syscall(SYS_kill, (0x7eadL << 32) | (uint32_t)task, SIGURG));
}
static siginfo_t queued(void) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = SIGURG;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  return info;
}
static int queue(pid_t leader, pid_t task) {
  siginfo_t info = queued();
  (void)leader;
  return outcome(syscall(SYS_rt_sigqueueinfo, task, SIGURG, &info));
}
static int queue_thread(pid_t leader, pid_t task) {
  siginfo_t info = queued();
  return outcome(syscall(SYS_rt_tgsigqueueinfo, leader, task, SIGURG, &info));
}
static int kill_process(void) { return any_task(to_process); }
static int kill_ids(void) { return any_task(to_id); }
static int kill_dirty(void) { return any_task(dirty); }
static int tgkill_(void) { return any_task(to_thread); }
static int tkill_(void) { return any_task(to_task); }
static int sigqueue_(void) { return any_task(queue); }
static int tgsigqueue(void) { return any_task(queue_thread); }
static int kill_group(void) { return outcome(syscall(SYS_kill, -getpgid(victim()), SIGURG)); }
static int kill_other(void) { return outcome(syscall(SYS_kill, atoi(given("OTHER")), SIGURG)); }
static int kill_parent_of_shell(void) { return outcome(syscall(SYS_kill, atoi(given("GRAND")), SIGURG)); }

static int pidfd_signal(void) {
  int process = syscall(NR_pidfd_open, victim(), 0);
  return process < 0 ? 211 : outcome(syscall(NR_pidfd_send_signal, process, SIGURG, NULL, 0));
}
static int by_directory(pid_t leader, pid_t task) {
  char path[64];
  (void)leader;
  snprintf(path, sizeof path, "/proc/%d", task);
  int directory = open(path, O_RDONLY | O_DIRECTORY);
  if (directory < 0) return 211;
  int status = outcome(syscall(NR_pidfd_send_signal, directory, SIGURG, NULL, 0));
  close(directory);
  return status;
}
static int proc_signal(void) { return any_task(by_directory); }

static int pipe_end(void) {
  int ends[2];
  return pipe(ends) < 0 ? -1 : ends[0];
}
static int owner(pid_t leader, pid_t task) { (void)leader; return outcome(syscall(SYS_fcntl, pipe_end(), F_SETOWN, task)); }
static int owner_dirty(pid_t leader, pid_t task) {
  (void)leader;
  return outcome(syscall(SYS_fcntl, pipe_end(), (1L << 40) | F_SETOWN, task));
}
static int owner_ex(pid_t leader, pid_t task) {
  struct f_owner_ex target = {F_OWNER_TID, task};
  (void)leader;
  return outcome(syscall(SYS_fcntl, pipe_end(), F_SETOWN_EX, &target));
}
static int owner_ioctl(pid_t leader, pid_t task) {
  (void)leader;
  int id = task;
  return outcome(syscall(SYS_ioctl, pipe_end(), 0x8901 /* FIOSETOWN */, &id));
}
static int setown(void) { return any_task(owner); }
static int setown_dirty(void) { return any_task(owner_dirty); }
static int setown_ex(void) { return any_task(owner_ex); }
/* A pipe knows no FIOSETOWN: ENOTTY is the kernel's own answer. */
static int fiosetown(void) { return any_task(owner_ioctl); }
static int siocspgrp(void) {
  int id = getpid();
  return outcome(syscall(SYS_ioctl, pipe_end(), 0x8902 /* SIOCSPGRP */, &id));
}
static int setsig(void) { return outcome(fcntl(pipe_end(), F_SETSIG, SIGKILL)); }

static int setlease(void) {
  int file = open("lease", O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
  return file < 0 ? 211 : outcome(fcntl(file, F_SETLEASE, F_RDLCK));
}
static int notify(void) {
  int directory = open(".", O_RDONLY | O_DIRECTORY);
  return directory < 0 ? 211 : outcome(fcntl(directory, F_NOTIFY, DN_CREATE));
}
static int tiocsti(void) { return outcome(ioctl(0, 0x5412, "x")); }
static int tiocsti_dirty(void) { return outcome(syscall(SYS_ioctl, 0, (1L << 32) | 0x5412, "x")); }
/* Stops what is written to the terminal, the shell's lines too; undone at once, for the control's sake. */
/* TCOFLUSH: what was written and not yet read is gone. */
static int tcflsh(void) {
  return outcome(ioctl(0, 0x540b, 1));
}

static int tcxonc(void) {
  int status = outcome(ioctl(0, 0x540a, 0));
  ioctl(0, 0x540a, 1);
  return status;
}
static int tiocexcl(void) {
  int status = outcome(ioctl(0, 0x540c));
  ioctl(0, 0x540d);
  return status;
}
static int tioclinux(void) {
  char request[2] = {2, 0};
  return outcome(ioctl(0, 0x541c, request));
}

const struct probe signal_probes[] = {
    {"kill", kill_process}, {"kill-thread-ids", kill_ids}, {"kill-dirty", kill_dirty}, {"tgkill", tgkill_},
    {"tkill", tkill_}, {"sigqueue", sigqueue_}, {"tgsigqueue", tgsigqueue}, {"kill-group", kill_group},
    {"kill-other", kill_other}, {"kill-grand", kill_parent_of_shell}, {"pidfd_send_signal", pidfd_signal},
    {"proc-send-signal", proc_signal}, {"F_SETOWN", setown}, {"F_SETOWN-dirty", setown_dirty},
    {"F_SETOWN_EX", setown_ex}, {"FIOSETOWN", fiosetown}, {"SIOCSPGRP", siocspgrp}, {"F_SETSIG", setsig},
    {"F_SETLEASE", setlease}, {"F_NOTIFY", notify}, {"TIOCSTI", tiocsti}, {"TIOCSTI-dirty", tiocsti_dirty},
    {"TIOCLINUX", tioclinux}, {"TCXONC", tcxonc}, {"TIOCEXCL", tiocexcl},
    {"TCFLSH", tcflsh}, {NULL, NULL}};
