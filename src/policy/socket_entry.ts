/** Unix sockets among the entries of `net`, in Deno's notation: `unix:/path`. */

const PREFIX = "unix:";

/** True when an entry or pattern names a unix socket. */
export function isSocket(entry: string): boolean {
  return entry.startsWith(PREFIX);
}

/** The path of an entry that `isSocket` holds for. */
export function socketPath(entry: string): string {
  return entry.slice(PREFIX.length);
}

/** The pattern for a path. */
export function socketPattern(path: string): string {
  return PREFIX + path;
}
