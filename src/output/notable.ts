/** Words that make a line of output notable: it may be the refusal or the error that explains a failure. */

/** How much a notable line matters: refusals explain a failure under a policy, so they come before plain errors. */
export type NotableKind = "refusal" | "error";

/** Words that programs use when something was refused or out of reach; lower-case. */
export const REFUSAL_WORDS = [
  "permission denied",
  "operation not permitted",
  "read-only file system",
  "could not resolve",
  "couldn't resolve",
  "name resolution",
  "name or service not known",
  "connection refused",
  "network is unreachable",
  "no route to host",
  "connection timed out",
  "eacces",
  "eperm",
  "erofs",
  "enotfound",
  "eai_again",
  "econnrefused",
  "enetunreach",
  "access denied",
  "not allowed",
  "bad system call",
  "disk quota exceeded",
  "no space left on device",
] as const;

/** Words of ordinary errors; lower-case. */
export const ERROR_WORDS = [
  "error",
  "fatal",
  "failed",
  "failure",
  "exception",
  "traceback",
  "panicked",
  "panic:",
  "not found",
  "no such file",
  "cannot ",
  "undefined reference",
  "segmentation fault",
  "core dumped",
  "unrecognized",
  "unknown option",
  "not ok ",
] as const;
