/** A pipe of this process, both ends close-on-exec. */
import { SystemCallError } from "../errors.ts";
import { pipe } from "./linux/ffi.ts";

/** Open one. @throws {SystemCallError} when no descriptor is left. */
export function openPipe(): { readonly read: number; readonly write: number } {
  const ends = pipe();
  if (typeof ends === "object") return ends;
  throw new SystemCallError("pipe2", -ends, `Cannot open a pipe: errno ${-ends}`);
}
