/** What tests see of processes and files, and how they wait for it. */

/** Milliseconds between two looks. */
const BETWEEN_MS = 5;

/** Waits until it is so; the time limit of the whole run ends a wait in vain. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
}

/** True while a process is there and has not ended: one that only waits to be reaped has. */
export function lives(pid: number | null): boolean {
  try {
    return !/^State:\s+Z/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

/** True when something lies at a path, also a link that leads nowhere. */
export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
