/** Exit statuses, errnos and lines that the outcome table knows, each with its source. */

/**
 * Exit statuses that a shell reports for a child ended by a signal: 128 + number (POSIX.1-2024, XCU 2.8.2; numbers
 * of Linux on x86-64 and AArch64). Only signals that end programs in practice: 128 and 129 are git's own statuses.
 */
export const SHELL_SIGNALS: Readonly<Record<number, string>> = {
  130: "SIGINT",
  131: "SIGQUIT",
  132: "SIGILL",
  134: "SIGABRT",
  135: "SIGBUS",
  136: "SIGFPE",
  137: "SIGKILL",
  139: "SIGSEGV",
  141: "SIGPIPE",
  143: "SIGTERM",
  152: "SIGXCPU",
  153: "SIGXFSZ",
  159: "SIGSYS",
};

/** Exit status of a wrong command line: sysexits.h EX_USAGE. */
export const EX_USAGE = 64;

/** Exit statuses that mean a wrong command line when a usage line is there: most programs 2, others 1, docker 125, git 129, ssh 255. */
export const USAGE_STATUSES: ReadonlySet<number> = new Set([1, 2, 125, 129, 255]);

/** Exit status with which timeout(1) of GNU coreutils reports that the time was up. */
export const TIMEOUT_STATUS = 124;

/** ENOENT, ENOTDIR (linux/errno-base.h): execve(2) finds no such program. */
export const MISSING_ERRNOS: ReadonlySet<number> = new Set([2, 20]);

/** EPERM, ENOEXEC, EACCES, EISDIR, ETXTBSY (linux/errno-base.h): execve(2) finds it and does not execute it. */
export const REFUSED_ERRNOS: ReadonlySet<number> = new Set([1, 8, 13, 21, 26]);

/** Lines that a program prints when its command line is wrong. Anchored, and linear on any line. */
export const USAGE_LINES: readonly RegExp[] = [
  /^\s{0,8}usage: ?\S/i,
  /^Try ['`"\u2018].{1,80}(?:--help|-h)\b/,
  /^[^:\s]{1,64}: (?:unrecognized|unknown|invalid|illegal) option\b/,
  /^(?:error: )?(?:unexpected argument|unrecognized subcommand|the following required arguments)/i,
];
