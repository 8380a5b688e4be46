/** A place in a file that a user wrote: `file` is a path or `built-in:NAME`, `line` counts from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  /** Dotted path of keys, for example `read.deny[2]`. */
  readonly keyPath: string;
}

/**
 * Input that a user must correct: an argument, a policy, a request. Front ends print the message alone
 * (no stack trace) and exit with status 2.
 */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A policy file that cannot be used, with the place of the mistake. */
export class PolicyError extends UsageError {
  override name = "PolicyError";
  readonly location: SourceLocation;

  constructor(message: string, location: SourceLocation) {
    super(
      `${location.file}:${location.line}: ${
        location.keyPath ? location.keyPath + ": " : ""
      }${message}`,
    );
    this.location = location;
  }
}

/** A system call that failed, with its errno (positive) and the object it was about. */
export class SystemCallError extends Error {
  override name = "SystemCallError";
  readonly call: string;
  readonly errno: number;

  constructor(call: string, errno: number, message: string) {
    super(message);
    this.call = call;
    this.errno = errno;
  }
}
