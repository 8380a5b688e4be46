/**
 * The file by which an agent's wrapper learns where a command left off. It lies where commands cannot write, so Debrief writes
 * it, and what it writes could steer the agent: only to a temporary file of the user's own whose name has the agent's shape,
 * through no link, and never a directory outside of the workspace.
 */
import { basename, dirname } from "node:path/posix";
import type { Trailer } from "../command/harness_wrappers.ts";
import { close, open, syscall, writeAll } from "../sandbox/linux/ffi.ts";
import { createFile, LOOKUP, openBeneath, toByteText } from "../sandbox/linux/beneath.ts";
import { descriptorStatus, realPath } from "../sandbox/linux/files.ts";
import { ERRNO, OPEN } from "../sandbox/linux/uapi.ts";
import { errnoText } from "../sandbox/errno_text.ts";
import type { SessionContext } from "./session_context.ts";

/** `PATH_MAX`, `linux/limits.h`. */
const MAX_PATH = 4096;
/** Others than the owner may write. */
const OTHERS_WRITE = 0o022;

/** What a trailer is written from. */
export interface TrailerContext {
  /** Where the command left off; null when it did not come to its end with success. */
  readonly cwd: string | null;
  readonly workspace: string;
  /** The shell's own environment: it names the temporary directory. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Variables that name the directory of temporary files: of the system, and of Claude Code 2.1.330. */
const TEMPORARY = ["TMPDIR", "CLAUDE_CODE_TMPDIR", "CLAUDE_TMPDIR"];

/** Write what the caller waits for; why it could not be is a notice. */
export function trailerNotices(
  { state, variables, options }: SessionContext,
  { trailer, isDone }: { readonly trailer: Trailer | null; readonly isDone: boolean },
): readonly string[] {
  const problem = trailer && writeTrailer(trailer, {
    cwd: isDone ? state.cwd : null,
    workspace: variables.WORKSPACE,
    environment: options.environment,
  });
  return problem === null ? [] : [problem];
}

/**
 * Write a trailer.
 *
 * @returns why it was not written, in words; null when it was, or nothing is to be said.
 */
export function writeTrailer(trailer: Trailer, context: TrailerContext): string | null {
  if (trailer.holds === "jobs") return put(trailer.path, "", context);
  if (context.cwd === null) return null;
  const cwd = realPath(context.cwd);
  const { workspace } = context;
  const isInside = cwd !== null && (cwd === workspace || cwd.startsWith(`${workspace}/`));
  if (!isInside) {
    return `the agent stays where it was: "${context.cwd}" is outside of the workspace`;
  }
  // Whoever reads the file takes a newline for its end.
  if (cwd.length >= MAX_PATH || cwd.includes("\n")) return "the agent cannot be told the directory";
  return put(trailer.path, `${cwd}\n`, context);
}

function put(path: string, text: string, { environment }: TrailerContext): string | null {
  const temporary = ["/tmp", ...TEMPORARY.map((name) => environment[name] ?? "")];
  const isPrivate = /^gemini-shell-/.test(basename(dirname(path)));
  const directory = isPrivate ? dirname(dirname(path)) : dirname(path);
  const known = temporary.some((one) =>
    one.startsWith("/") &&
    (one.replace(/(?<=.)\/+$/, "") === directory || realPath(one) === directory)
  );
  const refused = (state: string) => `the agent's file "${path}" was not written: ${state}`;
  if (!known) return refused("it is in no temporary directory");
  const real = realPath(directory);
  const fd = real === null ? -ERRNO.ENOENT : open(real, LOOKUP);
  if (fd < 0) return refused(errnoText(-fd));
  try {
    const flaw = isPrivate
      ? putBelow(fd, { name: basename(dirname(path)), file: basename(path), text })
      : putFile(fd, basename(path), text);
    return flaw === null ? null : refused(flaw);
  } finally {
    close(fd);
  }
}

function putBelow(
  directory: number,
  { name, file, text }: { readonly name: string; readonly file: string; readonly text: string },
): string | null {
  const fd = openBeneath(directory, toByteText(name), LOOKUP);
  if (fd < 0) return errnoText(-fd);
  try {
    const status = descriptorStatus(fd);
    const isOwn = status?.uid === Deno.uid() && (status.mode & OTHERS_WRITE) === 0;
    return isOwn ? putFile(fd, file, text) : "its directory is not the user's own";
  } finally {
    close(fd);
  }
}

/** @returns what kept it from being written, in words, or null. */
function putFile(directory: number, file: string, text: string): string | null {
  const name = toByteText(file);
  const bytes = new TextEncoder().encode(text);
  const [uid, gid] = [Deno.uid() ?? 0, Deno.gid() ?? 0];
  const created = createFile(directory, name, { bytes, mode: 0o600, uid, gid });
  if (created === 0) return null;
  if (created !== -ERRNO.EEXIST) return errnoText(-created);
  const fd = openBeneath(directory, name, OPEN.WRONLY | OPEN.NONBLOCK);
  if (fd < 0) return errnoText(-fd);
  try {
    const status = descriptorStatus(fd);
    // One that has another name as well could be a file of the user's that somebody linked here.
    const isOwn = status?.kind === "file" && status.uid === uid && status.links === 1;
    if (!isOwn) return "it is not a plain file of the user's own";
    const cut = syscall("ftruncate", fd, 0);
    const written = cut < 0 ? cut : writeAll(fd, bytes);
    return written < 0 ? errnoText(-written) : null;
  } finally {
    close(fd);
  }
}
