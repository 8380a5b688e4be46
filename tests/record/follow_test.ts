import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { JournalFollower } from "../../src/record/follow.ts";
import { Journal } from "../../src/record/journal.ts";
import { inTemporary, sample } from "./sample.ts";

function append(directory: string, ids: readonly string[], size = 10): void {
  using journal = Journal.open({ directory });
  for (const command_id of ids) {
    journal.append(sample({ command_id, stdout_tail: "x".repeat(size) }));
  }
}

function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

function taken(follower: JournalFollower) {
  const { records, skipped, lost } = follower.take();
  return { ids: records.map(({ command_id }) => command_id), corrupt: skipped.corrupt, lost };
}

Deno.test(
  "JournalFollower gives what is appended, once and in order, across rotations",
  inTemporary((directory) => {
    using early = new JournalFollower(directory);
    append(directory, ["ca", "cb"]);
    using late = new JournalFollower(directory);
    assertEquals(taken(early), { ids: ["ca", "cb"], corrupt: 0, lost: false });
    assertEquals(taken(late), { ids: [], corrupt: 0, lost: false });
    const many = numbered("cx", 9);
    append(directory, many, 400_000);
    assertEquals(taken(late), { ids: many, corrupt: 0, lost: false });
    assertEquals(taken(early), { ids: many, corrupt: 0, lost: false });
    append(directory, ["cc"]);
    assertEquals(taken(late), { ids: ["cc"], corrupt: 0, lost: false });
    assertEquals(taken(late), { ids: [], corrupt: 0, lost: false });
  }),
);

Deno.test(
  "JournalFollower leaves a line that is being written for later, and counts a torn one",
  inTemporary((directory) => {
    append(directory, ["ca", "cb"]);
    const path = join(directory, "journal.jsonl");
    const whole = Deno.readTextFileSync(path);
    const second = whole.indexOf("\n") + 1;
    Deno.writeTextFileSync(path, whole.slice(0, second + 50));
    using follower = new JournalFollower(directory);
    assertEquals(taken(follower), { ids: [], corrupt: 0, lost: false });
    Deno.writeTextFileSync(path, whole.slice(second + 50), { append: true });
    assertEquals(taken(follower), { ids: ["cb"], corrupt: 0, lost: false });
    Deno.writeTextFileSync(path, "{torn", { append: true });
    assertEquals(taken(follower), { ids: [], corrupt: 0, lost: false });
    append(directory, ["cc"]);
    assertEquals(taken(follower), { ids: ["cc"], corrupt: 1, lost: false });
  }),
);

Deno.test(
  "JournalFollower says when records may be missing",
  inTemporary((directory) => {
    append(directory, ["ca"]);
    using follower = new JournalFollower(directory);
    append(directory, numbered("cx", 8), 900_000);
    const { ids, lost } = taken(follower);
    assertEquals([lost, ids.at(-1), ids.length], [true, "cx7", 6]);
    Deno.writeTextFileSync(join(directory, "journal.jsonl"), "");
    assertEquals(taken(follower).lost, true);
    append(directory, ["cb"]);
    assertStringIncludes(taken(follower).ids.join(), "cb");
  }),
);
