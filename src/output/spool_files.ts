/** The files of spooled outputs: their names, and which of them belong together. */
import { UsageError } from "../errors.ts";
import type { StreamName } from "./summary.ts";

/** A stored part of a stream. */
export interface SpoolPart {
  readonly path: string;
  /** Offset of its first byte in the stream. */
  readonly offset: number;
  /** Newlines of the stream before it. */
  readonly newlines: number;
  readonly size: number;
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const PART = /^(stdout|stderr)(?:\.(\d{1,15})\.(\d{1,15}))?$/;

/** True for a name under which an output can be stored. */
export function isSpoolId(id: string): boolean {
  return ID.test(id);
}

/**
 * Parts of a stream in the order of their bytes; empty when the stream had no output.
 *
 * @throws {UsageError} When nothing is stored under the id.
 */
export function spoolParts(directory: string, id: string, stream: StreamName): SpoolPart[] {
  const parts: SpoolPart[] = [];
  try {
    if (!isSpoolId(id)) throw new Deno.errors.NotFound();
    for (const { name } of Deno.readDirSync(`${directory}/${id}`)) {
      const match = PART.exec(name);
      if (match === null || match[1] !== stream) continue;
      const path = `${directory}/${id}/${name}`;
      const { size } = Deno.statSync(path);
      parts.push({ path, offset: Number(match[2] ?? 0), newlines: Number(match[3] ?? 0), size });
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new UsageError(`Cannot read output "${id}": nothing is stored under this id`);
  }
  // A stream whose head found no room begins with an empty file; its first segment may begin at 0 as well.
  return parts.filter(({ size }) => size > 0).sort((a, b) => a.offset - b.offset);
}
