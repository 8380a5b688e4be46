import { assertEquals, assertThrows } from "@std/assert";
import type { FeedbackProviderName } from "../../../src/policy/policy.ts";
import { builtinProvider } from "../../../src/feedback/providers/builtin_providers.ts";
import type { FeedbackContext } from "../../../src/feedback/providers/provider.ts";
import { spokenDuration } from "../../../src/feedback/providers/spoken_duration.ts";
import { UsageError } from "../../../src/errors.ts";
import { command, play, START } from "./context.ts";

function builtin(use: FeedbackProviderName, changed = false) {
  return builtinProvider(
    { kind: "builtin", name: use, use, trigger: null },
    () => changed ? START : null,
  );
}

/** Numbers of the commands after which something was said. */
async function calls(
  use: FeedbackProviderName,
  turns: readonly Partial<FeedbackContext>[],
  changed = false,
): Promise<readonly number[]> {
  const said = await play([builtin(use, changed)], turns);
  return said.flatMap((texts, index) => texts.length > 0 ? [index + 1] : []);
}

Deno.test("spokenDuration gets singular and plural right", () => {
  const table = [
    { in: 45_000, want: "45 seconds" },
    { in: 1_000, want: "1 second" },
    { in: 60_000, want: "1 minute" },
    { in: 119_999, want: "1 minute" },
    { in: 300_000, want: "5 minutes" },
    { in: 3_600_000, want: "1 hour" },
    { in: 5_400_000, want: "1.5 hours" },
    { in: -5, want: "0 seconds" },
  ];
  for (const { in: ms, want } of table) assertEquals(spokenDuration(ms), want);
});

Deno.test("Deadline says what remains, warns at 120 s with two suggestions, and says when it is over", async () => {
  const deadline = START + 600_000;
  const at = [0, 0, 0, 0, 120_000, 480_000, 481_000, 600_000, 600_001];
  const said = await play(
    [builtin("Deadline")],
    at.map((ms) => ({ deadline, now: START + ms })),
  );
  const remain = "\u2192 Prioritize completing critical remaining work.";
  assertEquals(said.map((texts) => texts.join()), [
    "",
    "",
    "",
    "",
    `[Feedback - Deadline]\nYou have 8 minutes remaining.\n${remain}`,
    `[Feedback - Deadline]\nYou have 2 minutes remaining.\n${remain}\n\u2192 Leave what is unfinished in a state that the next one can pick up.`,
    "",
    "[Feedback - Deadline]\nYou have reached the time deadline.\n\u2192 Wrap up immediately.",
    "",
  ]);
});

Deno.test("Deadline is silent without a deadline", async () => {
  assertEquals(await calls("Deadline", Array.from({ length: 12 }, () => ({}))), []);
});

Deno.test("Budget warns once for each bound, at 80 %", async () => {
  const used = [[10, 0], [79, 0], [80, 0], [99, 0], [120, 8], [130, 9]] as const;
  const turns = used.map(([tokens, seconds]) => ({
    used: { tokens, seconds },
    budget: { tokens: 100, seconds: 10 },
  }));
  assertEquals(await calls("Budget", turns), [3, 5]);
  assertEquals(await calls("Budget", turns.map(({ used }) => ({ used }))), []);
});

Deno.test("CommandCount counts at its cadence", async () => {
  const said = await play(
    [builtin("CommandCount")],
    Array.from(
      { length: 10 },
      (_, index) => ({ command: command({ exitCode: index < 2 ? 1 : 0 }) }),
    ),
  );
  assertEquals(
    said.at(-1),
    ["[Feedback - CommandCount]\nYou have run 10 commands.\n\u2022 Recent: 2 of the last 10 failed"],
  );
  assertEquals(said.slice(0, 9).flat(), []);
});

Deno.test("FailureStreak speaks of different commands that fail in a row", async () => {
  const fail = (name: string) => ({ command: command({ command: name, exitCode: 1 }) });
  const turns = ["a", "b", "c", "d", "e"].map(fail);
  assertEquals(await calls("FailureStreak", turns), [4]);
  assertEquals(await calls("FailureStreak", ["a", "a", "a", "a"].map(fail)), []);
  const broken = [...turns.slice(0, 3), { command: command() }, ...turns.slice(0, 3)];
  assertEquals(await calls("FailureStreak", broken), []);
});

Deno.test("StaleTests speaks once when files were changed after the tests passed", async () => {
  const test = { command: command({ command: "npm test", commandId: "c1" }) };
  const turns = [test, ...Array.from({ length: 12 }, () => ({}))];
  assertEquals(await calls("StaleTests", turns, true), [6]);
  assertEquals(await calls("StaleTests", turns, false), []);
  assertEquals(await calls("StaleTests", turns.slice(1), true), []);
});

Deno.test("Unverified names an open end once, unless the same command has been settled", async () => {
  const open = { command: command({ command: "npm test", exitCode: null, outcome: "timeout" }) };
  assertEquals(await calls("Unverified", [open, {}, {}]), [2]);
  const settled = { command: command({ command: "npm test" }) };
  assertEquals(await calls("Unverified", [open, settled, {}]), []);
});

Deno.test("SlowCommand speaks once for a slow command", async () => {
  const slow = { command: command({ durationMs: 61_000 }) };
  assertEquals(await calls("SlowCommand", [{}, slow, slow]), [2]);
});

Deno.test("SecretsSeen speaks once for each kind of secret", async () => {
  const seen = (redactions: Record<string, number>) => ({ command: command({ redactions }) });
  assertEquals(
    await calls("SecretsSeen", [seen({}), seen({ a: 1 }), seen({ a: 2 }), seen({ b: 1 })]),
    [2, 4],
  );
});

Deno.test("builtinProvider refuses an outcome that there is not", () => {
  const trigger = { onOutcome: ["timout"] };
  const say = { summary: "x", observations: [], suggestions: [], severity: "info" } as const;
  assertThrows(
    () => builtinProvider({ kind: "say", name: "R", say, trigger }, () => null),
    UsageError,
    'Cannot use the outcome "timout" in the trigger of "R"',
  );
});

Deno.test("builtinProvider lets a rule without a trigger never speak", async () => {
  const say = { summary: "x", observations: [], suggestions: [], severity: "info" } as const;
  const silent = builtinProvider({ kind: "say", name: "R", say, trigger: {} }, () => null);
  const loud = builtinProvider(
    { kind: "say", name: "S", say, trigger: { everyNCalls: 1 } },
    () => null,
  );
  assertEquals(await play([silent, loud], [{}]), [["[Feedback - S]\nx"]]);
});
