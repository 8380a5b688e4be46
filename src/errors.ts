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

/**
 * What went wrong, in words: the message of an error; of a failed system call `no space left on device (ENOSPC)`, without
 * the call and the path that the runtime adds, which the caller names itself.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as Error & { readonly code?: unknown };
  const end = error.message.indexOf(" (os error ");
  if (typeof code !== "string" || end < 0) return error.message;
  const words = error.message.slice(0, end).replace(`${code}: `, "");
  return `${words.charAt(0).toLowerCase()}${words.slice(1)} (${code})`;
}
