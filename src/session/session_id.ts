/** Which session a command belongs to. */
import { createHash } from "node:crypto";
import { newId } from "../record/ids.ts";
import { readKernelFile } from "../sandbox/linux/files.ts";

/** Crockford's base 32, lower case, as ids use it. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const ID_LENGTH = 7;

/**
 * The session of commands that one caller gives one by one (`debrief -c` for each): the same as long as the calling
 * process lives. An agent's retries are then found among its own earlier commands, and nobody else's.
 *
 * Derived from the parent's process id and start time and the boot id, so that a reused process id is another session.
 */
export function callerSessionId(): string {
  const stat = readKernelFile(`/proc/${Deno.ppid}/stat`);
  const boot = readKernelFile("/proc/sys/kernel/random/boot_id");
  if (stat === null || boot === null) return newId("s");
  // Field 22 of proc(5), counted behind the name, which may hold blanks and parentheses.
  const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const digest = createHash("sha256").update(`${Deno.ppid} ${started} ${boot}`).digest();
  return "s" + [...digest.subarray(0, ID_LENGTH)].map((byte) => ALPHABET[byte % 32]).join("");
}
