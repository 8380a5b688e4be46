import { assertEquals } from "@std/assert";
import { type WorkRecord, workStats } from "../../src/record/work_stats.ts";

let ids = 0;

function ran(
  command: string,
  exit_code: number | null,
  fields: Partial<WorkRecord> = {},
): WorkRecord {
  return {
    command_id: `c${String(++ids).padStart(7, "0")}`,
    parent_command_id: null,
    session_id: "s0000001",
    command: [command],
    exit_code,
    outcome: {
      kind: exit_code === 0 ? "success" : exit_code === null ? "timeout" : "failed",
      reason: "",
    },
    suggestions: [],
    feedback: [],
    duration_ms: 100,
    bytes: { stdout: 10, stderr: 0 },
    truncations: { stdout: null, stderr: null },
    ...fields,
  };
}

function retry(earlier: WorkRecord, exit_code: number | null): WorkRecord {
  return ran(earlier.command.join(" "), exit_code, { parent_command_id: earlier.command_id });
}

Deno.test("workStats counts ends with what they took and what their suggestions came to", () => {
  const suggestions = [{ rule: "near-name", text: "`git status`: git is on PATH" }];
  const records = [
    ran("gti status", 127, { suggestions, duration_ms: 5 }),
    ran("git status", 0),
    ran("seq 1000000", 0, {
      bytes: { stdout: 4_000, stderr: 5 },
      truncations: { stdout: { lines: 9, bytes: 3_000 }, stderr: null },
    }),
    ran("sleep 9", null, { duration_ms: 2_000 }),
    ran("grep x y", 1, { outcome: { kind: "no-results", reason: "" } }),
  ];
  const { outcomes, spent } = workStats(records);
  assertEquals(outcomes.map((one) => Object.values(one).join(" ")), [
    "success 2 200 255 0 0 0",
    "failed 1 5 3 1 1 1",
    "no-results 1 100 3 0 0 0",
    "timeout 1 2000 3 0 0 0",
  ]);
  assertEquals(spent, {
    commands: 5,
    ms: 2_305,
    tokens: 264,
    // A plain no is no failure.
    failed: { commands: 2, ms: 2_005, tokens: 6 },
  });
});

Deno.test("workStats counts retries until a success, and what never came to one", () => {
  const make = ran("make", 2);
  const second = retry(make, 2);
  const test = ran("npm test", 1);
  const slow = ran("deploy", null);
  const records = [make, second, retry(second, 0), test, retry(test, 0), slow, ran("ls", 0)];
  assertEquals(workStats(records).retries, { chains: 3, succeeded: 2, mean: 1.5, most: 2 });
  assertEquals(workStats([]).retries, { chains: 0, succeeded: 0, mean: null, most: 0 });
});

const NUDGE = {
  feedback: ["[Feedback - Loop]\nThe same command has failed the same way 3 times."],
};
const LOOPS: readonly { name: string; in: readonly WorkRecord[]; want: readonly number[] }[] = [
  { name: "none", in: [ran("a", 1), ran("a", 1)], want: [0, 0, 0] },
  { name: "one that was left", in: [ran("a", 1, NUDGE), ...times(5, "b")], want: [1, 1, 0] },
  {
    name: "one that was solved",
    in: [ran("a", 1, NUDGE), ran("a", 0), ...times(4, "b")],
    want: [1, 1, 0],
  },
  { name: "one that went on", in: [ran("a", 1, NUDGE), ran("b", 0), ran("a", 1)], want: [1, 0, 1] },
  {
    name: "one that was told of twice",
    in: [ran("a", 1, NUDGE), ran("a", 1), ran("a", 1, NUDGE), ...times(5, "b")],
    want: [1, 0, 1],
  },
  { name: "one that nothing followed", in: [ran("a", 1, NUDGE), ran("b", 0)], want: [1, 0, 0] },
  {
    name: "one of another session",
    in: [ran("a", 1, NUDGE), ran("a", 1, { session_id: "s0000002" }), ...times(5, "b")],
    want: [1, 1, 0],
  },
  {
    name: "two, one after the other",
    in: [ran("a", 1, NUDGE), ...times(5, "b"), ran("a", 1, NUDGE), ...times(5, "b")],
    want: [2, 2, 0],
  },
];

function times(count: number, command: string): readonly WorkRecord[] {
  return Array.from({ length: count }, () => ran(command, 0));
}

for (const { name, in: records, want } of LOOPS) {
  Deno.test(`workStats counts loops: ${name}`, () => {
    const { seen, broken, continued } = workStats(records).loops;
    assertEquals([seen, broken, continued], want);
  });
}
