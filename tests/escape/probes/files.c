/* Ways to a file that a shell cannot express. OUTSIDE is a directory beyond every grant, with a file `secret` in it. */
#include "probe.h"
#include <sys/stat.h>
#include <sys/sysmacros.h>

static const char *outside(const char *name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", given("OUTSIDE"), name);
  return path;
}
static int readable(int fd) {
  char byte;
  return fd < 0 ? errno : outcome(read(fd, &byte, 1));
}
static int directory_relative(void) {
  int directory = open(given("OUTSIDE"), O_PATH | O_DIRECTORY);
  return directory < 0 ? 211 : readable(openat(directory, "secret", O_RDONLY));
}
static int changed_directory(void) { return chdir(given("OUTSIDE")) < 0 ? 211 : readable(open("secret", O_RDONLY)); }
static int reopened(void) {
  char path[64];
  int file = open(outside("secret"), O_PATH);
  if (file < 0) return 211;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return readable(open(path, O_RDONLY));
}
static int openat2_with(uint64_t resolve) {
  uint64_t how[3] = {O_RDONLY, 0, resolve};
  return readable(syscall(NR_openat2, AT_FDCWD, outside("secret"), how, sizeof how));
}
static int openat2_(void) { return openat2_with(0); }
static int by_handle(void) {
  struct { struct file_handle handle; char bytes[128]; } buffer = {.handle = {.handle_bytes = 128}};
  int mount, root = open(given("OUTSIDE"), O_PATH | O_DIRECTORY);
  if (name_to_handle_at(AT_FDCWD, outside("secret"), &buffer.handle, &mount, 0) < 0) return 211;
  /* EBADF: an O_PATH descriptor names no mount, but the caller may use handles. */
  int file = open_by_handle_at(root, &buffer.handle, O_RDONLY);
  return file < 0 && errno == EBADF ? 0 : readable(file);
}
static int truncated(void) { return outcome(truncate(outside("victim"), 1)); }
static int exchanged(void) {
  close(open("mine", O_CREAT | O_WRONLY, 0600));
  return outcome(syscall(SYS_renameat2, AT_FDCWD, "mine", AT_FDCWD, outside("victim"), 2 /* RENAME_EXCHANGE */));
}
static int linked_by_descriptor(void) {
  char path[64];
  int file = open(outside("victim"), O_PATH);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  unlink("linked");
  return outcome(linkat(AT_FDCWD, path, AT_FDCWD, "linked", AT_SYMLINK_FOLLOW));
}
static int temporary(void) { return outcome(open(given("OUTSIDE"), O_TMPFILE | O_RDWR, 0600)); }
static int raw_device(void) { return readable(open(given("DEVICE"), O_RDONLY)); }
static int character_node(void) { unlink("node"); return outcome(mknod("node", S_IFCHR | 0600, makedev(1, 1))); }
static int block_node(void) { unlink("node"); return outcome(mknod("node", S_IFBLK | 0600, makedev(7, 0))); }

/* Set-id bits, by every call that can leave them behind. */
#define OWN "own"
static int own(void) { unlink(OWN); return open(OWN, O_CREAT | O_RDWR, 0755); }
static int suid_chmod(void) { own(); return outcome(syscall(SYS_fchmodat, AT_FDCWD, OWN, 04755)); }
static int suid_chmod_dirty(void) { own(); return outcome(syscall(SYS_fchmodat, AT_FDCWD, OWN, 0xf00004755L)); }
static int sgid_chmod(void) { own(); return outcome(syscall(SYS_fchmodat, AT_FDCWD, OWN, 02755)); }
static int suid_fchmod(void) { return outcome(fchmod(own(), 04755)); }
static int suid_fchmodat2(void) { own(); return outcome(syscall(NR_fchmodat2, AT_FDCWD, OWN, 04755, 0)); }
static int suid_openat(void) { unlink(OWN); return outcome(openat(AT_FDCWD, OWN, O_CREAT | O_WRONLY, 04755)); }
static int suid_temporary(void) { return outcome(open(".", O_TMPFILE | O_WRONLY, 04755)); }
static int suid_mknod(void) { unlink(OWN); return outcome(syscall(SYS_mknodat, AT_FDCWD, OWN, S_IFREG | 04755, 0)); }
#ifdef __x86_64__
static int suid_open(void) { unlink(OWN); return outcome(syscall(SYS_open, OWN, O_CREAT | O_WRONLY, 04755)); }
static int suid_creat(void) { unlink(OWN); return outcome(syscall(SYS_creat, OWN, 04755)); }
static int suid_old_chmod(void) { own(); return outcome(syscall(SYS_chmod, OWN, 04755)); }
#endif

const struct probe file_probes[] = {
    {"dir-fd", directory_relative}, {"chdir", changed_directory}, {"reopen-path-fd", reopened},
    {"openat2", openat2_}, {"open_by_handle_at", by_handle}, {"truncate", truncated}, {"exchange", exchanged},
    {"link-descriptor", linked_by_descriptor}, {"tmpfile", temporary}, {"raw-device", raw_device},
    {"char-node", character_node}, {"block-node", block_node}, {"suid-fchmodat", suid_chmod},
    {"suid-dirty", suid_chmod_dirty}, {"sgid-fchmodat", sgid_chmod}, {"suid-fchmod", suid_fchmod},
    {"suid-fchmodat2", suid_fchmodat2}, {"suid-openat", suid_openat}, {"suid-tmpfile", suid_temporary},
    {"suid-mknodat", suid_mknod},
#ifdef __x86_64__
    {"suid-open", suid_open}, {"suid-creat", suid_creat}, {"suid-chmod", suid_old_chmod},
#endif
    {NULL, NULL}};
