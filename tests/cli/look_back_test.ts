/** `debrief log` with its filters, `--follow`, `debrief chain`, `debrief gate`, end to end. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Journal } from "../../src/record/journal.ts";
import { sample } from "../record/sample.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestPlace } from "../session/test_session.ts";
import { runDebrief, runWithDebrief, startDebrief, waitForText } from "./run_debrief.ts";

const STATE = "state/debrief";

/** Three attempts at `make`, then `deno test`, then one without an exit status. */
function fill(place: TestPlace): void {
  using journal = Journal.open({ directory: place.at(STATE) });
  const make = (id: string, parent: string | null, exit_code: number) =>
    journal.append(sample({
      command_id: id,
      parent_command_id: parent,
      parent_by: parent === null ? null : "linked",
      command: ["make"],
      exit_code,
      outcome: { kind: exit_code === 0 ? "success" : "failed", reason: "" },
    }));
  make("c1aaaaaa", null, 2);
  make("c2aaaaaa", "c1aaaaaa", 1);
  make("c3aaaaaa", "c2aaaaaa", 0);
  journal.append(sample({ command_id: "c4aaaaaa", command: ["deno", "test"], task_id: "t" }));
  journal.append(sample({
    command_id: "c5aaaaaa",
    command: ["sleep", "60"],
    task_id: "u",
    exit_code: null,
    error: "timed out",
    outcome: { kind: "timeout", reason: "ended after 2m" },
  }));
}

jailTest("debrief log lists what its filters let through", async () => {
  using place = new TestPlace();
  fill(place);
  const cases = [
    { in: ["--limit", "2"], want: "54" },
    { in: ["--status", "nonzero"], want: "21" },
    { in: ["--status", "null,0"], want: "543" },
    { in: ["--status", "timeout"], want: "5" },
    { in: ["--program", "make", "--limit", "1"], want: "3" },
    { in: ["--task", "t"], want: "4" },
    { in: ["--text", "TIMED"], want: "5" },
    { in: ["--since", "2025-01-02"], want: "54321" },
    { in: ["--until", "2025-01-02"], want: "" },
    { in: ["--since", "1h"], want: "" },
    { in: ["--cwd", "/work", "--status", "2"], want: "1" },
    { in: ["--cwd", "/elsewhere"], want: "" },
  ];
  const results = await Promise.all(
    cases.map(({ in: flags }) => runDebrief(["log", "--json", ...flags], { place })),
  );
  for (const [index, { in: flags, want }] of cases.entries()) {
    const { stdout, stderr } = results[index]!;
    const ids = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line).command_id[1]);
    assertEquals([ids.join(""), stderr], [want, ""], flags.join(" "));
  }
});

jailTest("debrief log --follow gives the newest oldest first, then each new record", async () => {
  using place = new TestPlace();
  fill(place);
  const child = startDebrief(["log", "--follow", "--limit", "2", "--program", "make"], { place });
  try {
    const first = await waitForText(child.stdout, "c3aaaaaa");
    assert(first.indexOf("c2aaaaaa") < first.indexOf("c3aaaaaa"), first);
    assert(!first.includes("c1aaaaaa"), first);
    using journal = Journal.open({ directory: place.at(STATE) });
    journal.append(sample({ command_id: "c6aaaaaa", command: ["ls"] }));
    journal.append(sample({ command_id: "c7aaaaaa", command: ["make", "all"] }));
    const later = await waitForText(child.stdout, "c7aaaaaa");
    assertEquals(later.split("\n").filter(Boolean).length, 1, later);
  } finally {
    child.kill("SIGTERM");
    await Promise.all([
      child.status,
      child.stdin.close(),
      child.stdout.cancel(),
      child.stderr.cancel(),
    ]);
  }
});

jailTest("debrief log --follow ends when nobody reads any more", async () => {
  using place = new TestPlace();
  fill(place);
  const { code, stdout } = await runWithDebrief(
    "set -o pipefail; debrief log --follow | head -1",
    { place },
  );
  assertEquals([code, stdout.split("\n").length], [141, 2]);
});

jailTest("debrief chain lists all attempts and how the last one ended", async () => {
  using place = new TestPlace();
  fill(place);
  const [make, null_exit, json, none] = await Promise.all([
    ["chain", "c2aa"],
    ["chain", "c5aaaaaa"],
    ["chain", "c1aaaaaa", "--json"],
    ["chain", "c9"],
  ].map((args) => runDebrief(args, { place })));
  const lines = make!.stdout.trimEnd().split("\n");
  assertEquals(lines.slice(0, 3).map((line) => line.match(/ (c\w{7}) +(\d+) /)?.slice(1).join()), [
    "c1aaaaaa,2",
    "c2aaaaaa,1",
    "c3aaaaaa,0",
  ]);
  assertEquals(lines.slice(3), ["3 attempts, the last succeeded"]);
  assertStringIncludes(null_exit!.stdout, "1 attempt, the last has no exit status\n");
  const chain = JSON.parse(json!.stdout);
  assertEquals([chain.records.length, chain.missing, chain.cyclic], [3, [], false]);
  assertEquals([none!.code, none!.stdout], [2, ""]);
});

jailTest("debrief gate decides by the records, in each form and with its status", async () => {
  using place = new TestPlace();
  fill(place);
  place.write("work/changed", "src/a\n.github/b\n");
  const gate = (...args: string[]) => runDebrief(["gate", ...args], { place });
  const [passed, missing, json, github, scoped, empty] = await Promise.all([
    gate("--task", "t", "--require", "deno test"),
    gate("--task", "t", "--require", "deno test", "--require", "deno lint"),
    gate("--require", "deno test", "--require", "make", "--json"),
    gate("--github"),
    gate("--task", "t", "--forbid", ".github", "--forbid", "*.lock", "--changed", "changed"),
    gate("--journal", place.at("none")),
  ]);
  assertEquals([passed!.code, passed!.stdout, passed!.stderr], [
    0,
    "gate passed: 0 errors, 0 warnings, 1 record\n\u2713 `deno test`: c4aaaaaa exit 0\n",
    "",
  ]);
  assertEquals([missing!.code, missing!.stdout.split("\n")[2]], [
    1,
    "\u2717 acceptance.missing: `deno lint` did not run",
  ]);
  const report = JSON.parse(json!.stdout);
  assertEquals([
    json!.code,
    report.passed,
    report.findings.map(({ name }: { name: string }) => name),
  ], [
    1,
    false,
    ["feedback.null_exit"],
  ]);
  assertEquals(report.required[1].attempts.map((one: { exit_code: number }) => one.exit_code), [
    2,
    1,
    0,
  ]);
  assertMatch(github!.stdout, /^::error title=debrief feedback\.null_exit::`sleep 60` has no exit/);
  assertEquals([github!.code, github!.stdout.split("\n").length], [1, 3]);
  assertEquals([scoped!.code, scoped!.stdout.includes(".github/b was changed")], [1, true]);
  assertEquals([empty!.code, empty!.stdout.includes("feedback.missing")], [1, true]);
});

jailTest("debrief gate reads changed paths from standard input", async () => {
  using place = new TestPlace();
  fill(place);
  const args = ["gate", "--task", "t", "--forbid", ".github", "--changed", "/dev/stdin"];
  const [bad, good, quoted] = await Promise.all(
    [".github/a b\0", "src/a\0", '".github/\\303\\244"\n'].map((stdin) =>
      runDebrief(args, { place, stdin })
    ),
  );
  assertEquals([bad!.code, good!.code, quoted!.code], [1, 0, 2]);
});

jailTest("debrief gate accepts commands as every front end records them", async () => {
  using place = new TestPlace();
  const runs = [
    ["--task", "a", "-c", "test -d ."],
    ["--task", "b", "-c", "echo 'a  b' | cat"],
    ["--task", "c", "-c", "printf '%s' 'x y'\n"],
    ["--task", "d", "--", "printf", "%s", "x y"],
    ["--task", "e", "--", "env", "A=b", "true"],
  ];
  const required = [
    "test -d .",
    "echo 'a  b' | cat",
    "printf '%s' 'x y'",
    "printf %s 'x y'",
    "env A=b true",
  ];
  for (const args of runs) {
    assertEquals((await runDebrief(args, { place })).code, 0, args.join(" "));
  }
  await runDebrief(["--task", "f"], { place, stdin: "cd .\nprintf '%s' z\n" });
  const words = [...required, "cd .", "printf '%s' z"].flatMap((text) => ["--require", text]);
  const { code, stdout } = await runDebrief(["gate", ...words], { place });
  assertEquals(code, 0, stdout);
});

jailTest(
  "debrief --parent takes the beginning of an id, and records an unknown one as given",
  async () => {
    using place = new TestPlace();
    fill(place);
    const parents = ["c1", "c2aaaaaa", "c9zz"];
    for (const parent of parents) await runDebrief(["--parent", parent, "-c", "true"], { place });
    const log = await runDebrief(["log", "--json", "--limit", "3"], { place });
    const recorded = log.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(
      recorded.map(({ parent_command_id, parent_by }) => [parent_command_id, parent_by]),
      [
        ["c9zz", "caller"],
        ["c2aaaaaa", "caller"],
        ["c1aaaaaa", "caller"],
      ],
    );
  },
);
