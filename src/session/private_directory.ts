/**
 * The directories of one session that end with it. What commands may write lies below the system's temporary
 * directory; what only the shell writes lies below its state, which no policy can grant: were it where commands can
 * write (a TMPDIR inside the workspace), they could put links in its place and have the shell write through them.
 */
import { basename, dirname, join } from "node:path/posix";
import { reasonOf, UsageError } from "../errors.ts";
import { close, cString, syscall } from "../sandbox/linux/ffi.ts";
import { directoryNames, openResolved, readLink, status } from "../sandbox/linux/files.ts";
import { LOCK, OPEN } from "../sandbox/linux/uapi.ts";

/** Where a session's own files lie, all 0700. */
export interface PrivatePaths {
  /** Below the temporary directory; holds `tmp` and nothing else. */
  readonly root: string;
  /** `$TMP` and TMPDIR of commands: writable for them. */
  readonly tmp: string;
  /** Copies of records and outputs that commands may read, but not write; below the state directory. */
  readonly copies: string;
  /** Last directory of the commands' PATH: `debrief` itself. */
  readonly programs: string;
  /** A descriptor whose lock says that the session lives. */
  readonly lock: number;
}

/** What the directories are made from. */
export interface PrivatePlace {
  /** TMPDIR of the shell, or null. */
  readonly temporary: string | null;
  /** The state directory; it exists. */
  readonly state: string;
  /** Put on the commands' PATH as `debrief`, null when there is none. */
  readonly executable: string | null;
}

/** `AT_REMOVEDIR`, `linux/fcntl.h`. */
const REMOVE_DIRECTORY = 0x200;
/** Directory of all sessions' copies beneath the state directory. */
const COPIES = "copies";
/** Locked as long as the session lives; it and the link have no content, for which a full disk has no room. */
const OWNER = "session";
/** Leads to the session's directory below the temporary one. */
const ROOT = "root";
/** Sessions younger than this are not looked at, in ms. */
const YOUNG_MS = 60_000;

/** Create the directories. @throws {UsageError} when the temporary directory or the state cannot be written. */
export function createPrivatePaths(place: PrivatePlace): PrivatePaths {
  const base = place.temporary?.startsWith("/") ? place.temporary : "/tmp";
  let root: string;
  try {
    root = Deno.realPathSync(Deno.makeTempDirSync({ dir: base, prefix: "debrief-" }));
  } catch (error) {
    throw new UsageError(
      `Cannot create a private directory in "${base}": ${
        reasonOf(error)
      }; set TMPDIR to a writable directory`,
    );
  }
  const copies = join(place.state, COPIES, basename(root));
  let paths = { root, tmp: join(root, "tmp"), copies, programs: join(copies, "bin"), lock: -1 };
  try {
    Deno.mkdirSync(paths.tmp, { mode: 0o700 });
    Deno.mkdirSync(paths.programs, { recursive: true, mode: 0o700 });
    Deno.symlinkSync(root, join(copies, ROOT));
    Deno.writeTextFileSync(join(copies, OWNER), "", { mode: 0o600 });
    paths = { ...paths, lock: lockFile(join(Deno.realPathSync(copies), OWNER)) };
    if (place.executable !== null) {
      Deno.symlinkSync(place.executable, join(paths.programs, "debrief"));
    }
    return paths;
  } catch (error) {
    removePrivatePaths(paths);
    throw new UsageError(`Cannot create "${copies}": ${reasonOf(error)}`);
  }
}

/** True when nothing is in a directory, or it is gone. */
export function isEmptyDirectory(path: string): boolean {
  try {
    return Deno.readDirSync(path)[Symbol.iterator]().next().done === true;
  } catch {
    return true;
  }
}

/** Remove the directories once commands' files in them are gone; what is left of those stays and is never walked. */
export function removePrivatePaths(paths: PrivatePaths): void {
  if (paths.lock >= 0) close(paths.lock);
  removeTree(paths.copies);
  for (const path of [paths.tmp, paths.root]) removeEmpty(path);
}

/**
 * Sessions that were killed, oldest records of them first: nobody holds their lock any more, and they did not begin just
 * now. `lock` is this caller's then, so that no other session looks at them; `removePrivatePaths` gives it back.
 *
 * @param limit how many at most.
 */
export function deadSessions(
  state: string,
  { limit, now = Date.now() }: { readonly limit: number; readonly now?: number },
): readonly PrivatePaths[] {
  const directory = join(state, COPIES);
  const found: PrivatePaths[] = [];
  for (const name of directoryNames(directory) ?? []) {
    const dead = found.length < limit ? deadSession(join(directory, name), now) : null;
    if (dead !== null) found.push(dead);
  }
  return found;
}

function deadSession(copies: string, now: number): PrivatePaths | null {
  const owner = join(copies, OWNER);
  const began = status(owner, { follow: false });
  // Between its creation and its lock a new session looks like a dead one.
  if (began === null || now - Number(began.modified / 1_000_000n) < YOUNG_MS) return null;
  const lock = lockFile(owner);
  if (lock < 0) return null;
  const root = readLink(join(copies, ROOT)) ?? "";
  return { root, tmp: join(root, "tmp"), copies, programs: join(copies, "bin"), lock };
}

/** A descriptor that holds the lock of a file until it is closed, or the process ends; negative when it is held. */
function lockFile(path: string): number {
  const fd = openResolved(path, OPEN.RDWR);
  if (fd < 0) return fd;
  const result = syscall("flock", fd, LOCK.EX | LOCK.NB);
  if (result < 0) close(fd);
  return result < 0 ? result : fd;
}

/** Only the shell writes below the state directory, so walking there is safe. */
function removeTree(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch {
    // Gone: another session pruned it. Copies that outlive their session are pruned later.
  }
}

/** A directory that is empty, reached through no link whatever stands on the way now. */
function removeEmpty(path: string): void {
  const parent = openResolved(dirname(path), OPEN.PATH);
  if (parent < 0) return;
  // Not empty or gone: a private directory that outlives its session harms nobody.
  syscall("unlinkat", parent, cString(basename(path)), REMOVE_DIRECTORY);
  close(parent);
}
