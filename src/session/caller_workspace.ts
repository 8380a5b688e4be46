/**
 * The workspace of a caller whose working directory commands can move (`writeTrailer`). A command that puts a link in the place
 * of a directory could otherwise have the caller's next command work somewhere else altogether: so the workspace of the first one
 * is that of all.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path/posix";
import { cString, syscall } from "../sandbox/linux/ffi.ts";
import { status } from "../sandbox/linux/files.ts";
import { AT_FDCWD } from "../sandbox/linux/uapi.ts";
import { callerSessionId } from "./session_id.ts";

/** Directory beneath the state, which no command can reach. */
const CALLERS = "callers";
/** Callers that are remembered: the processes of an agent, over weeks. */
const MAX_CALLERS = 200;

/** Where the caller of this process works; null when it is not known, or gone. */
export function callerWorkspace(state: string): string | null {
  try {
    const path = Deno.readTextFileSync(join(state, CALLERS, callerSessionId()));
    return Deno.lstatSync(path).isDirectory ? path : null;
  } catch {
    return null;
  }
}

/** Remember it. @throws {Error} when the state cannot be written. */
export function keepCallerWorkspace(state: string, workspace: string): void {
  const directory = join(state, CALLERS);
  Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = join(directory, `.${randomBytes(6).toString("hex")}`);
  Deno.writeTextFileSync(draft, workspace, { mode: 0o600, createNew: true });
  // At once: a command beside this one, which found an empty file, would have no workspace but where it was led.
  Deno.renameSync(draft, join(directory, callerSessionId()));
  forgetOldest(directory);
}

function forgetOldest(directory: string): void {
  const names = Array.from(Deno.readDirSync(directory), ({ name }) => join(directory, name));
  if (names.length <= MAX_CALLERS) return;
  const aged = names.map((path) => ({ path, at: status(path, { follow: false })?.modified ?? 0n }));
  aged.sort((a, b) => a.at < b.at ? -1 : 1);
  for (const { path } of aged.slice(0, names.length - MAX_CALLERS)) {
    // Others may forget the same ones.
    syscall("unlinkat", AT_FDCWD, cString(path), 0);
  }
}
