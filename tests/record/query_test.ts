import { assertEquals } from "@std/assert";
import { matchesQuery, problemOfStatus, type RecordQuery } from "../../src/record/query.ts";
import type { CommandRecord } from "../../src/record/record.ts";
import { sample } from "./sample.ts";

const at = Date.parse("2025-01-02T03:04:05.678Z");

interface Case {
  readonly record?: Partial<CommandRecord>;
  readonly in: RecordQuery;
  readonly want: boolean;
}

const CASES: readonly Case[] = [
  { in: {}, want: true },
  { in: { session: "s0000001" }, want: true },
  { in: { session: "s" }, want: false },
  { in: { task: "t" }, want: false },
  { record: { task_id: "t" }, in: { task: "t" }, want: true },
  { in: { status: ["0"] }, want: true },
  { in: { status: ["success"] }, want: true },
  { in: { status: ["nonzero", "null"] }, want: false },
  { record: { exit_code: 3 }, in: { status: ["nonzero"] }, want: true },
  { record: { exit_code: 3 }, in: { status: ["1", "3"] }, want: true },
  { record: { exit_code: null }, in: { status: ["0", "nonzero"] }, want: false },
  { record: { exit_code: null }, in: { status: ["null"] }, want: true },
  { record: { exit_code: 137, signal: "SIGKILL" }, in: { status: ["SIGKILL"] }, want: true },
  { in: { since: at }, want: true },
  { in: { since: at + 1 }, want: false },
  { in: { until: at }, want: false },
  { in: { until: at + 1 }, want: true },
  { record: { started_at: "soon" }, in: { since: at, until: at }, want: true },
  { in: { beneath: "/work" }, want: true },
  { in: { beneath: "/work/proj" }, want: false },
  { in: { text: "HELLO" }, want: true },
  { in: { text: "nosuch" }, want: false },
  { record: { agent_note: "Expects x" }, in: { text: "expects" }, want: true },
  { record: { error: "jail" }, in: { text: "jail" }, want: true },
  { in: { program: "echo" }, want: true },
  { in: { program: "hello" }, want: false },
  { record: { command: ["cd x && /usr/bin/git push | cat"] }, in: { program: "git" }, want: true },
  { record: { command: ["cd x && git push | cat"] }, in: { program: "cat" }, want: true },
  { record: { command: ["cd x && git push"] }, in: { program: "push" }, want: false },
  { record: { command: ["env", "A=b", "git", "log"] }, in: { program: "git" }, want: true },
  { record: { command: ["git 'open"] }, in: { program: "git" }, want: true },
  { record: { command: ["echo 'git"] }, in: { program: "git" }, want: false },
  { in: { session: "s0000001", program: "nosuch" }, want: false },
];

Deno.test("matchesQuery() is true for records that meet all conditions", () => {
  for (const { record, in: query, want } of CASES) {
    const given = { ...sample(), prev: null, ...record };
    assertEquals(matchesQuery(given, query), want, JSON.stringify([record, query]));
  }
});

Deno.test("problemOfStatus() accepts numbers, null, nonzero, signals and outcomes", () => {
  for (const word of ["0", "255", "null", "nonzero", "SIGKILL", "SIGRTMIN+1", "denied-policy"]) {
    assertEquals(problemOfStatus(word), null, word);
  }
  for (const word of ["", "256", "-1", "ok", "sigkill", "SIG", "Timeout"]) {
    assertEquals(
      problemOfStatus(word)?.startsWith(`Cannot use the status "${word}": `),
      true,
      word,
    );
  }
});
