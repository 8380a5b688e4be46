/** What this process has open. */
import { directoryNames, readLink } from "../../src/sandbox/linux/files.ts";

/** Deno 2.7 keeps those of a worker that has ended until it collects its memory, if ever. */
const RUNTIME = /^anon_inode:\[(?:eventpoll|eventfd)\]$/;

/** The number of this process's descriptors, but for those by which the runtime waits. */
export function openDescriptors(): number {
  return (directoryNames("/proc/self/fd") ?? [])
    .filter((fd) => !RUNTIME.test(readLink(`/proc/self/fd/${fd}`) ?? "")).length;
}
