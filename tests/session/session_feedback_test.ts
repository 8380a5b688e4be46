import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import type { FeedbackProvider } from "../../src/feedback/providers/provider.ts";
import { renderText } from "../../src/feedback/render.ts";
import { PolicyError } from "../../src/errors.ts";
import { TestPlace, TestSession } from "./test_session.ts";

const each = (name: string, trigger: Record<string, unknown>) => ({
  name,
  trigger,
  say: { summary: `${name} speaks.` },
});

function policyOf(feedback: Record<string, unknown>): string {
  return JSON.stringify({ extends: "default", feedback });
}

Deno.test("Session gives the feedback of the policy's rules in block and record", async () => {
  const policyText = policyOf({
    providers: [each("A", { everyNCalls: 2 }), each("B", { onOutcome: ["failed"] })],
  });
  await using test = new TestSession({ policyText });
  assertEquals((await test.run("true")).record.feedback, []);
  const second = await test.run("exit 3");
  const want = ["[Feedback - A]\nA speaks.", "[Feedback - B]\nB speaks."];
  assertEquals(second.record.feedback, want);
  assertEquals(second.block.feedback, want);
  assertMatch(
    renderText(second.block, { nonce: "0".repeat(8), color: false }),
    /\[Feedback - A\]\nA speaks\.\n\n\[Feedback - B\]\nB speaks\.\n/,
  );
});

Deno.test("Session evaluates providers also for a command that never ran", async () => {
  await using test = new TestSession({
    policyText: policyOf({ providers: [each("A", { onOutcome: ["syntax-error"] })] }),
  });
  assertEquals((await test.run("echo 'open")).record.feedback, ["[Feedback - A]\nA speaks."]);
});

Deno.test("Session redacts what providers say", async () => {
  const token = ["ghp", "_", "a1B2".repeat(9)].join("");
  const leak: FeedbackProvider = {
    name: "Leak",
    shouldRun: () => true,
    provide: () => ({
      providerName: "Leak",
      summary: `see ${token}`,
      observations: [],
      suggestions: [],
      severity: "info",
    }),
  };
  await using test = new TestSession({ providers: [leak] });
  const { record } = await test.run("true");
  assert(record.feedback.join().includes("see "), "the provider was heard");
  assert(!JSON.stringify(record).includes(token), "its secret is hidden");
});

Deno.test("Session counts on when it is opened again with the same id, and its deadline stands", async () => {
  using place = new TestPlace();
  const policyText = policyOf({
    providers: [each("A", { everyNCalls: 2 }), { use: "Deadline", trigger: { everyNCalls: 1 } }],
  });
  const options = (at: number) => ({
    place,
    policyText,
    session: "s0000001",
    aims: { deadline: { written: "90m", at } },
  });
  const first = Date.now() + 90 * 60_000;
  const said: string[] = [];
  for (const at of [first, first + 7_200_000]) {
    await using test = new TestSession(options(at));
    said.push((await test.run("true")).record.feedback.join("\n"));
  }
  assertMatch(said[0] ?? "", /^\[Feedback - Deadline\]\nYou have 1\.4 hours remaining/);
  assertMatch(said[1] ?? "", /^\[Feedback - A\][^]*\nYou have 1\.4 hours remaining/);
  // Other words set another one, and another session knows nothing of it.
  await using moved = new TestSession({
    ...options(0),
    aims: { deadline: { written: "5h", at: Date.now() + 5 * 3_600_000 } },
  });
  assertMatch((await moved.run("true")).record.feedback.join(), /You have 4\.9 hours/);
  await using other = new TestSession({ place, policyText });
  assertEquals((await other.run("true")).record.feedback, []);
});

Deno.test("Session tells of a file once, when a command has made it, and never of one that was there", async () => {
  const trigger = { onFileCreated: ["$WORKSPACE/new.txt", "$WORKSPACE/old.txt"] };
  using place = new TestPlace();
  place.write("work/old.txt", "old");
  await using test = new TestSession({
    place,
    policyText: policyOf({ providers: [each("F", trigger)] }),
  });
  const said: number[] = [];
  for (
    const command of [
      "true",
      "touch new.txt",
      "true",
      "rm new.txt old.txt",
      "touch new.txt old.txt",
    ]
  ) {
    said.push((await test.run(command)).record.feedback.length);
  }
  assertEquals(said, [0, 1, 0, 0, 0]);
});

Deno.test("Session's loop feedback is silent when a file is edited between failures, and speaks otherwise", async () => {
  using place = new TestPlace();
  await using test = new TestSession({ place });
  for (let attempt = 0; attempt < 4; attempt++) {
    assertEquals((await test.run("cat missing.txt")).record.feedback, []);
    await new Promise((resolve) => setTimeout(resolve, 50));
    place.write("work/src/a.txt", String(attempt));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await test.run("cat missing.txt");
  await test.run("cat missing.txt");
  const third = await test.run("cat missing.txt");
  assertMatch(third.record.feedback.join(), /^\[Feedback - Loop\][^]*Error: cat: missing\.txt/);
});

Deno.test("a policy's cadence of zero or less is refused with its place", () => {
  for (const trigger of [{ everyNCalls: 0 }, { everyNSeconds: -1 }, { everyNCalls: 1.5 }]) {
    const policyText = policyOf({ providers: [each("A", trigger)] });
    assertThrows(() => new TestSession({ policyText }), PolicyError, "Cannot use");
  }
});

Deno.test("a policy's providers need a name of their own and exactly one kind", () => {
  const table = [
    { in: [each("A", {}), each("A", {})], want: "another provider has it" },
    { in: [{ name: "A", trigger: {} }], want: "exactly one of" },
    { in: [{ say: { summary: "x" } }], want: 'it needs a "name"' },
    { in: ["Dedline"], want: "Dedline" },
  ];
  for (const { in: providers, want } of table) {
    assertThrows(() => new TestSession({ policyText: policyOf({ providers }) }), PolicyError, want);
  }
});
