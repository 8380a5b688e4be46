/** `debrief redact`, end to end: the filter passes bytes through, hides secrets, and reports them. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { bytesOf, concat, textOf } from "../output/redact_helpers.ts";
import { alnum } from "../output/rules_samples.ts";
import { TestPlace } from "../session/test_session.ts";
import { type RunOptions, runWithDebrief, startDebrief } from "./run_debrief.ts";

const TOKEN = "gh" + "p_" + alnum(36);

/** Feeds the filter in two parts, so that a secret arrives in pieces. */
async function filter(input: Uint8Array, args: readonly string[], options: RunOptions) {
  const child = startDebrief(["redact", ...args], options);
  const writer = child.stdin.getWriter();
  const half = input.length >> 1;
  await writer.write(input.subarray(0, half));
  await writer.write(input.subarray(half));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  return { code, stdout, stderr: textOf(stderr) };
}

Deno.test("debrief redact passes bytes through and hides secrets in them", async () => {
  using place = new TestPlace();
  const around = new Uint8Array([0xff, 0x00, 0xfe, 0x0a]);
  const input = concat([around, bytesOf(` ${TOKEN} `), around]);
  const { code, stdout, stderr } = await filter(input, [], { place });
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  assertEquals(stdout, concat([around, bytesOf(" [REDACTED:github-token#1] "), around]));
});

Deno.test("debrief redact --report counts by rule on standard error, as text or JSON", async () => {
  using place = new TestPlace();
  const input = bytesOf(`${TOKEN}\npassword=${alnum(12)}\n${TOKEN}\n`);
  const [text, json, none] = await Promise.all([
    filter(input, ["--report"], { place }),
    filter(input, ["--report", "--json"], { place }),
    filter(bytesOf("plain\n"), ["--report"], { place }),
  ]);
  assertEquals(text.stderr, "     2 github-token\n     1 assignment\n");
  assertEquals(JSON.parse(json.stderr), {
    redactions: { "github-token": 2, assignment: 1 },
    bytes: { in: input.length, out: json.stdout.length },
  });
  assertEquals([textOf(none.stdout), none.stderr], ["plain\n", "redacted: nothing\n"]);
});

Deno.test("debrief redact knows the values of its environment and the rules of a policy", async () => {
  using place = new TestPlace();
  const policy = place.at("team.jsonc");
  Deno.writeTextFileSync(
    policy,
    '{ "extends": "default", "redact": { "rules": [{ "name": "corp", "pattern": "CORP-[0-9]+" }] } }',
  );
  const env = { DEPLOY_TOKEN: "correct-horse-9-battery" };
  const input = bytesOf(`CORP-12 correct-horse-9-battery ${btoa("correct-horse-9-battery")}\n`);
  const { stdout, stderr } = await filter(input, ["--policy", policy], { place, env });
  assertEquals(
    textOf(stdout).replace(/ \[REDACTED:DEPLOY_TOKEN#2\].{0,4}\n$/, " ENCODED\n"),
    "[REDACTED:corp#1] [REDACTED:DEPLOY_TOKEN#2] ENCODED\n",
    stderr,
  );
});

Deno.test("debrief redact refuses what it cannot use before it reads", async () => {
  using place = new TestPlace();
  const cases = [
    { args: ["--json"], want: "Cannot use --json without --report" },
    { args: ["file.log"], want: 'Cannot use "file.log"' },
    { args: ["--policy", "nosuch"], want: "nosuch" },
  ];
  for (const { args, want } of cases) {
    const { code, stdout, stderr } = await filter(new Uint8Array(0), args, { place });
    assertEquals([code, stdout.length], [2, 0]);
    assertStringIncludes(stderr, want);
  }
});

Deno.test("debrief redact passes megabytes in order, also from a pipe in which reads do not wait", async () => {
  using place = new TestPlace();
  const script = `set -o pipefail
    lines() { seq "$1" "$2" | sed 's/$/ line/'; }
    { lines 1 400000; sleep 0.1; lines 400001 800000; } |
      { python3 -c 'import os; os.set_blocking(0, False)'; debrief redact; } | cksum
    lines 1 800000 | cksum`;
  const { stdout, stderr, code } = await runWithDebrief(script, { place });
  const [first, second] = stdout.split("\n");
  assertEquals([code, first, stderr], [0, second, ""]);
});

Deno.test("debrief redact says why it cannot read", async () => {
  using place = new TestPlace();
  const { code, stderr } = await runWithDebrief("debrief redact </", { place });
  assertEquals([code, stderr], [
    125,
    "debrief: Cannot read standard input: is a directory (EISDIR)\n",
  ]);
});
