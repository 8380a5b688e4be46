import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { classify } from "../../src/feedback/outcome.ts";
import { OUTCOME_TABLE } from "../../src/feedback/outcome_table.ts";
import type { OutcomeKind } from "../../src/record/record.ts";
import { stream } from "../record/sample.ts";
import { fixtures, observedFixture } from "./fixture.ts";
import { type Case, observed, POLICY_DENIAL, SANDBOX_DENIAL } from "./observed.ts";

const CUT = { lines: 10, bytes: 100 };

const CASES: readonly { in: Case; want: OutcomeKind; reason?: string }[] = [
  { in: { out: "hello\n" }, want: "success" },
  { in: {}, want: "success-empty", reason: "no output" },
  { in: { programs: ["mkdir a", "cd a"] }, want: "success", reason: "no output, as usual" },
  { in: { programs: ["sed -i s/a/b/ f"] }, want: "success" },
  { in: { programs: ["exit 0"] }, want: "success" },
  { in: { programs: ["sed s/a/b/ f"] }, want: "success-empty" },
  { in: { programs: ["git add ."] }, want: "success" },
  { in: { programs: ["git log"] }, want: "success-empty" },
  { in: { rest: { redirected: true } }, want: "success" },
  { in: { programs: [] }, want: "success" },
  {
    in: { out: "x", ending: { summary: { stdout: stream({ bytes: 9, truncated: CUT }) } } },
    want: "partial",
  },
  {
    in: { err: "x", ending: { summary: { stderr: stream({ bytes: 9, truncated: CUT }) } } },
    want: "partial",
  },
  {
    in: { out: "x", rest: { denials: [SANDBOX_DENIAL] } },
    want: "partial",
    reason: "1 access refused",
  },
  { in: { out: "x", rest: { denials: [POLICY_DENIAL] } }, want: "partial" },
  {
    in: { out: "x", ending: { timedOut: true } },
    want: "partial",
    reason: "the time limit ended it",
  },
  {
    in: { out: "x", ending: { summary: { notable: ["=== 2 failed, 1 passed in 0.1s ==="] } } },
    want: "partial",
    reason: "the output says: === 2 failed, 1 passed in 0.1s ===",
  },
  { in: { out: "x", err: "make: *** [all] Error 2\n" }, want: "partial" },
  {
    in: { out: "x", ending: { summary: { notable: ["=== 3 passed, 0 failed ==="] } } },
    want: "success",
  },
  { in: { ending: { exitCode: 1 }, out: "5 passed" }, want: "failed" },
  {
    in: { ending: { exitCode: 1 }, programs: ["grep x f"] },
    want: "no-results",
    reason: "nothing found",
  },
  { in: { ending: { exitCode: 1 }, programs: ["/usr/bin/rg x"] }, want: "no-results" },
  {
    in: { ending: { exitCode: 1 }, programs: ["cd a", "git grep x", "head -3"] },
    want: "no-results",
  },
  { in: { ending: { exitCode: 1 }, programs: ["make", "grep x f"] }, want: "failed" },
  {
    in: { ending: { exitCode: 1 }, programs: ["grep x f"], err: "grep: f: Is a directory" },
    want: "failed",
  },
  {
    in: { ending: { exitCode: 2 }, programs: ["grep x f"], err: "grep: f: No such file" },
    want: "failed",
  },
  { in: { ending: { exitCode: 1 }, programs: ["test -f x"] }, want: "false" },
  { in: { ending: { exitCode: 1 }, programs: ["diff a b"], out: "1c1" }, want: "false" },
  {
    in: { ending: { exitCode: 2 }, programs: ["diff a b"], err: "diff: a: No such file" },
    want: "failed",
  },
  { in: { ending: { exitCode: 1 }, programs: ["git diff --quiet"] }, want: "false" },
  { in: { ending: { exitCode: 1 }, programs: ["git diff"] }, want: "failed" },
  { in: { ending: { exitCode: 1 }, programs: [] }, want: "failed" },
  {
    in: { ending: { exitCode: 127 }, err: "bash: line 1: gti: command not found\n" },
    want: "not-found",
    reason: "gti: not found",
  },
  { in: { ending: { exitCode: 127 }, command: ["a b"], programs: [] }, want: "not-found" },
  {
    in: { ending: { exitCode: 126 }, err: "bash: line 1: ./x.sh: Permission denied\n" },
    want: "not-executable",
    reason: "./x.sh: not executable",
  },
  {
    in: {
      ending: { exitCode: null, error: "ENOENT", errno: 2 },
      command: ["gti", "x"],
    },
    want: "not-found",
    reason: "gti: not found",
  },
  {
    in: {
      ending: { exitCode: null, error: 'Cannot start "bash": no such file', errno: 2 },
      command: ["echo x > y"],
      programs: ["echo x"],
    },
    want: "not-found",
    reason: "bash: not found",
  },
  {
    in: {
      ending: { exitCode: null, error: "EACCES", errno: 13 },
      command: ["x", "y"],
    },
    want: "not-executable",
  },
  {
    in: { ending: { exitCode: null, error: "jail refused" } },
    want: "no-exit",
    reason: "jail refused",
  },
  { in: { ending: { exitCode: null, error: "E2BIG", errno: 7 } }, want: "no-exit" },
  { in: { ending: { exitCode: null } }, want: "no-exit", reason: "no exit was observed" },
  {
    in: { ending: { exitCode: null, timedOut: true, durationMs: 120_000 } },
    want: "timeout",
    reason: "ended after 2m00s",
  },
  { in: { ending: { exitCode: null, signal: "SIGKILL", timedOut: true } }, want: "timeout" },
  {
    in: {
      ending: {
        exitCode: null,
        limit: { name: "memory", text: "memory limit of 1 GB", at: "p.jsonc:3" },
      },
    },
    want: "killed",
    reason: "memory limit of 1 GB",
  },
  { in: { ending: { exitCode: 143, timedOut: true } }, want: "timeout" },
  {
    in: { ending: { exitCode: 124 }, programs: ["timeout 1 sleep 5", "sleep 5"] },
    want: "timeout",
  },
  { in: { ending: { exitCode: 124 }, programs: ["other"] }, want: "failed" },
  {
    in: { ending: { exitCode: null, signal: "SIGSEGV" } },
    want: "killed",
    reason: "ended by SIGSEGV",
  },
  {
    in: { ending: { exitCode: 137 } },
    want: "killed",
    reason: "ended by SIGKILL, as its exit status says",
  },
  { in: { ending: { exitCode: 128 }, programs: ["git push"], err: "fatal: x" }, want: "failed" },
  { in: { ending: { exitCode: 255 } }, want: "failed" },
  { in: { ending: { exitCode: 64 } }, want: "usage" },
  {
    in: { ending: { exitCode: 2 }, err: "usage: prog [-h] file\nprog: error: x" },
    want: "usage",
    reason: "usage: prog [-h] file",
  },
  { in: { ending: { exitCode: 2 }, err: "Try 'ls --help' for more information." }, want: "usage" },
  { in: { ending: { exitCode: 129 }, programs: ["git x"], err: "usage: git x" }, want: "usage" },
  { in: { ending: { exitCode: 2 }, err: "some usage: here" }, want: "failed" },
  { in: { ending: { exitCode: 3 }, err: "usage: prog" }, want: "failed" },
  { in: { ending: { exitCode: null }, rest: { denials: [POLICY_DENIAL] } }, want: "denied-policy" },
  { in: { ending: { exitCode: 126 }, rest: { denials: [POLICY_DENIAL] } }, want: "denied-policy" },
  {
    in: { ending: { exitCode: 1 }, rest: { denials: [SANDBOX_DENIAL] } },
    want: "denied-sandbox",
    reason: "write /etc/hosts",
  },
  { in: { ending: { exitCode: null }, rest: { denials: [SANDBOX_DENIAL] } }, want: "no-exit" },
  {
    in: {
      ending: { exitCode: null },
      programs: [],
      rest: { syntaxError: { message: "unexpected end", line: 1, column: 6, text: "echo '" } },
    },
    want: "syntax-error",
    reason: "line 1, column 6: unexpected end",
  },
  {
    in: { ending: { exitCode: null, signal: "SIGTERM", waited: { asks: "Sure?" } } },
    want: "needs-input",
    reason: 'asks "Sure?"',
  },
  {
    in: { ending: { exitCode: null, timedOut: true, waited: { asks: null } } },
    want: "needs-input",
    reason: "it read input that nobody sent",
  },
  { in: { ending: { exitCode: 0, waited: { asks: "Sure?" } }, out: "x" }, want: "success" },
];

for (const { in: given, want, reason } of CASES) {
  const label = `${JSON.stringify({ ...given, rest: given.rest && Object.keys(given.rest) })}`;
  Deno.test(`classify gives ${want} for ${label}`, () => {
    const outcome = classify(observed(given));
    assertEquals(outcome.kind, want);
    if (reason !== undefined) assertEquals(outcome.reason, reason);
  });
}

Deno.test("classify reaches every kind and row of OUTCOME_TABLE", () => {
  const recorded = [...fixtures().values()].flat().map(observedFixture);
  const facts = [...CASES.map(({ in: given }) => observed(given)), ...recorded];
  const reached = new Set(
    facts.map((one) => OUTCOME_TABLE.findIndex((row) => row.decide(one) !== null)),
  );
  assertEquals([...reached].sort((a, b) => a - b), OUTCOME_TABLE.map((_, index) => index));
});

Deno.test("classify never lets output, denials or timing overrule the exit code", () => {
  const line = fc.constantFrom(
    "usage: x",
    "FAILED (failures=1)",
    "5 passed",
    "x: command not found",
    "",
  );
  const good: ReadonlySet<OutcomeKind> = new Set(["success", "success-empty", "partial"]);
  fc.assert(fc.property(
    fc.option(fc.integer({ min: 0, max: 255 }), { freq: 9 }),
    line,
    line,
    fc.boolean(),
    fc.subarray([POLICY_DENIAL, SANDBOX_DENIAL]),
    fc.constantFrom("grep x", "test x", "mkdir x", "timeout 1 x", "prog"),
    (exitCode, out, err, timedOut, denials, program) => {
      const { kind } = classify(observed({
        out,
        err,
        programs: [program],
        ending: { exitCode, timedOut },
        rest: { denials },
      }));
      assertEquals(good.has(kind), exitCode === 0, kind);
    },
  ));
});

Deno.test("classify stays linear on hostile lines", () => {
  const hostile = [
    "=".repeat(500_000),
    `Try '${"a".repeat(500_000)}`,
    `${"a".repeat(500_000)}: `,
    " ".repeat(500_000),
  ];
  for (const exitCode of [0, 2]) {
    for (const text of hostile) {
      const outcome = classify(
        observed({ out: "x", err: text, ending: { exitCode, summary: { notable: [text] } } }),
      );
      assert(outcome.reason.length < 200);
    }
  }
});
