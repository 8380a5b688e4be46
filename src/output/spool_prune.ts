/** Keeps all spooled outputs together below a quota. */
import { isSpoolId } from "./spool_files.ts";

interface StoredOutput {
  readonly path: string;
  readonly id: string;
  readonly bytes: number;
  /** Time of the last write in milliseconds since the epoch. */
  readonly modified: number;
}

function measure(path: string, id: string): StoredOutput | null {
  let bytes = 0;
  let modified = 0;
  try {
    for (const { name, isFile } of Deno.readDirSync(path)) {
      if (!isFile) continue;
      const { size, mtime } = Deno.lstatSync(`${path}/${name}`);
      bytes += size;
      modified = Math.max(modified, mtime?.getTime() ?? 0);
    }
  } catch (error) {
    // Another process may prune at the same time.
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  return { path, id, bytes, modified };
}

function storedOutputs(directory: string): StoredOutput[] {
  try {
    return [...Deno.readDirSync(directory)]
      .filter(({ name, isDirectory }) => isDirectory && isSpoolId(name))
      .map(({ name }) => measure(`${directory}/${name}`, name))
      .filter((output) => output !== null);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Removes one output; one that is gone is no error. */
export function removeOutput(directory: string, id: string): void {
  if (isSpoolId(id)) remove(`${directory}/${id}`);
}

function remove(path: string): boolean {
  try {
    Deno.removeSync(path, { recursive: true });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Removes the oldest outputs until the rest is within the quota, and returns their ids. Links and anything that is not
 * named like an output are left alone.
 *
 * @param options `maxBytes` is the quota; `keep` names outputs that must stay, for example of running commands.
 */
export function pruneSpool(
  options: { directory: string; maxBytes: number; keep?: readonly string[] },
): string[] {
  const outputs = storedOutputs(options.directory).sort((a, b) => a.modified - b.modified);
  let total = outputs.reduce((sum, { bytes }) => sum + bytes, 0);
  const removed: string[] = [];
  for (const { path, id, bytes } of outputs) {
    if (total <= options.maxBytes) break;
    if (options.keep?.includes(id)) continue;
    if (remove(path)) removed.push(id);
    total -= bytes;
  }
  return removed;
}
