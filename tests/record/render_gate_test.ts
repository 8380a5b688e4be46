import { assertEquals } from "@std/assert";
import type { GateFinding, GateReport } from "../../src/record/gate.ts";
import { renderGateGithub, renderGateText } from "../../src/record/render_gate.ts";

const started_at = "2025-01-02T03:04:05.678Z";

const REPORT: GateReport = {
  version: 1,
  passed: false,
  strict: false,
  records: 4,
  required: [
    {
      command: "deno test\u001b[2J",
      state: "passed",
      attempts: [
        { command_id: "c1", exit_code: null, started_at },
        { command_id: "c2", exit_code: 0, started_at },
      ],
    },
    { command: "deno lint", state: "missing", attempts: [] },
  ],
  findings: [
    {
      name: "acceptance.missing",
      level: "error",
      message: "`deno lint` did not run",
      command_id: null,
    },
    {
      name: "feedback.null_exit",
      level: "warning",
      message: "100%: a, b\n::error::x",
      command_id: "c1",
    },
  ],
};

Deno.test("renderGateText() tells decision, requirements with their history, and findings", () => {
  assertEquals(
    renderGateText({ ...REPORT, findings: REPORT.findings.slice(0, 1) }),
    "gate blocked: 1 error, 0 warnings, 4 records\n" +
      "\u2713 `deno test\\e[2J`: c1 no exit, c2 exit 0\n" +
      "\u2717 acceptance.missing: `deno lint` did not run\n",
  );
});

Deno.test("renderGateText() lists a bounded number of findings", () => {
  const one: GateFinding = REPORT.findings[0]!;
  const text = renderGateText({ ...REPORT, findings: Array(200).fill(one) });
  assertEquals(text.split("\n").length, 1 + 1 + 50 + 1 + 1);
  assertEquals(text.includes("150 more findings: --json\n"), true);
});

Deno.test("renderGateGithub() gives one annotation for each finding, which no text can end", () => {
  assertEquals(renderGateGithub(REPORT).split("\n"), [
    "::error title=debrief acceptance.missing::`deno lint` did not run",
    "::warning title=debrief feedback.null_exit::100%25: a, b%0A::error::x (c1)",
    "::notice title=debrief gate::gate blocked: 1 error, 1 warning, 4 records",
    "",
  ]);
});
