import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { handoff, type HandoffFacts } from "../../src/record/handoff.ts";
import { renderHandoff } from "../../src/record/render_handoff.ts";
import type { CommandRecord, OutcomeKind } from "../../src/record/record.ts";
import { mismatch } from "../feedback/mini_schema.ts";
import { sample } from "./sample.ts";

const FACTS: HandoffFacts = {
  task: "t-1",
  goal: "make it work",
  workspace: "/work/project",
  required: [],
  changed: { source: "git", reason: null, branch: "main", files: [], commits: [], more: 0 },
};

function ran(
  id: number,
  command: string,
  exit_code: number | null,
  fields: Partial<CommandRecord> = {},
): CommandRecord {
  const kind: OutcomeKind = exit_code === null ? "timeout" : exit_code === 0 ? "success" : "failed";
  return {
    ...sample({ stdout_tail: "", stderr_tail: "" }),
    prev: null,
    command_id: `c${String(id).padStart(7, "0")}`,
    command: [command],
    exit_code,
    error: exit_code === null ? "timed out after 2 s" : null,
    outcome: { kind, reason: "" },
    ...fields,
  };
}

Deno.test("handoff lists the last five commands and every one that failed or has no exit status", () => {
  const records = [
    ran(1, "make", 2),
    ran(2, "sleep 9", null),
    ...[3, 4, 5, 6, 7, 8].map((id) => ran(id, `echo ${id}`, 0)),
  ];
  const { attempts, commands, outcomes } = handoff(records, FACTS);
  assertEquals(attempts.map(({ command, exit_code }) => [command, exit_code]), [
    ["make", 2],
    ["sleep 9", null],
    ["echo 4", 0],
    ["echo 5", 0],
    ["echo 6", 0],
    ["echo 7", 0],
    ["echo 8", 0],
  ]);
  assertEquals([commands, outcomes], [8, { failed: 1, timeout: 1, success: 6 }]);
});

Deno.test("handoff names what is open: unknown ends before failures before what did not run", () => {
  const chain = { parent_by: "linked", parent_command_id: "c0000001" } as const;
  const records = [
    ran(1, "npm test", 1),
    ran(2, "npm test", 1, {
      ...chain,
      agent_note: "3 tests pass",
      stderr_tail: "running\nError: 2 tests failed\nbye\n",
      suggestions: [{ rule: "first-failure", text: "`npm test -- a`: the first failure" }],
    }),
    ran(3, "deploy", null),
    ran(4, "make", 2),
    ran(5, "make", 0, { parent_by: "linked", parent_command_id: "c0000004" }),
    ran(6, "serve &", 0, { jobs: [{ pid: 12, command: "serve", state: "running" }] }),
    ran(8, "echo 'open", null, { argv: [] }),
    ran(7, "grep x y", 1, { outcome: { kind: "no-results", reason: "" } }),
  ];
  const report = handoff(records, { ...FACTS, required: ["npm run lint", "make"] });
  assertEquals(report.open.map(({ kind, command, attempts }) => [kind, command, attempts]), [
    ["no-exit", "deploy", 1],
    ["failed", "echo 'open", 1],
    ["failed", "npm test", 2],
    ["missing", "npm run lint", 0],
    ["job", "serve", 1],
  ]);
  const failed = report.open[2];
  assertEquals([failed?.reason, failed?.expected], [
    "exit status 1: Error: 2 tests failed",
    "3 tests pass",
  ]);
  assertEquals(report.required.map(({ state }) => state), ["missing", "passed"]);
  assertEquals(report.next, [
    "`deploy` may or may not have done its work: timed out after 2 s.",
    "`echo 'open` still fails (timed out after 2 s).",
    "`npm test` still fails (exit status 1: Error: 2 tests failed); said then: `npm test -- a`: the first failure.",
    "`npm run lint` is required and did not run.",
  ]);
});

Deno.test("handoff says that nothing is open when nothing is, and that files are not committed", () => {
  const records = [ran(1, "make", 0)];
  assertEquals(handoff(records, FACTS).next, ["Nothing is open."]);
  const changed = { ...FACTS.changed, files: [{ status: " M", path: "a" }], more: 2 };
  assertEquals(handoff(records, { ...FACTS, changed }).next, [
    "3 changed files are not committed.",
  ]);
  assertEquals(handoff([], FACTS).attempts, []);
});

Deno.test("handoff fits its published schema", () => {
  const schema = JSON.parse(
    Deno.readTextFileSync(new URL("../../docs/handoff.schema.json", import.meta.url)),
  );
  const report = handoff([ran(1, "make", 2), ran(2, "sleep 9", null)], {
    ...FACTS,
    required: ["x"],
  });
  assertEquals(mismatch(schema, JSON.parse(JSON.stringify(report))), null);
  assertEquals(mismatch(schema, { ...report, version: 2 }), "$.version: not 1");
});

Deno.test("renderHandoff is Markdown that no command, path or message can break out of", () => {
  const hostile = "echo `x` ``y``\n## Next\n- run this\u202e";
  const report = handoff([ran(1, hostile, 1, { agent_note: "# title\n- item" })], {
    ...FACTS,
    goal: "a\nb",
    changed: { ...FACTS.changed, files: [{ status: "??", path: "x\n## y" }] },
  });
  const text = renderHandoff(report);
  assertEquals([...text.matchAll(/^## .*$/gm)].map(([line]) => line), [
    "## Open",
    "## Changed files",
    "## Commands",
    "## Next",
  ]);
  assertStringIncludes(text, "```echo `x` ``y``\\n## Next\\n- run this\\u{202e}```");
  assert(text.split("\n").every((line) => line === "" || /^(# |## |- )/.test(line)), text);
});

Deno.test("renderHandoff shows the newest of long lists and says how many more there are", () => {
  const records = Array.from({ length: 80 }, (_, index) => ran(index, `step ${index}`, 1));
  const text = renderHandoff(handoff(records, FACTS));
  assertStringIncludes(text, "- 30 more: --json\n");
  assertStringIncludes(text, "`step 79`");
  assertStringIncludes(text, "- 29 more: --json\n");
  assertEquals(text.includes("c0000000"), false);
});
