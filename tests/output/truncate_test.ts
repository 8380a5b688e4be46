import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Mark } from "../../src/output/redact_stream.ts";
import type { Shown, StreamName } from "../../src/output/summary.ts";
import { estimateTokens } from "../../src/output/token_estimate.ts";
import { Truncator } from "../../src/output/truncate.ts";
import { bytesOf } from "./redact_helpers.ts";
import { truncateReference } from "./reference_truncator.ts";

interface Run {
  readonly text: string;
  readonly shown: readonly Shown[];
  readonly truncator: Truncator;
}

function marksIn(text: string): Mark[] {
  return [...text.matchAll(/error|permission denied/g)].map((match) => ({
    at: bytesOf(text.slice(0, match.index)).length + match[0].length - 1,
    kind: match[0] === "error" ? "error" : "refusal",
  }));
}

type Part = readonly [StreamName, string];

function run(
  parts: readonly Part[],
  options: { chars: number; lines: number; tokens?: number; failed: boolean },
): Run {
  const shown: Shown[] = [];
  const truncator = new Truncator({
    maxChars: options.chars,
    maxLines: options.lines,
    maxTokens: options.tokens ?? 100_000,
    screen: { redact: (text) => text },
    show: (one) => shown.push(one),
  });
  for (const [stream, text] of parts) truncator.push(stream, bytesOf(text), marksIn(text));
  truncator.close();
  truncator.showRest({ failed: options.failed });
  return { text: shown.map(({ text }) => text).join(""), shown, truncator };
}

function cutAt(text: string, points: readonly number[]): Part[] {
  const cuts = points.map((point) => point % (text.length + 1)).sort((a, b) => a - b);
  return [...cuts, text.length].map((to, i) => ["stdout", text.slice(cuts[i - 1] ?? 0, to)]);
}

/** Lines of a text that markers stand for. */
function markedLines(text: string): number {
  return [...text.matchAll(/\.\.\.truncated (\d+) lines\.\.\./g)].reduce(
    (sum, match) => sum + Number(match[1]),
    0,
  );
}

const line = fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 30 });
const output = fc.tuple(fc.array(line, { maxLength: 120 }), fc.boolean())
  .map(([lines, isOpen]) => lines.map((one) => one + "\n").join("") + (isOpen ? "open end" : ""));
const budget = fc.record({
  chars: fc.integer({ min: 200, max: 1500 }),
  lines: fc.integer({ min: 8, max: 60 }),
  tokens: fc.integer({ min: 100, max: 900 }),
  failed: fc.boolean(),
});

Deno.test("Truncator shows what the reference shows, however the bytes arrive", () => {
  fc.assert(
    fc.property(
      output,
      budget,
      fc.array(fc.nat(4000), { maxLength: 6 }),
      (text, options, points) => {
        assertEquals(run(cutAt(text, points), options).text, truncateReference(text, options));
      },
    ),
    { numRuns: 600 },
  );
});

const noisyLine = fc.oneof(
  line,
  fc.constantFrom(
    "error: it broke",
    "x: permission denied",
    "a\rb\rc",
    "\x1b[31mred\x1b[0m",
    "\u00e4\u65e5".repeat(40),
    "y".repeat(3000),
  ),
);
const noisy = fc.array(noisyLine, { maxLength: 80 }).map((lines) =>
  lines.map((one) => one + "\n").join("")
);

Deno.test("Truncator: counts are exact and the budget holds, for any output", () => {
  fc.assert(
    fc.property(noisy, budget, (text, options) => {
      const { text: shown, truncator } = run([["stdout", text]], options);
      const total = text.split("\n").length - 1;
      const visible = shown.split("\n").slice(0, -1).filter((one) =>
        !/^\.\.\.truncated \d+ lines\.\.\.$/.test(one)
      ).length;
      assertEquals(visible + markedLines(shown), total);
      assertEquals(truncator.truncation("stdout")?.lines ?? 0, markedLines(shown));
      assert(shown.length <= options.chars, `${shown.length} of ${options.chars}`);
      const tokens = estimateTokens(shown);
      assert(tokens <= options.tokens, `${tokens} of ${options.tokens} tokens`);
      assert(
        shown.split("\n").length - 1 <= options.lines,
        `${shown.split("\n").length - 1} of ${options.lines} lines`,
      );
    }),
    { numRuns: 500 },
  );
});

Deno.test("Truncator: the same bytes give the same text and the same notable lines", () => {
  fc.assert(
    fc.property(noisy, budget, fc.integer({ min: 1, max: 40 }), (text, options, step) => {
      const whole = run([["stdout", text]], options);
      // Marks belong to whole words, so that the pieces end between lines here; the pipeline's test cuts anywhere.
      const lines = text.split(/(?<=\n)/);
      const parts: Part[] = [];
      for (let i = 0; i < lines.length; i += step) {
        parts.push(["stdout", lines.slice(i, i + step).join("")]);
      }
      const cut = run(parts, options);
      assertEquals(cut.text, whole.text);
      assertEquals(
        cut.truncator.notable.entries.map(({ text }) => text),
        whole.truncator.notable.entries.map(({ text }) => text),
      );
      assertEquals(cut.truncator.tail("stdout"), whole.truncator.tail("stdout"));
    }),
    { numRuns: 200 },
  );
});

Deno.test("Truncator: lines of both streams are counted, each once", () => {
  const part = fc.tuple(fc.constantFrom<StreamName>("stdout", "stderr"), noisy);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), budget, (parts, options) => {
      const { text, shown, truncator } = run(parts, options);
      const total = parts.reduce((sum, [, one]) => sum + one.split("\n").length - 1, 0);
      const visible = shown.filter(({ text }) =>
        !/^\.\.\.truncated \d+ lines\.\.\.\n$/.test(text)
      ).length;
      assertEquals(visible + markedLines(text), total);
      const counted = (["stdout", "stderr"] as const).map((stream) =>
        truncator.truncation(stream)?.lines ?? 0
      );
      assertEquals(counted.reduce((sum, count) => sum + count, 0), markedLines(text));
      assert(text.length <= options.chars);
    }),
    { numRuns: 300 },
  );
});

const numbered = (count: number, special: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: count }, (_, i) => (special[i + 1] ?? `line ${i + 1}`) + "\n").join("");

Deno.test("Truncator: on failure the cut middle shows its notable lines with two lines on either side", () => {
  const text = numbered(1000, { 500: "error: it broke", 700: "open x: permission denied" });
  const { text: shown } = run([["stdout", text]], { chars: 1000, lines: 60, failed: true });
  assert(
    shown.includes(
      "lines...\nline 498\nline 499\nerror: it broke\nline 501\nline 502\n...truncated ",
    ),
    shown,
  );
  assert(shown.includes("\nline 699\nopen x: permission denied\nline 701\n"), shown);
  assert(shown.endsWith("line 1000\n"));
});

Deno.test("Truncator: the head is shown as it arrives, the rest is held", () => {
  const shown: string[] = [];
  const truncator = new Truncator({
    maxChars: 400,
    maxLines: 40,
    maxTokens: 1000,
    screen: { redact: (text) => text },
    show: ({ text }) => shown.push(text),
  });
  truncator.push("stdout", bytesOf("first\nsec"), []);
  assertEquals(shown, ["first\n"]);
  truncator.push("stdout", bytesOf("ond\n"), []);
  assertEquals(shown, ["first\n", "second\n"]);
  truncator.push("stdout", bytesOf("x\n".repeat(1000)), []);
  assertEquals(shown.join("").split("\n").length - 1, 10);
});

Deno.test("Truncator: dense text is cut to its tokens, plain text is not", async (t) => {
  const budget = { chars: 7400, lines: 200, tokens: 3800, failed: false };
  const plain = "export function frontLength(bytes: Uint8Array, max: number): number {\n".repeat(
    100,
  );
  assertEquals(run([["stdout", plain]], budget).text, plain);
  const cases = {
    lines: "\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\n".repeat(800),
    "one line": "\u6f22\u5b57".repeat(3600),
    emoji: ("\u{1f600}\u{1f680} ".repeat(8) + "\n").repeat(140),
    "long lines": ("aB3x".repeat(450) + "\n").repeat(4),
  };
  for (const [name, text] of Object.entries(cases)) {
    await t.step(name, () => {
      const shown = run([["stdout", text]], budget).text;
      const tokens = estimateTokens(shown);
      assert(tokens <= budget.tokens, `${tokens}`);
      assert(shown.includes("...truncated "));
      // One line is shown in its head's share.
      assert(tokens > budget.tokens * (name === "one line" ? 0.15 : 0.5), `${tokens}`);
    });
  }
});

Deno.test("Truncator: refusals take the places of errors", () => {
  const text = numbered(
    300,
    Object.fromEntries(Array.from({ length: 100 }, (_, i) => [i + 1, `error ${i}`])),
  ) +
    "x: permission denied\n";
  const { truncator } = run([["stdout", text]], { chars: 1000, lines: 40, failed: true });
  const texts = truncator.notable.entries.map((entry) => entry.text);
  assertEquals(texts.length, 64);
  assertEquals(texts.at(-1), "x: permission denied");
  assertEquals(texts[0], "error 0");
});

Deno.test("Truncator: streams stay apart and in the order of arrival", () => {
  const { shown } = run(
    [["stdout", "a\n"], ["stderr", "b\n"], ["stdout", "c"], ["stderr", "d\n"]],
    { chars: 400, lines: 40, failed: false },
  );
  assertEquals(shown, [
    { stream: "stdout", text: "a\n" },
    { stream: "stderr", text: "b\n" },
    { stream: "stderr", text: "d\n" },
    { stream: "stdout", text: "c" },
  ]);
});
