/*
 * Stands in for the shell where there is no jail: a process with several threads, one of which starts the command. It
 * lets itself be traced by anyone, so that a refusal in the jail is the jail's and not the host's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int status;

static void *idle(void *unused) {
  for (;;) pause();
  return unused;
}

static void *command(void *argv) {
  pid_t pid;
  if (posix_spawnp(&pid, *(char **)argv, NULL, NULL, argv, environ) != 0 || waitpid(pid, &status, 0) < 0) exit(211);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc < 2) return 211;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  pthread_create(&thread, NULL, idle, NULL);
  pthread_create(&thread, NULL, command, argv + 1);
  pthread_join(thread, NULL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
