/** Memory of a process with all that descends from it, as `/proc` counts it. */

/** `VmRSS` of a process in MiB, 0 when it is gone. */
function residentOf(pid: number): number {
  try {
    const text = Deno.readTextFileSync(`/proc/${pid}/status`);
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    return [...Deno.readDirSync(`/proc/${pid}/task`)].flatMap(({ name }) =>
      Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`).trim().split(" ").filter(Boolean)
        .map(Number)
    );
  } catch {
    return [];
  }
}

/** Resident memory of a process and its descendants in MiB; pages that they share count for each. */
export function residentTree(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => sum + residentTree(child), residentOf(pid));
}
