/** The bounds of a policy on this machine. */
import type { Limits } from "../policy/policy.ts";
import { readKernelFile } from "./linux/files.ts";

/** Where a container sees its own bound: cgroup version 2 and 1. Without a container these are absent or hold no bound. */
const CONTAINER_BOUNDS = [
  "/sys/fs/cgroup/memory.max",
  "/sys/fs/cgroup/memory/memory.limit_in_bytes",
];

/** Memory in bytes; 0 when the kernel does not say. */
function machineMemory(): number {
  const kilobytes = /^MemTotal: +(\d+) kB$/m.exec(readKernelFile("/proc/meminfo") ?? "")?.[1];
  const bounds = CONTAINER_BOUNDS.map((path) => Number.parseInt(readKernelFile(path) ?? ""));
  const known = [Number(kilobytes) * 1024, ...bounds].filter((bytes) => bytes > 0);
  return known.length > 0 ? Math.min(...known) : 0;
}

/** A policy's bounds with the share of memory worked out for this machine. */
export function limitsHere(limits: Limits): Limits {
  const { memoryBytes, memoryPercent } = limits;
  const machine = memoryPercent > 0 ? machineMemory() : 0;
  const mebibyte = 2 ** 20;
  const share = Math.floor(machine * memoryPercent / 100 / mebibyte) * mebibyte;
  const bounds = [memoryBytes, share].filter((bound) => bound > 0);
  return { ...limits, memoryBytes: bounds.length > 0 ? Math.min(...bounds) : 0 };
}
