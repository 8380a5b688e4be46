import { assertEquals } from "@std/assert";
import type { StatusChoice } from "../../../src/cli/review/entry_filter.ts";
import {
  addNewer,
  addOlder,
  currentEntry,
  emptyReview,
  nextStatus,
  withFilter,
  withOrder,
} from "../../../src/cli/review/review_state.ts";
import { ended, listed, pressed, read } from "./entries.ts";

const [a, b, c, d] = [
  ended("a", 0, { duration_ms: 5, stdout_tail: "Special" }),
  ended("b", 1, { duration_ms: 900, denials: [] }),
  ended("c", null, { duration_ms: 20, outcome: { kind: "denied-policy", reason: "" } }),
  ended("d", 2, { duration_ms: 900, agent_note: "special" }),
];

Deno.test("addOlder() selects the latest exit that is not 0", () => {
  const cases = [
    { in: [a, b, c], want: "b" },
    { in: [a, c, b], want: "c" },
    { in: [a], want: "a" },
    { in: [], want: undefined },
  ];
  for (const { in: entries, want } of cases) {
    assertEquals(currentEntry(read(...entries))?.command_id, want);
  }
});

Deno.test("addOlder() goes on seeking until a key is pressed", () => {
  const first = addOlder(emptyReview(), [a]);
  assertEquals(currentEntry(addOlder(first, [b]))?.command_id, "b");
  const touched = pressed(first, ["up"]).state;
  assertEquals(currentEntry(addOlder(touched, [b]))?.command_id, "a");
  assertEquals(addOlder(touched, [b]).latestFailure, b);
});

Deno.test("addNewer() keeps the cursor on its record, or on the newest while following", () => {
  const state = read(a, b);
  const later = addNewer(state, [d]);
  assertEquals([listed(later), currentEntry(later)?.command_id], ["d a b", "b"]);
  assertEquals(later.latestFailure, d);
  const following = addNewer(pressed(state, ["f"]).state, [d]);
  assertEquals(currentEntry(following)?.command_id, "d");
  const moved = addNewer(pressed(state, ["f", "down"]).state, [d]);
  assertEquals(currentEntry(moved)?.command_id, "b");
});

Deno.test("addNewer() lists only what the filter lets through", () => {
  const state = withFilter(read(a, b), { status: "ok", text: "" });
  const later = addNewer(state, [d]);
  assertEquals([listed(later), later.entries.length], ["a", 3]);
  assertEquals(listed(addNewer(state, [ended("e", 0)])), "e a");
});

Deno.test("addNewer() and addOlder() keep within a bound", () => {
  // Searched text may be a megabyte of one record: what is held counts, not the number of records.
  const big = Array.from(
    { length: 40 },
    (_, index) => ({ ...ended(`x${index}`, 0), haystack: { length: 5_000_000 } as string }),
  );
  const full = addNewer(read(a, b), big);
  assertEquals([full.entries.length, full.entries[0]?.command_id], [25, "x0"]);
  assertEquals(listed(full), full.entries.map(({ command_id }) => command_id).join(" "));
  const refused = addOlder(full, big);
  assertEquals([refused.entries.length, refused.message], [
    25,
    "older records are left out: too many",
  ]);
});

Deno.test("withFilter() chooses by status and by text, whatever was chosen before", () => {
  const cases: { in: [StatusChoice, string]; want: string }[] = [
    { in: ["failed", ""], want: "b c d" },
    { in: ["non-zero", ""], want: "b d" },
    { in: ["no exit", ""], want: "c" },
    { in: ["denied", ""], want: "c" },
    { in: ["ok", ""], want: "a" },
    { in: ["all", "SPECIAL"], want: "a d" },
    { in: ["failed", "special"], want: "d" },
    { in: ["all", "speci"], want: "a d" },
    { in: ["all", "nowhere"], want: "" },
    { in: ["all", ""], want: "a b c d" },
  ];
  let state = read(a, b, c, d);
  for (const { in: [status, text], want } of cases) {
    state = withFilter(state, { status, text });
    assertEquals(listed(state), want, `${status} ${text}`);
  }
});

Deno.test("withFilter() keeps the cursor on its record, and within the list", () => {
  const state = pressed(read(a, b, c, d), ["G"]).state;
  assertEquals(currentEntry(withFilter(state, { status: "non-zero", text: "" }))?.command_id, "d");
  const other = withFilter(state, { status: "ok", text: "" });
  assertEquals(currentEntry(other)?.command_id, "a");
});

Deno.test("withOrder() puts the longest first, the newest among equals, and goes back", () => {
  const state = withOrder(read(a, b, c, d), "duration");
  assertEquals([listed(state), currentEntry(state)?.command_id], ["b d c a", "b"]);
  const newer = addNewer(state, [ended("e", 0, { duration_ms: 900 })]);
  assertEquals(listed(newer), "e b d c a");
  assertEquals(listed(addOlder(state, [ended("z", 0, { duration_ms: 900 })])), "b d z c a");
  assertEquals(listed(withOrder(newer, "time")), "e a b c d");
});

Deno.test("nextStatus() goes through all choices and around", () => {
  const seen = new Set<StatusChoice>();
  let status: StatusChoice = "all";
  do seen.add(status = nextStatus(status)); while (status !== "all");
  assertEquals(seen.size, 6);
});
