import { assertEquals } from "@std/assert";
import { type StatsRecord, suggestionStats } from "../../src/record/suggestion_stats.ts";

function ran(
  command: string,
  exit_code: number | null,
  texts: readonly string[] = [],
): StatsRecord {
  return {
    session_id: "s0000001",
    command: command.split(" "),
    exit_code,
    outcome: { kind: exit_code === 0 ? "success" : "failed", reason: "" },
    suggestions: texts.map((text) => ({ rule: "near-name", text })),
  };
}

const GTI = ran("gti status", 127, ["`git status`: git is on PATH and allowed"]);
const TABLE: readonly { name: string; in: readonly StatsRecord[]; want: number[] | null }[] = [
  { name: "nothing", in: [ran("ls", 0)], want: null },
  { name: "one that was ignored", in: [GTI, ran("ls", 0)], want: [1, 0, 0] },
  { name: "one that helped", in: [GTI, ran("ls", 0), ran("git status", 0)], want: [1, 1, 1] },
  { name: "one that did not help", in: [GTI, ran("git status", 128)], want: [1, 1, 0] },
  { name: "one whose end nobody saw", in: [GTI, ran("git status", null)], want: [1, 1, 0] },
  {
    name: "one that was taken twice",
    in: [GTI, ran("git status", 0), ran("git status", 0)],
    want: [1, 1, 1],
  },
  {
    name: "one that came too late",
    in: [GTI, ...Array(5).fill(ran("ls", 0)), ran("git status", 0)],
    want: [1, 0, 0],
  },
  {
    name: "one of another session",
    in: [GTI, { ...ran("git status", 0), session_id: "s0000002" }],
    want: [1, 0, 0],
  },
  { name: "a fact", in: [ran("x", 1, ["the limit was 2s"]), ran("y", 0)], want: [1, 0, 0] },
];

for (const { name, in: records, want } of TABLE) {
  Deno.test(`suggestionStats counts ${name}`, () => {
    const [found] = suggestionStats(records);
    assertEquals(found ? [found.offered, found.taken, found.helped] : null, want);
  });
}
