/** Lines of a journal that could not be read. */
import type { SkippedLines } from "../record/read.ts";
import { writeText } from "./terminal.ts";

/** Says on standard error how many lines were left out, and why; nothing when there were none. */
export function warnSkipped({ corrupt, newer, tooLong }: SkippedLines): void {
  if (corrupt + newer + tooLong === 0) return;
  writeText(
    2,
    `debrief: left out: ${corrupt} damaged, ${newer} of a newer version, ${tooLong} too long\n`,
  );
}
