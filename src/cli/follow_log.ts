/** `debrief log --follow`. */
import { identityOf, JournalFollower } from "../record/follow.ts";
import { matchesQuery } from "../record/query.ts";
import { readNewest, type RecordFilter } from "../record/read.ts";
import type { CommandRecord } from "../record/record.ts";
import { ClosedPipe, hasReader, writeText } from "./terminal.ts";
import { warnSkipped } from "./warn_skipped.ts";

/** Time between two looks in ms: soon enough for a person, and next to no work. */
const INTERVAL_MS = 250;

/**
 * Prints the newest records, oldest first, then each new one.
 *
 * @throws {ClosedPipe} when nobody reads any more; it never returns otherwise.
 * @throws {UsageError} when the journal cannot be read.
 */
export async function followLog(
  options: RecordFilter & { readonly limit: number },
  render: (records: readonly CommandRecord[]) => string,
): Promise<never> {
  // Before the first reading, so that nothing falls between the two; what both see is printed once.
  using follower = new JournalFollower(options.directory);
  const page = readNewest(options);
  const printed = new Set(page.records.map(identityOf));
  writeText(1, render(page.records.toReversed()));
  warnSkipped(page.skipped);
  for (;;) {
    const { records, skipped, lost } = follower.take();
    if (lost) {
      writeText(2, "debrief: records may be missing here: the journal was rotated or cut\n");
    }
    const fresh = records.filter((record) =>
      matchesQuery(record, options) && !printed.has(identityOf(record))
    );
    writeText(1, render(fresh));
    warnSkipped(skipped);
    if (!hasReader(1)) throw new ClosedPipe();
    await new Promise((done) => setTimeout(done, INTERVAL_MS));
  }
}
