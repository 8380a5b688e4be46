/** Messages of the errors that starting a program can meet; texts as in glibc's `strerror`. */
const TEXTS: Readonly<Record<number, string>> = {
  1: "operation not permitted (EPERM)",
  2: "no such file or directory (ENOENT)",
  7: "argument list too long (E2BIG)",
  8: "exec format error (ENOEXEC)",
  9: "bad file descriptor (EBADF)",
  11: "resource temporarily unavailable (EAGAIN)",
  12: "cannot allocate memory (ENOMEM)",
  13: "permission denied (EACCES)",
  20: "not a directory (ENOTDIR)",
  21: "is a directory (EISDIR)",
  24: "too many open files (EMFILE)",
  26: "text file busy (ETXTBSY)",
  28: "no space left on device (ENOSPC)",
  30: "read-only file system (EROFS)",
  36: "file name too long (ENAMETOOLONG)",
  40: "too many levels of symbolic links (ELOOP)",
};

/** A positive errno in words. */
export function errnoText(errno: number): string {
  return TEXTS[errno] ?? `error ${errno}`;
}
