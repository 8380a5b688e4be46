/**
 * Imported before everything else, because what is imported next opens Linux's C library: another system is refused with
 * a message, not with a failure to load.
 */
import { EXIT } from "../exit_codes.ts";

/** Variable by which tests act as if this were another system; it can only refuse. */
const PRETEND_SYSTEM = "DEBRIEF_SYSTEM";

/** Why Debrief cannot run on a system, null where it can. */
function problemOfSystem(os: string, pretended: string | undefined): string | null {
  const system = os === "linux" ? pretended ?? os : os;
  if (system === "linux") return null;
  return `Cannot run on "${system}": commands are confined by Landlock and seccomp, which Linux alone has; ` +
    "a Linux container or virtual machine will do";
}

const problem = problemOfSystem(Deno.build.os, Deno.env.get(PRETEND_SYSTEM));
if (problem !== null) {
  console.error(`debrief: ${problem}`);
  Deno.exit(EXIT.refused);
}
