/** How much a command has printed, in words. */
import type { Block } from "./block.ts";

/** Lines and bytes, standard error after a plus. */
export function counts(block: Block): string {
  const { bytes } = block;
  if (bytes.stdout + bytes.stderr === 0) return lineCount(block);
  return `${lineCount(block)}/${both(bytes.stdout, bytes.stderr, bytes.stderr > 0)} B`;
}

/** Lines alone. */
export function lineCount({ lines, bytes }: Block): string {
  if (bytes.stdout + bytes.stderr === 0) return "no output";
  const unit = lines.stdout + lines.stderr === 1 ? "line" : "lines";
  return `${both(lines.stdout, lines.stderr, bytes.stderr > 0)} ${unit}`;
}

function both(out: number, err: number, shows: boolean): string {
  return shows ? `${out}+${err}` : String(out);
}
