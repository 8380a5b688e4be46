/*
 * One system call per probe, by number where the C library would take another way. A probe returns 0 when the call was
 * carried out, else its errno; the program's exit status is that value, so a table can name the refusal it expects.
 */
#ifndef PROBE_H
#define PROBE_H
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct probe {
  const char *name;
  int (*run)(void);
};

/* 0, or the errno of a call that returned -1. */
static inline int outcome(long result) { return result < 0 ? errno : 0; }

/* A number or text that the test passes in the environment; a probe without its input must not look refused. */
static inline const char *given(const char *name) {
  const char *value = getenv(name);
  if (value == NULL) {
    fprintf(stderr, "no %s\n", name);
    exit(213);
  }
  return value;
}

/* Calls newer than the C library's headers: include/uapi/asm-generic/unistd.h, the same on x86_64 and aarch64. */
#define NR_clone3 435
#define NR_openat2 437
#define NR_pidfd_getfd 438
#define NR_pidfd_open 434
#define NR_pidfd_send_signal 424
#define NR_io_uring_setup 425
#define NR_io_uring_enter 426
#define NR_io_uring_register 427
#define NR_open_tree 428
#define NR_move_mount 429
#define NR_fsopen 430
#define NR_process_madvise 440
#define NR_mount_setattr 442
#define NR_process_mrelease 448
#define NR_fchmodat2 452

extern const struct probe process_probes[];
extern const struct probe signal_probes[];
extern const struct probe kernel_probes[];
extern const struct probe socket_probes[];
extern const struct probe file_probes[];
#endif
