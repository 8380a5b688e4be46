import { assertEquals } from "@std/assert";
import { JournalFeed } from "../../../src/cli/review/journal_feed.ts";
import { Journal } from "../../../src/record/journal.ts";
import type { RecordQuery } from "../../../src/record/query.ts";
import { inTemporary, sample } from "../../record/sample.ts";

function append(directory: string, ids: readonly string[]): void {
  using journal = Journal.open({ directory });
  for (const command_id of ids) journal.append(sample({ command_id }));
}

/** Ids of all that is there, newest first. */
function allOf(feed: JournalFeed): readonly string[] {
  const ids: string[] = [];
  for (;;) {
    const { entries, done } = feed.older();
    ids.push(...entries.map(({ command_id }) => command_id));
    if (done) return ids;
  }
}

function ids(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

Deno.test(
  "JournalFeed gives each record once: those that are there, then those that come",
  inTemporary((directory) => {
    const before = ids("a", 450);
    append(directory, before);
    using feed = new JournalFeed(directory, {});
    // Between the start and the first reading: both readers see it.
    append(directory, ["b"]);
    assertEquals(allOf(feed), ["b", ...before.toReversed()]);
    assertEquals(feed.newer().entries, []);
    append(directory, ["c", "d"]);
    assertEquals(feed.newer().entries.map(({ command_id }) => command_id), ["d", "c"]);
    assertEquals(feed.newer().entries, []);
  }),
);

Deno.test(
  "JournalFeed gives a first piece that is small, counts damaged lines, and obeys the query",
  inTemporary((directory) => {
    append(directory, ids("a", 300));
    Deno.writeTextFileSync(`${directory}/journal.jsonl`, "{torn\n", { append: true });
    using feed = new JournalFeed(directory, {});
    assertEquals([feed.older().entries.length, feed.older().skipped], [60, 1]);
    const query: RecordQuery = { session: "none" };
    using none = new JournalFeed(directory, query);
    assertEquals(allOf(none), []);
    append(directory, ["b"]);
    assertEquals(none.newer().entries, []);
  }),
);

Deno.test(
  "JournalFeed reads a journal that does not exist yet",
  inTemporary((directory) => {
    using feed = new JournalFeed(`${directory}/new`, {});
    assertEquals(feed.older().done, true);
    append(`${directory}/new`, ["a"]);
    assertEquals(feed.newer().entries.length, 1);
  }),
);
