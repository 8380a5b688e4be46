import { assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path/posix";
import { PolicyError } from "../../src/errors.ts";
import { loadPolicy } from "../../src/policy/load.ts";
import { providersOf } from "../../src/policy/merge_feedback.ts";
import { narrowPolicy } from "../../src/policy/narrow.ts";
import type { Policy } from "../../src/policy/policy.ts";

/** A policy whose files lie in a directory of their own. */
function load(files: Readonly<Record<string, unknown>>, name = "policy.jsonc"): Policy {
  const directory = Deno.makeTempDirSync({ prefix: "debrief-feedback-" });
  try {
    for (const [file, value] of Object.entries(files)) {
      Deno.writeTextFileSync(join(directory, file), JSON.stringify(value));
    }
    return loadPolicy({
      choice: join(directory, name),
      envChoice: null,
      configDir: "/nonexistent",
      variables: { WORKSPACE: "/work", HOME: "/home/me", TMP: "/var/tmp/private" },
      trustPolicy: true,
    });
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

const of = (feedback: unknown, more: Readonly<Record<string, unknown>> = {}) =>
  load({ "policy.jsonc": { extends: "default", feedback, ...more } });

Deno.test("mergeFeedback has defaults: all, normal, 500 ms, and seven built-in providers", () => {
  const { feedback } = load({ "policy.jsonc": { extends: "default" } });
  const { select, verbosity, timeoutMs } = feedback;
  assertEquals([select, verbosity, timeoutMs], ["all", "normal", 500]);
  assertEquals(providersOf(feedback).map(({ name }) => name), [
    "Deadline",
    "Budget",
    "Loop",
    "FailureStreak",
    "Unverified",
    "StaleTests",
    "SlowCommand",
  ]);
});

Deno.test("mergeFeedback reads every kind of provider, in order, with paths made absolute", () => {
  const trigger = { onFileCreated: ["$WORKSPACE/x"], everyNSeconds: 1.5 };
  const { feedback } = of({
    timeout: "2s",
    providers: [
      "Loop",
      { use: "Deadline", name: "Time", trigger: { everyNCalls: 3 } },
      { name: "Rule", trigger, say: { summary: "x", severity: "warning" } },
      {
        name: "Seen",
        say: { summary: "y", observations: [{ category: "a", description: "b", evidence: "c" }] },
      },
      { name: "Mine", module: "$HOME/mine.ts" },
      { name: "Own", exec: ["/opt/own", "./kept", "--x"], trigger: {} },
    ],
  });
  assertEquals(feedback.timeoutMs, 2_000);
  const found = providersOf(feedback).map((one) =>
    "source" in one ? { ...one, source: one.source.keyPath } : one
  );
  assertEquals(found, [
    { kind: "builtin", name: "Loop", use: "Loop", trigger: null },
    { kind: "builtin", name: "Time", use: "Deadline", trigger: { everyNCalls: 3 } },
    {
      kind: "say",
      name: "Rule",
      say: { summary: "x", observations: [], suggestions: [], severity: "warning" },
      trigger: { everyNSeconds: 1.5, onFileCreated: ["/work/x"] },
    },
    {
      kind: "say",
      name: "Seen",
      say: {
        summary: "y",
        observations: [{ category: "a", description: "b", evidence: "c" }],
        suggestions: [],
        severity: "info",
      },
      trigger: null,
    },
    {
      kind: "module",
      name: "Mine",
      path: "/home/me/mine.ts",
      trigger: null,
      source: "feedback.providers[4]",
    },
    {
      kind: "exec",
      name: "Own",
      argv: ["/opt/own", "./kept", "--x"],
      trigger: {},
      source: "feedback.providers[5]",
    },
  ]);
});

Deno.test("mergeFeedback refuses what is no provider, and names its place", () => {
  const say = { summary: "x" };
  const cases: readonly { in: unknown; want: string }[] = [
    { in: { name: "A", module: "mine.ts" }, want: "it is relative" },
    { in: { name: "A", module: "./*.ts" }, want: "wildcards" },
    { in: { module: "./a.ts" }, want: 'it needs a "name"' },
    { in: { name: "A", exec: ["./a"] }, want: 'a program needs a "trigger"' },
    { in: { name: "A", exec: [], trigger: {} }, want: "an empty list" },
    { in: { name: "A", exec: ["a"], trigger: {} }, want: "a path is accepted" },
    { in: { name: "A", exec: Array(33).fill("/a"), trigger: {} }, want: "so many words" },
    { in: { name: "A", exec: ["/a", "b\0"], trigger: {} }, want: "NUL" },
    { in: { name: "A", module: "./a.ts", exec: ["./a"], trigger: {} }, want: "exactly one of" },
    { in: { name: "A", say, use: "Loop" }, want: "exactly one of" },
    { in: { name: "A\n", say }, want: "Cannot use the name" },
    { in: { name: "A", say: { summary: "x".repeat(501) } }, want: "so long a text" },
    { in: { name: "A", say: { summary: "" } }, want: "an empty text" },
    { in: { name: "A", say: { summary: "x", severity: "fatal" } }, want: "fatal" },
    { in: { name: "A", say, trigger: { everyNCalls: 0 } }, want: "Cannot use 0" },
    { in: { name: "A", say, trigger: { everyNSeconds: -1 } }, want: "Cannot use -1" },
    { in: { name: "A", say, trigger: { onOutcome: ["Time Out"] } }, want: "an outcome such as" },
    { in: { name: "A", say, trigger: { always: true } }, want: "always" },
  ];
  for (const { in: provider, want } of cases) {
    const error = assertThrows(
      () => of({ providers: [provider] }),
      PolicyError,
      want,
      JSON.stringify(provider),
    );
    assertEquals(/policy\.jsonc:\d+: feedback\.providers/.test(error.message), true, error.message);
  }
  of({ providers: [{ name: "A", say, trigger: {} }] });
  assertThrows(() => of({ timeout: 0 }), PolicyError, "a provider needs time");
  const many = Array.from({ length: 33 }, (_, index) => ({ name: `A${index}`, say }));
  assertThrows(() => of({ providers: many }), PolicyError, "so many providers");
});

Deno.test("mergeFeedback replaces the inherited list, and keeps the rest that is not set", () => {
  const policy = load({
    "base.jsonc": {
      extends: "default",
      feedback: { select: "first", timeout: 3, providers: ["Loop"] },
    },
    "policy.jsonc": { extends: "./base.jsonc", feedback: { providers: ["Budget"] } },
  });
  assertEquals(providersOf(policy.feedback).map(({ name }) => name), ["Budget"]);
  assertEquals([policy.feedback.select, policy.feedback.timeoutMs], ["first", 3_000]);
});

Deno.test("narrowFeedback lets the outer list hold where there is one, and the shorter time", () => {
  const own = of({ timeout: "1s", select: "first", providers: ["Loop"] });
  const other = of({ timeout: "9s", providers: ["Budget"] });
  const none = of({ timeout: "2s" });
  const names = (policy: Policy) => providersOf(policy.feedback).map(({ name }) => name);
  assertEquals(names(narrowPolicy(own, other)), ["Loop"]);
  assertEquals(narrowPolicy(own, other).feedback.timeoutMs, 1_000);
  assertEquals(narrowPolicy(own, other).feedback.select, "first");
  assertEquals(names(narrowPolicy(none, other)), ["Budget"]);
  assertEquals(narrowPolicy(none, other).feedback.timeoutMs, 2_000);
});
