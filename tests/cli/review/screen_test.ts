import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { bodyOf, screenLines } from "../../../src/cli/review/screen.ts";
import { columnsOf } from "../../../src/cli/review/styled_line.ts";
import type { CommandRecord } from "../../../src/record/record.ts";
import { ended, entry, pressed, read, screenOf } from "./entries.ts";

const EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e\u2028\r日本\u200d";

/** A record in which every text is hostile. */
const evil = entry(Object.fromEntries(
  Object.entries({
    ...entry().record,
    error: "",
    agent_note: "",
    task_id: "",
    parent_command_id: "",
    signal: "",
  }).map(([name, value]) => [name, typeof value === "string" ? EVIL : value]),
));
const hostile = entry({
  ...evil.record,
  command: [EVIL, EVIL],
  argv: [EVIL],
  stdout_tail: `a\n${EVIL}\n\n`,
  outcome: { kind: "failed", reason: EVIL },
  suggestions: [{ rule: EVIL, text: EVIL }],
  feedback: [EVIL],
  denials: [{
    permission: "read",
    resource: EVIL,
    by: "sandbox",
    rule: EVIL,
    at: EVIL,
    accepted: EVIL,
  }],
  changed: [EVIL],
  jobs: [{ pid: 1, command: EVIL, state: "running" }],
  redactions: { [EVIL]: 1 },
  sandbox: { ...evil.record.sandbox, policy: EVIL },
} as Partial<CommandRecord>);

const PAGE = { lines: [{ number: 7, text: EVIL, isGap: false }], problem: null };

Deno.test("screenLines() lets no control character of a record through, in any view", () => {
  const keys = [[], ["return"], ["return", "G"], ["c"], ["o"], ["?"], ["y"], ["/", "x", "return"]];
  for (const one of keys) {
    const { state } = pressed(read(hostile), one);
    const text = screenOf(state, { columns: 100, rows: 60 }, PAGE).join("\n");
    assertEquals(/[^\P{C}\n]|[\u2028\u2029]/u.exec(text), null, one.join(" "));
  }
  const detail = pressed(read(hostile), ["return"]).state;
  assertStringIncludes(screenOf(detail, { columns: 100, rows: 60 }).join(""), "\\e]0;title");
});

Deno.test("screenLines() fills exactly the terminal, whatever its size and view", () => {
  const states = [[], ["return"], ["c"], ["o"], ["?"], ["/", "h"]].map((keys) =>
    pressed(read(hostile, ended("b", 1), ended("c", null)), keys).state
  );
  for (const state of [...states, read()]) {
    for (const columns of [1, 2, 10, 20, 40, 63, 64, 80, 200]) {
      for (const rows of [1, 2, 3, 4, 5, 24, 60]) {
        const size = { columns, rows };
        const lines = screenLines(state, { size, readOutput: () => PAGE });
        assert(lines.length <= rows && lines.length >= Math.min(rows, 2) - 1, `${columns}x${rows}`);
        for (const { spans } of lines) {
          assertEquals(columnsOf(spans.map(({ text }) => text).join("")), columns);
        }
        if (rows > 3) assertEquals(lines.length, rows);
      }
    }
  }
});

Deno.test("screenLines() shows status, time, duration and program also in 40 columns", () => {
  const one = ended("b", 3, {
    duration_ms: 61_000,
    command: ["/usr/bin/cargo", "test"],
    redactions: { token: 1 },
  });
  for (const columns of [40, 80, 200]) {
    const row = screenOf(read(one), { columns, rows: 10 })[2] ?? "";
    for (const part of [">!", "03:04:05", " 3 ", "1m01s", "cargo", "R"]) {
      assertStringIncludes(row, part);
    }
  }
});

Deno.test("screenLines() sets what was expected beside what came", () => {
  const state = pressed(
    read(ended("b", null, {
      agent_note: "3 tests pass",
      lines: { stdout: 1, stderr: 0 },
      bytes: { stdout: 9, stderr: 0 },
      stdout_tail: "0 tests\n",
      stderr_tail: "oops\n",
    })),
    ["return"],
  ).state;
  const text = screenOf(state, { columns: 80, rows: 40 }).join("\n");
  const expected = text.indexOf(" expected   3 tests pass\n got        no exit, 1 line/9 B\n");
  assert(expected > 0, text);
  assert(text.includes("\n0 tests\n") && text.includes("\noops\n"), text);
  assertEquals(text.includes("success"), false);
});

Deno.test("screenLines() looks only at the rows that it shows", () => {
  const entries = Array.from({ length: 50_000 }, (_, index) => ended(`c${index}`, 0));
  const state = read(...entries);
  let looks = 0;
  const rows = new Proxy([...state.rows], {
    get(target, key) {
      if (typeof key === "string" && /^\d+$/.test(key)) looks++;
      return Reflect.get(target, key);
    },
  });
  const size = { columns: 80, rows: 24 };
  const text = screenOf({ ...state, rows, cursor: 25_000, entries: rows }, size);
  assert(text[12]?.startsWith(">") || text[11]?.startsWith(">"), text.join("\n"));
  assert(looks > 0 && looks <= bodyOf(size).lines, `${looks}`);
});

Deno.test("screenLines() says what is missing", () => {
  const cases = [
    { in: read(), want: " no records" },
    { in: { ...read(), loading: true }, want: " reading..." },
    {
      in: pressed(read(ended("a", 0)), ["/", "#"]).state,
      want: " nothing matches; Esc drops the filters",
    },
  ];
  for (const { in: state, want } of cases) assertEquals(screenOf(state)[2], want);
  const output = pressed(read(ended("a", 0)), ["o"]).state;
  assertEquals(screenOf(output, undefined, { lines: [], problem: "gone\x1b" })[2], " gone\\e");
});
