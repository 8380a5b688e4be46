import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import type {
  FeedbackProvider,
  FeedbackTrigger,
} from "../../../src/feedback/providers/provider.ts";
import { staticProvider } from "../../../src/feedback/providers/static_provider.ts";
import { isTriggered } from "../../../src/feedback/providers/trigger.ts";
import { command, context, play, START } from "./context.ts";

const say = { summary: "said", observations: [], suggestions: [], severity: "info" } as const;

function every(name: string, trigger: FeedbackTrigger): FeedbackProvider {
  return staticProvider(name, { trigger, say });
}

function names(said: readonly (readonly string[])[]): string {
  return said.flatMap((texts, index) =>
    texts.map((text) => `${/Feedback - (\w+)/.exec(text)?.[1]}@${index + 1}`)
  ).join(" ");
}

const A = every("A", { everyNCalls: 3 });
const B = every("B", { everyNCalls: 5 });
const TEN = Array.from({ length: 10 }, () => ({}));

Deno.test("runProviders with all gives each provider a cadence of its own", async () => {
  assertEquals(names(await play([A, B], TEN)), "A@3 B@5 A@6 A@9 B@10");
});

Deno.test("runProviders with first gives all one cadence, and the first that matches wins", async () => {
  assertEquals(names(await play([A, B], TEN, { select: "first" })), "A@3 A@6 A@9");
});

Deno.test("runProviders keeps the order of the configuration", async () => {
  const fifteen = [...TEN, ...TEN.slice(5)];
  const said = await play([B, A], fifteen);
  assertEquals(said[14]?.map((text) => text.split("\n")[0]), [
    "[Feedback - B]",
    "[Feedback - A]",
  ]);
});

Deno.test("isTriggered joins conditions by OR, and none never holds", () => {
  const failed = context({ call: 2, command: command({ exitCode: 1, outcome: "timeout" }) });
  const table: readonly { in: FeedbackTrigger; want: boolean }[] = [
    { in: {}, want: false },
    { in: { everyNCalls: 3 }, want: false },
    { in: { everyNCalls: 2 }, want: true },
    { in: { everyNCalls: 9, onOutcome: ["timeout"] }, want: true },
    { in: { onOutcome: ["failed"] }, want: false },
    { in: { onOutcome: [], onFileCreated: [] }, want: false },
  ];
  for (const { in: trigger, want } of table) {
    assertEquals(isTriggered(trigger, failed), want, JSON.stringify(trigger));
  }
});

Deno.test("isTriggered refuses a cadence that is zero or negative", () => {
  for (const trigger of [{ everyNCalls: 0 }, { everyNSeconds: -1 }]) {
    assertThrows(() => isTriggered(trigger, context()), RangeError, "a positive number");
  }
});

Deno.test("everyNSeconds fires at the first opportunity, then counts from there", async () => {
  const seconds = [5, 29, 31, 45, 61, 62];
  const said = await play(
    [every("T", { everyNSeconds: 30 })],
    seconds.map((at) => ({ now: START + at * 1_000 })),
  );
  assertEquals(names(said), "T@3 T@5");
});

Deno.test("onFileCreated fires once for each path, also when another trigger of the provider fired before", async () => {
  const provider = every("F", { everyNCalls: 2, onFileCreated: ["/w/a", "/w/b"] });
  const created = [[], [], ["/w/a"], ["/w/a"], ["/w/a"], ["/w/a", "/w/b"], ["/w/a", "/w/b"]];
  // 2 by its cadence; 3 for /w/a; 5 by its cadence; 6 for /w/b; then nothing is new.
  assertEquals(
    names(await play([provider], created.map((created) => ({ created })))),
    "F@2 F@3 F@5 F@6",
  );
});

Deno.test("runProviders asks all against the initial state, before any provides", async () => {
  const order: string[] = [];
  const watch = (name: string): FeedbackProvider => ({
    name,
    shouldRun: () => order.push(`ask ${name}`) > 0,
    provide: () => {
      order.push(`provide ${name}`);
      return { ...say, providerName: name };
    },
  });
  await play([watch("A"), watch("B")], [{}]);
  assertEquals(order, ["ask A", "ask B", "provide A", "provide B"]);
});

Deno.test("runProviders keeps state by the provider's name, and only when it has spoken", async () => {
  const seen: unknown[] = [];
  const counting = (name: string, speaks: boolean): FeedbackProvider => ({
    name,
    shouldRun: ({ state }) => {
      seen.push([name, state.runs, state.memory.n ?? null]);
      state.memory.n = 7;
      return speaks;
    },
    provide: () => ({ ...say, providerName: name }),
  });
  await play([counting("A", true), counting("B", false)], [{}, {}]);
  assertEquals(seen, [["A", 0, null], ["B", 0, null], ["A", 1, 7], ["B", 0, null]]);
});

Deno.test("a provider that throws is reported in one line and changes nothing for the others", async () => {
  const broken: FeedbackProvider = {
    name: "Broken",
    shouldRun: () => true,
    provide: () => {
      throw new Error("out of\nideas");
    },
  };
  const unsure: FeedbackProvider = {
    ...broken,
    name: "Unsure",
    shouldRun: () => {
      throw new Error("no");
    },
  };
  const said = await play([broken, unsure, every("A", { everyNCalls: 1 })], [{}, {}]);
  const want = [
    "[Feedback - Broken] failed: out of\\nideas",
    "[Feedback - Unsure] failed: no",
    "[Feedback - A]\nsaid",
  ];
  assertEquals(said, [want, want]);
});

Deno.test("a provider that exceeds its time is reported, and the others speak", async () => {
  const slow: FeedbackProvider = {
    name: "Slow",
    shouldRun: () => true,
    provide: () => new Promise(() => {}),
  };
  const said = await play([slow, every("A", { everyNCalls: 1 })], [{}], { timeoutMs: 1_000 });
  assertEquals(said, [[
    "[Feedback - Slow] failed: it took longer than 1000 ms",
    "[Feedback - A]\nsaid",
  ]]);
});

Deno.test("what is no feedback is reported as such", async () => {
  const wrong = { name: "W", shouldRun: () => true, provide: () => ({ summary: 5 }) };
  const said = await play([wrong as unknown as FeedbackProvider], [{}]);
  assertMatch(said[0]?.[0] ?? "", /^\[Feedback - W\] failed: what it said is no feedback/);
});

Deno.test("a rule's text is rendered with its observations before its suggestions", async () => {
  const provider = staticProvider("Style", {
    trigger: { everyNCalls: 1 },
    say: {
      summary: "Two spaces.",
      observations: [{ category: "Where", description: "src", evidence: "a.ts:1" }],
      suggestions: ["`fmt` does it.", "Or not."],
      severity: "caution",
    },
  });
  assertEquals(await play([provider], [{}]), [[
    "[Feedback - Style]\nTwo spaces.\n\u2022 Where: src (a.ts:1)\n\u2192 `fmt` does it.\n\u2192 Or not.",
  ]]);
});

Deno.test("a provider that returns null says nothing, and its cadence begins anew", async () => {
  const asked: number[] = [];
  const quiet: FeedbackProvider = {
    name: "Quiet",
    shouldRun: (context) => isTriggered({ everyNCalls: 3 }, context),
    provide: ({ call }) => {
      asked.push(call);
      return null;
    },
  };
  assertEquals((await play([quiet], TEN)).flat(), []);
  assertEquals(asked, [3, 6, 9]);
  // With first it has had its turn.
  assertEquals(names(await play([quiet, A], TEN, { select: "first" })), "");
});

Deno.test("a provider may leave out all but the summary", async () => {
  const short: FeedbackProvider = {
    name: "Short",
    shouldRun: () => true,
    provide: () => ({ summary: "Only this." }),
  };
  assertEquals(await play([short], [{}]), [["[Feedback - Short]\nOnly this."]]);
});

Deno.test("runProviders releases every provider, also one that was not chosen or that failed", async () => {
  const released: string[] = [];
  const of = (name: string, shouldRun: () => boolean): FeedbackProvider => ({
    ...A,
    name,
    shouldRun,
    release: () => released.push(name),
  });
  const fails = () => {
    throw new Error("no");
  };
  await play([of("A", () => true), of("B", () => true), of("C", fails)], [{}], { select: "first" });
  assertEquals(released.sort(), ["A", "B", "C"]);
});

Deno.test("everyNCalls and onOutcome of one provider are joined, each time from when it last spoke", async () => {
  const provider = every("O", { everyNCalls: 3, onOutcome: ["failed"] });
  const ends = [0, 1, 0, 0, 0, 1, 1].map((exitCode) => ({ command: command({ exitCode }) }));
  assertEquals(names(await play([provider], ends)), "O@2 O@5 O@6 O@7");
});
