/** How much memory this machine has, or its container. */
import { readKernelFile } from "./linux/files.ts";

/** Where a container sees its own bound: cgroup version 2 and 1. Without a container these are absent or hold no bound. */
const CONTAINER_BOUNDS = [
  "/sys/fs/cgroup/memory.max",
  "/sys/fs/cgroup/memory/memory.limit_in_bytes",
];

/** Memory in bytes; 0 when the kernel does not say. */
export function machineMemory(): number {
  const kilobytes = /^MemTotal: +(\d+) kB$/m.exec(readKernelFile("/proc/meminfo") ?? "")?.[1];
  const bounds = CONTAINER_BOUNDS.map((path) => Number.parseInt(readKernelFile(path) ?? ""));
  const known = [Number(kilobytes) * 1024, ...bounds].filter((bytes) => bytes > 0);
  return known.length > 0 ? Math.min(...known) : 0;
}
