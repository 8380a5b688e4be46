/** Reading and replacing files of the user whole. */
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path/posix";

/** Bytes of a configuration that are read; agents' own files are far smaller. */
const CONFIG_BYTES = 64 * 1024 * 1024;

/** The text of a file, null where there is none. @throws {Error} for what is no file of text. */
export function readText(path: string): string | null {
  try {
    const { size, isFile } = Deno.statSync(path);
    if (!isFile || size > CONFIG_BYTES) {
      throw new Error(`Cannot use "${path}": it is no ordinary file of text`);
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Deno.readFileSync(path),
    );
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    if (error instanceof TypeError) throw new Error(`Cannot use "${path}": it is not UTF-8`);
    throw error;
  }
}

/** The file itself, where a link leads to it: people keep their settings elsewhere. */
function realFile(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}

/**
 * Replace a file at once: who reads it sees the old or the new text, never a part. Its mode stays; directories that are
 * missing are made.
 *
 * @throws {Error} when the file belongs to someone else, who would lose it.
 */
export function writeWhole(
  path: string,
  content: { readonly text: string; readonly mode: number },
): void {
  const place = realFile(path);
  Deno.mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  let { mode } = content;
  try {
    const info = Deno.statSync(place);
    if (info.uid !== Deno.uid()) {
      throw new Error(`Cannot replace "${path}": it belongs to user ${info.uid}`);
    }
    mode = (info.mode ?? mode) & 0o777;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const draft = join(dirname(place), `.debrief-${randomBytes(6).toString("hex")}`);
  try {
    Deno.writeTextFileSync(draft, content.text, { mode, createNew: true });
    Deno.chmodSync(draft, mode);
    Deno.renameSync(draft, place);
  } catch (error) {
    Deno.removeSync(draft);
    throw error;
  }
}

/** Remove a file; nothing where there is none. */
export function removeFile(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
