/* Every thread of the shell, of which one, the jail's, is inside the commands' Landlock domain. */
#ifndef TASKS_H
#define TASKS_H
#include "probe.h"
#include <dirent.h>

static inline pid_t victim(void) { return atoi(given("VICTIM")); }

/* Try every thread: 0 as soon as one can be reached, else the last errno. */
static inline int any_task(int (*reach)(pid_t leader, pid_t task)) {
  char path[64];
  int last = 211, seen = 0;
  snprintf(path, sizeof path, "/proc/%d/task", victim());
  DIR *directory = opendir(path);
  if (directory == NULL) return 211;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    pid_t task = atoi(entry->d_name);
    if (task <= 0) continue;
    seen++;
    last = reach(victim(), task);
    if (last == 0) break;
  }
  closedir(directory);
  /* A shell with one thread has no jail thread: the probe would prove nothing. */
  return seen < 2 && last != 0 ? 211 : last;
}

/* Open /proc/PID/task/TID/NAME and read from it. */
static inline int open_task(pid_t leader, pid_t task, const char *name) {
  char path[96], byte;
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", leader, task, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  long count = read(fd, &byte, 1);
  /* mem has nothing at address 0 and a directory cannot be read: both are open all the same. */
  int status = count < 0 && errno != EIO && errno != EISDIR ? errno : 0;
  close(fd);
  return status;
}
#endif
