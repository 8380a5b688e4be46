/** Looking for the file that a program name stands for, as a shell would. */
import { cString, syscall } from "./linux/ffi.ts";
import { status } from "./linux/files.ts";
import { AT_FDCWD, X_OK } from "./linux/uapi.ts";

/** What is looked for, and where. */
export interface ProgramQuery {
  /** A name with a slash is a path. */
  readonly name: string;
  /** Directories with colons between them. */
  readonly searchPath: string;
}

/** The files that a shell would try, in order. */
export function programCandidates({ name, searchPath }: ProgramQuery): readonly string[] {
  if (name.includes("/")) return [name];
  return searchPath.split(":").map((directory) => `${directory || "."}/${name}`);
}

/** True when the calling thread may execute a path and a file lies there. */
export function isProgram(path: string, cwd: string): boolean {
  const absolute = path.startsWith("/") ? path : `${cwd}/${path}`;
  if (syscall("faccessat", AT_FDCWD, cString(absolute), X_OK) < 0) return false;
  return status(absolute, { follow: true })?.kind === "file";
}
