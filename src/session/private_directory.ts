/**
 * The directories of one session that end with it. What commands may write lies below the system's temporary
 * directory; what only the shell writes lies below its state, which no policy can grant: were it where commands can
 * write (a TMPDIR inside the workspace), they could put links in its place and have the shell write through them.
 */
import { basename, dirname, join } from "node:path/posix";
import { UsageError } from "../errors.ts";
import { close, cString, syscall } from "../sandbox/linux/ffi.ts";
import { openResolved } from "../sandbox/linux/files.ts";
import { OPEN } from "../sandbox/linux/uapi.ts";

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
/** Holds the process id of the session that the copies belong to. */
const OWNER = "pid";
/** Copies of a session that may still be there are left alone for this long, in ms. */
const STALE_MS = 86_400_000;

/** Create the directories. @throws {UsageError} when the temporary directory or the state cannot be written. */
export function createPrivatePaths(place: PrivatePlace): PrivatePaths {
  const base = place.temporary?.startsWith("/") ? place.temporary : "/tmp";
  let root: string;
  try {
    root = Deno.realPathSync(Deno.makeTempDirSync({ dir: base, prefix: "debrief-" }));
  } catch (error) {
    throw new UsageError(
      `Cannot create a private directory in "${base}": ${
        stateOf(error)
      }; set TMPDIR to a writable directory`,
    );
  }
  const copies = join(place.state, COPIES, basename(root));
  const paths = { root, tmp: join(root, "tmp"), copies, programs: join(copies, "bin") };
  try {
    Deno.mkdirSync(paths.tmp, { mode: 0o700 });
    Deno.mkdirSync(paths.programs, { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(join(copies, OWNER), String(Deno.pid), { mode: 0o600 });
    if (place.executable !== null) {
      Deno.symlinkSync(place.executable, join(paths.programs, "debrief"));
    }
    return paths;
  } catch (error) {
    removePrivatePaths(paths);
    throw new UsageError(`Cannot create "${copies}": ${stateOf(error)}`);
  }
}

function stateOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
  removeTree(paths.copies);
  for (const path of [paths.tmp, paths.root]) removeEmpty(path);
}

/** Remove the copies of sessions that were killed: their process is gone, and nothing was copied for a day. */
export function pruneCopies(state: string, now: number = Date.now()): void {
  const directory = join(state, COPIES);
  let names: readonly string[] = [];
  try {
    names = [...Deno.readDirSync(directory)].map(({ name }) => name);
  } catch {
    // There are none yet.
  }
  for (const name of names) {
    if (isStale(join(directory, name), now)) removeTree(join(directory, name));
  }
}

function isStale(path: string, now: number): boolean {
  try {
    const changed = Deno.lstatSync(path).mtime?.getTime() ?? now;
    if (now - changed < STALE_MS) return false;
    const owner = Number(Deno.readTextFileSync(join(path, OWNER)));
    return syscall("kill", owner, 0) < 0;
  } catch {
    return false;
  }
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
