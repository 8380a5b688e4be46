/**
 * Puts the bundle into a directory of its own, with one time for all files: `deno compile` embeds
 * the time of each file's last change, and nothing else differs between two builds of the same source.
 */
import { join } from "node:path";
import { BUNDLE_DIR } from "./bundle.ts";

/** Where the copies lie; the paths below it are those of the repository. */
export const STAGE_DIR = "dist/stage";

/** Seconds since the epoch of all files: 1 January 1980, the earliest time that a ZIP archive knows too. */
const EMBEDDED_TIME = 315_532_800;

/** Copy the bundle. */
export async function stage(root: string): Promise<void> {
  const target = join(root, STAGE_DIR, BUNDLE_DIR);
  await Deno.remove(join(root, STAGE_DIR), { recursive: true }).catch(() => undefined);
  await Deno.mkdir(target, { recursive: true });
  const names = (await Array.fromAsync(Deno.readDir(join(root, BUNDLE_DIR)))).map(({ name }) =>
    name
  );
  for (const name of names.sort()) {
    await Deno.copyFile(join(root, BUNDLE_DIR, name), join(target, name));
    await Deno.utime(join(target, name), EMBEDDED_TIME, EMBEDDED_TIME);
  }
}
