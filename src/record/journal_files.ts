/**
 * The files of a journal and how they are opened. All of them stand in one directory that belongs to the
 * user alone, so a check by `lstat` before `open` cannot be raced by anyone else.
 */
import { join } from "node:path";
import { reasonOf, SystemCallError, UsageError } from "../errors.ts";

/** Bytes of one journal file before it is rotated. */
export const MAX_FILE_BYTES = 1_000_000;

/** Rotated files that are kept: `journal.jsonl.1` (newest) to `journal.jsonl.5`. */
export const ROTATIONS = 5;

/** Bytes of one line that readers accept; `buildRecord` stays below it. */
export const MAX_LINE_BYTES = 1_048_576;

/** What an error about the journal's place ends with. */
export const REMEDY = "choose another place with --journal DIR";

/** Permission bits of group and others. */
const FOREIGN_BITS = 0o077;
const FOREIGN_WRITE_BITS = 0o022;

/** Absolute names of a journal's files. `rotation` 0 is the file that is written. */
export function journalPath(directory: string, rotation: number): string {
  return join(directory, rotation === 0 ? "journal.jsonl" : `journal.jsonl.${rotation}`);
}

/**
 * Creates the journal's directory with mode 0700, or checks one that exists.
 * @throws UsageError when it is a link, no directory, owned by someone else, writable by others, or cannot be made:
 * whoever can write there can rewrite history.
 */
export function ensureDirectory(directory: string): void {
  let info = statOrNull(directory);
  if (info === null) {
    try {
      Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
      info = Deno.lstatSync(directory);
    } catch (error) {
      throw new UsageError(
        `Cannot create "${directory}" for the journal: ${reasonOf(error)}; ${REMEDY}`,
      );
    }
  }
  const flaw = directoryFlaw(info);
  if (flaw !== null) {
    throw new UsageError(`Cannot use "${directory}" for the journal: ${flaw}; ${REMEDY}`);
  }
}

function directoryFlaw(info: Deno.FileInfo): string | null {
  if (info.isSymlink) return "it is a symbolic link";
  if (!info.isDirectory) return "it is not a directory";
  if (info.uid !== Deno.uid()) return `it belongs to user ${info.uid}, not to ${Deno.uid()}`;
  if (info.mode !== null && (info.mode & FOREIGN_WRITE_BITS) !== 0) {
    return `others may write to it (mode ${modeText(info.mode)})`;
  }
  return null;
}

/** How a file of the journal is opened. */
export interface OpenMode {
  readonly write?: boolean;
  readonly append?: boolean;
  /** Creates the file with mode 0600 when it is absent; else an absent file gives null. */
  readonly create?: boolean;
}

/**
 * Opens a regular file of ours without following a link; null when it is absent and not to be created.
 * @throws UsageError when the path is a link, another kind of file, someone else's, or open to others.
 */
export function openOwn(path: string, mode: OpenMode): Deno.FsFile | null {
  const before = statOrNull(path);
  if (before === null) return mode.create ? createOwn(path, mode) : null;
  const flaw = fileFlaw(before);
  if (flaw !== null) throw new UsageError(`Cannot open "${path}": ${flaw}; remove it or ${REMEDY}`);
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { read: true, write: mode.write, append: mode.append });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return mode.create ? createOwn(path, mode) : null;
    throw new UsageError(`Cannot open "${path}": ${reasonOf(error)}; ${REMEDY}`);
  }
  const after = file.statSync();
  if (after.dev === before.dev && after.ino === before.ino) return file;
  // A rotation by another writer between the two calls; its new file is checked afresh.
  file.close();
  return openOwn(path, mode);
}

function createOwn(path: string, mode: OpenMode): Deno.FsFile {
  try {
    return Deno.openSync(path, {
      read: true,
      write: !mode.append,
      append: mode.append,
      createNew: true,
      mode: 0o600,
    });
  } catch (error) {
    const again = error instanceof Deno.errors.AlreadyExists
      ? openOwn(path, { ...mode, create: false })
      : null;
    if (again !== null) return again;
    throw new UsageError(`Cannot create "${path}": ${reasonOf(error)}; ${REMEDY}`);
  }
}

function fileFlaw(info: Deno.FileInfo): string | null {
  if (info.isSymlink) return "it is a symbolic link";
  if (!info.isFile) return "it is not a regular file";
  if (info.uid !== Deno.uid()) return `it belongs to user ${info.uid}, not to ${Deno.uid()}`;
  if (info.mode !== null && (info.mode & FOREIGN_BITS) !== 0) {
    return `it is open to others (mode ${modeText(info.mode)}, should be 600)`;
  }
  return null;
}

/** `lstat`, or null when nothing is there. */
export function statOrNull(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw new UsageError(`Cannot look at "${path}": ${reasonOf(error)}; ${REMEDY}`);
  }
}

/** The failed call as an error that carries its errno: full disks and read-only mounts end here. */
export function systemCallError(call: string, path: string, cause: unknown): SystemCallError {
  const match = /\(os error (\d{1,5})\)/.exec(
    cause instanceof Error ? cause.message.slice(0, 500) : "",
  );
  const errno = match === null ? 0 : Number(match[1]);
  const hint = errno === 28 || errno === 122 ? "free some space or " : "";
  return new SystemCallError(
    call,
    errno,
    `Cannot ${call} "${path}": ${reasonOf(cause)}; ${hint}${REMEDY}`,
  );
}

function modeText(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, "0");
}
