import { assert, assertEquals } from "@std/assert";
import type { CommandRecord } from "../../src/record/record.ts";
import { commandSpan } from "../../src/telemetry/command_span.ts";
import { sample } from "../record/sample.ts";

function record(fields: Partial<CommandRecord>): CommandRecord {
  return { ...sample(), prev: null, ...fields };
}

const RICH = record({
  command: ["ca-nary one"],
  argv: ["/opt/bin/ca-nary", "two"],
  cwd: "/ca-nary/three",
  agent_note: "ca-nary four",
  stdout_tail: "ca-nary five",
  stderr_tail: "ca-nary six",
  error: "ca-nary seven",
  exit_code: 127,
  outcome: { kind: "not-found", reason: "ca-nary eight" },
  denials: [{
    permission: "read",
    resource: "/ca-nary/nine",
    by: "sandbox",
    rule: "ca-nary ten",
    at: "ca-nary:1",
    accepted: "ca-nary",
  }],
  jobs: [{ pid: 7, command: "ca-nary eleven", state: "ended" }],
  changed: ["/ca-nary/twelve"],
  suggestions: [{ rule: "x", text: "ca-nary thirteen" }],
  feedback: ["ca-nary fourteen"],
  redactions: { "github-token": 2, jwt: 1 },
  truncations: { stdout: { lines: 3, bytes: 40 }, stderr: null },
});

Deno.test("commandSpan holds no content unless it is captured", () => {
  const text = JSON.stringify(commandSpan(RICH, { content: false }));
  assert(!text.includes("ca-nary"), text);
  const captured = JSON.stringify(commandSpan(RICH, { content: true }));
  for (const number of ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]) {
    assert(captured.includes(number), number);
  }
  for (const number of ["ten", "eleven", "twelve"]) assert(captured.includes(number), number);
});

Deno.test("commandSpan has an event for each denial, truncation, rule, job and restored file", () => {
  const { events, denials, redactions } = commandSpan(RICH, { content: false });
  assertEquals(events.map(({ name, attributes }) => [name, ...Object.values(attributes)]), [
    ["debrief.denial", "read", "sandbox"],
    ["debrief.truncation", "stdout", 3, 40],
    ["debrief.redaction", "github-token", 2],
    ["debrief.redaction", "jwt", 1],
    ["debrief.job", 7, "ended"],
    ["debrief.restored"],
  ]);
  assertEquals(denials, [{ "debrief.permission": "read", "debrief.denied_by": "sandbox" }]);
  assertEquals(redactions, 3);
});

Deno.test("commandSpan calls an error what failed, and neither success nor a plain no", () => {
  const table: { in: Partial<CommandRecord>; want: [unknown, unknown] }[] = [
    { in: {}, want: [undefined, null] },
    { in: { outcome: { kind: "success-empty", reason: "" } }, want: [undefined, null] },
    { in: { exit_code: 1, outcome: { kind: "no-results", reason: "" } }, want: [undefined, null] },
    { in: { exit_code: 2, outcome: { kind: "failed", reason: "status 2" } }, want: ["failed", ""] },
    { in: { exit_code: null, outcome: { kind: "timeout", reason: "x" } }, want: ["timeout", ""] },
    { in: { exit_code: null, outcome: { kind: "no-exit", reason: "x" } }, want: ["no-exit", ""] },
  ];
  for (const { in: fields, want } of table) {
    const { attributes, dimensions, failure } = commandSpan(record(fields), { content: false });
    assertEquals([attributes["error.type"], failure], want);
    assertEquals(dimensions["error.type"], want[0]);
    assertEquals(
      attributes["process.exit.code"],
      fields.exit_code === null ? undefined : fields.exit_code ?? 0,
    );
  }
});

Deno.test("commandSpan names the program only when there was one", () => {
  const name = (fields: Partial<CommandRecord>) =>
    commandSpan(record(fields), { content: false }).attributes["process.executable.name"];
  assertEquals(name({}), "echo");
  assertEquals(name({ argv: ["gti", "x"], exit_code: 127 }), undefined);
  assertEquals(name({ argv: ["gti", "x"], exit_code: null }), undefined);
  assertEquals(name({ argv: [] }), undefined);
});

Deno.test("commandSpan stays bounded whatever a record holds", () => {
  const long = "x".repeat(60_000);
  const denial = RICH.denials[0]!;
  const huge = record({
    command: [long],
    argv: Array(500).fill("y".repeat(100)),
    cwd: long,
    agent_note: long,
    task_id: long,
    error: long,
    stdout_tail: long,
    stderr_tail: long,
    outcome: { kind: "failed", reason: long },
    denials: Array(1000).fill({ ...denial, resource: long, rule: long }),
    jobs: Array(1000).fill({ pid: 1, command: long, state: "ended" }),
    changed: Array(1000).fill(long),
    redactions: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`r${index}`, 1])),
  });
  const { events, attributes } = commandSpan(huge, { content: true });
  assert(events.length <= 128);
  const size = JSON.stringify({ events, attributes }).length;
  assert(size < 200_000, `${size} characters`);
});
