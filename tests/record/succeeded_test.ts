import { assertEquals } from "@std/assert";
import { buildBlock } from "../../src/feedback/block.ts";
import { OUTCOME_TABLE } from "../../src/feedback/outcome_table.ts";
import { buildRecord } from "../../src/record/build.ts";
import type { OutcomeKind } from "../../src/record/record.ts";
import { answered, honestOutcome, succeeded } from "../../src/record/succeeded.ts";
import { ending, parts, sample } from "./sample.ts";

const KINDS = [...new Set(OUTCOME_TABLE.map(({ kind }) => kind))];

function record(exit_code: number | null, kind: OutcomeKind) {
  return { ...sample(), exit_code, outcome: { kind, reason: "ok" } };
}

Deno.test("succeeded() and answered() take no missing exit status for one, whatever the outcome says", () => {
  for (const kind of KINDS) {
    assertEquals([succeeded(record(null, kind)), answered(record(null, kind))], [false, false]);
    assertEquals([succeeded(record(0, kind)), answered(record(0, kind))], [true, true], kind);
    assertEquals(succeeded(record(1, kind)), false);
  }
  assertEquals(KINDS.filter((kind) => answered(record(1, kind))).sort(), ["false", "no-results"]);
});

Deno.test("honestOutcome(), buildRecord() and buildBlock() give no missing exit status a good outcome", () => {
  const good = KINDS.filter((kind) => buildBlock({ record: record(0, kind) }).level !== "error");
  assertEquals(good.length, 5);
  for (const kind of KINDS) {
    const outcome = { kind, reason: "ok" };
    const built = buildRecord(parts({ ending: ending({ exitCode: null }), outcome }));
    const block = buildBlock({ record: record(null, kind) });
    const want = good.includes(kind) ? "no-exit" : kind;
    assertEquals(
      [honestOutcome(record(null, kind)).kind, built.outcome.kind, block.outcome, block.level],
      [want, want, want, "error"],
    );
    assertEquals(honestOutcome(record(0, kind)), outcome);
  }
});

Deno.test("buildRecord() says why there is no exit status, also when a signal ended the command", () => {
  const cases = [
    { in: { signal: "SIGTERM" }, reason: "ended after 2s", want: "ended after 2s" },
    { in: { signal: "SIGKILL" }, reason: "", want: "ended by SIGKILL" },
    { in: { signal: null }, reason: "", want: "no exit was observed" },
    { in: { signal: null, error: "jail refused" }, reason: "x", want: "jail refused" },
  ];
  for (const { in: fields, reason, want } of cases) {
    const built = buildRecord(parts({
      ending: ending({ exitCode: null, ...fields }),
      outcome: { kind: "killed", reason },
    }));
    assertEquals([built.exit_code, built.error], [null, want]);
  }
});
