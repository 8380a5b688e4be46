/** What tests of the spool share. */
import { Spool } from "../../src/output/spool.ts";
import { bytesOf } from "./redact_helpers.ts";

/** Runs with a directory for a spool, and removes it. */
export function withDirectory(run: (directory: string) => void): void {
  const directory = Deno.makeTempDirSync();
  try {
    run(`${directory}/spool`);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

/** Spools a text in chunks of a size; returns the id and the result. */
export function store(
  directory: string,
  text: string,
  options: { capBytes: number; size?: number; id?: string },
) {
  const spool = new Spool({ directory, ...options });
  const bytes = bytesOf(text);
  const size = options.size ?? (bytes.length || 1);
  let newlines = 0;
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.slice(at, at + size);
    spool.write("stdout", chunk, { newlines });
    newlines += chunk.filter((byte) => byte === 10).length;
    chunk.fill(0);
  }
  return { id: spool.id, ...spool.finish() };
}

/** Lines `line 1` and so on. */
export const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");
