/** The name by which the program was called. */
import { basename } from "node:path/posix";
import { readKernelFile } from "../sandbox/linux/files.ts";

/** Shells whose name a link to the executable can have. */
const SHELLS = new Set(["bash", "sh", "zsh"]);

/**
 * The shell's name when the executable was called by one (a link, or a login's `-bash`), else null. The runtime hides the
 * word; the kernel keeps it. From the source there is none: the first word is then Deno's.
 */
export function posedName(): string | null {
  if (!Deno.build.standalone) return null;
  const [word = ""] = readKernelFile("/proc/self/cmdline")?.split("\0", 1) ?? [];
  const name = basename(word).replace(/^-/, "");
  return SHELLS.has(name) ? name : null;
}
