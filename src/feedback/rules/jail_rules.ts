/** Suggestions about what no jail lets a command do, whatever its policy says of files and hosts. */
import { endLines } from "../observed.ts";
import type { SuggestRule } from "./rule.ts";

/** What programs say of it, and what there is to know. */
const REFUSALS: readonly { readonly name: string; readonly line: RegExp; readonly text: string }[] =
  [
    {
      name: "tracing",
      line:
        /\bptrace\b.{0,60}: Operation not permitted|\bPTRACE_[A-Z_]{1,40}: Operation not permitted/,
      text: "nothing in a jail may trace a process, also not one of its own",
    },
    {
      name: "namespaces",
      line:
        /^unshare: unshare failed: Operation not permitted|^bwrap: .{1,60}: Operation not permitted/,
      text: "nothing in a jail makes namespaces",
    },
    {
      name: "shared-memory",
      line: /\b_multiprocessing\.SemLock\(/,
      text:
        'semaphores and shared memory need "/dev/shm" under `write` in a policy; bubblewrap gives commands a private one',
    },
    {
      name: "terminals",
      line: /failed to create pseudo-terminal|out of pty devices/,
      text:
        'terminals of one\'s own need "/dev/pts" under `read` and `write` in a policy; bubblewrap gives commands private ones',
    },
  ];

/** One for each. */
export const JAIL_RULES: readonly SuggestRule[] = REFUSALS.map(({ name, line, text }) => ({
  name,
  kinds: ["failed", "denied-sandbox"],
  propose: ({ observed }) =>
    endLines(observed.ending).some((one) => line.test(one)) ? [{ text }] : [],
}));
