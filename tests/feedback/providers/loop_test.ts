import { assertEquals, assertMatch } from "@std/assert";
import { findLoop } from "../../../src/feedback/providers/loop.ts";
import { loopProvider } from "../../../src/feedback/providers/loop_provider.ts";
import type { FeedbackCommand } from "../../../src/feedback/providers/provider.ts";
import { command, play, START } from "./context.ts";

/** `a=x!1`: command a, digest x, exit status 1. */
function commands(text: string): FeedbackCommand[] {
  return text.split(" ").map((word, index) => {
    const [, name = "", digest = "0", exit = "0"] = /^(\w+)(?:=(\w+))?(?:!(\d+))?$/.exec(word) ??
      [];
    return command({
      command: name,
      digest,
      exitCode: Number(exit),
      startedAt: START + index * 1_000,
      tail: digest,
    });
  });
}

const TABLE: readonly { name: string; in: string; want: string | null }[] = [
  { name: "three identical results", in: "a a a", want: null },
  { name: "four identical results", in: "a a a a", want: "identical 4" },
  { name: "two identical failures", in: "a!1 a!1", want: null },
  { name: "three identical failures", in: "b a!1 a!1 a!1", want: "failures 3" },
  { name: "an alternation", in: "a b a b a b", want: "alternation 6" },
  { name: "an alternation that is not complete", in: "a b a b a", want: null },
  { name: "an alternation with another result", in: "a b a b a b=2", want: null },
  { name: "a cycle of three", in: "a b c a b c a b c", want: "cycle 9" },
  { name: "a cycle of five", in: "a b c d e a b c d e a b c d e", want: "cycle 15" },
  { name: "a cycle of six", in: "a b c d e f a b c d e f a b c d e f", want: null },
  { name: "polling", in: "a=1 a=2 a=3 a=4 a=5", want: null },
  { name: "other failures each time", in: "a=x!1 a=y!1 a=z!1", want: null },
  { name: "another exit status", in: "a!1 a!2 a!1", want: null },
];

for (const { name, in: text, want } of TABLE) {
  Deno.test(`findLoop finds ${want ?? "nothing"} in ${name}`, () => {
    const loop = findLoop(commands(text));
    assertEquals(loop && `${loop.rule} ${loop.length}`, want);
  });
}

Deno.test("findLoop takes spacing for nothing and the directory for something", () => {
  const [one, two, three] = ["make  x", "make x ", "make x"].map((text) =>
    command({ command: text, exitCode: 1 })
  ) as [FeedbackCommand, FeedbackCommand, FeedbackCommand];
  assertEquals(findLoop([one, two, three])?.rule, "failures");
  assertEquals(findLoop([one, two, { ...three, cwd: "/elsewhere" }]), null);
});

Deno.test("findLoop finds three failures whose outputs are nearly the same, and no more than that", () => {
  const lines = (last: string, time: number) =>
    [
      ...Array.from({ length: 19 }, (_, index) => `line ${"x".repeat(index)}`),
      `${last} in ${time} ms`,
    ]
      .join("\n");
  const attempt = (tail: string, exitCode = 1) =>
    command({ command: `make ${tail.length}`, exitCode, tail, digest: tail });
  const nearly = [lines("failed", 12), lines("failed", 13), lines("broke", 14)];
  assertEquals(findLoop(nearly.map((tail) => attempt(tail)))?.rule, "similar");
  assertEquals(findLoop(nearly.map((tail) => attempt(tail, 0))), null);
  assertEquals(
    findLoop(["one\ntwo", "one\nthree", "one\nfour"].map((tail) => attempt(tail))),
    null,
  );
});

/** What the provider said, with the workspace changed at a time. */
async function spoken(text: string, changedAt: number | null = null) {
  const provider = loopProvider((times) =>
    times.some(([from, to]) => changedAt !== null && from <= changedAt && changedAt <= to)
      ? changedAt
      : null
  );
  const said = await play([provider], commands(text).map((command) => ({ command })));
  return said.flatMap((texts, index) => texts.map((text) => ({ call: index + 1, text })));
}

Deno.test("Loop nudges once and quotes the error, then escalates at five failures", async () => {
  const said = await spoken(Array(9).fill("a=error5!1").join(" "));
  assertEquals(said.map(({ call }) => call), [3, 5]);
  assertMatch(
    said[0]?.text ?? "",
    /The same command has failed the same way 3 times\.\n\u2022 Command: a\n\u2022 Error: error5\n\u2192 The result is the same/,
  );
  assertMatch(said[1]?.text ?? "", /5 times\.[^]*Nothing in the workspace has changed/);
});

Deno.test("Loop says an alternation once, wherever in its round it stands", async () => {
  assertEquals((await spoken("a b a b a b a b a b")).map(({ call }) => call), [6]);
});

Deno.test("Loop is silent on fail, edit, retest, and counts anew from the edit", async () => {
  assertEquals((await spoken("a!1 a!1 a!1")).map(({ call }) => call), [3]);
  // Changed between the second attempt and the third.
  const edit = START + 1_500;
  assertEquals((await spoken("a!1 a!1 a!1", edit)).map(({ call }) => call), []);
  assertEquals((await spoken("a!1 a!1 a!1 a!1 a!1", edit)).map(({ call }) => call), [5]);
});

Deno.test("Loop takes what its own commands write for a part of them", async () => {
  // Within the time in which the second attempt ran.
  assertEquals((await spoken("a!1 a!1 a!1", START + 1_050)).map(({ call }) => call), [3]);
});

Deno.test("Loop says nothing where there is too much to look at", async () => {
  const provider = loopProvider(() => Infinity);
  const turns = commands("a!1 a!1 a!1 a!1").map((command) => ({ command }));
  assertEquals((await play([provider], turns)).flat(), []);
});
