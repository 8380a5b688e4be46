import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { KeywordAutomaton } from "../../src/output/keyword_automaton.ts";
import { bytesOf } from "./redact_helpers.ts";

interface Found {
  readonly end: number;
  readonly id: number;
}

function find(
  automaton: KeywordAutomaton,
  parts: readonly string[],
): { hits: Found[]; state: number } {
  const hits: Found[] = [];
  const end = { index: 0, state: 0 };
  let base = 0;
  for (const part of parts) {
    const bytes = bytesOf(part);
    const sink = {
      hit: (index: number, state: number) =>
        automaton.outputs(state).forEach((id) => hits.push({ end: base + index, id })),
    };
    automaton.scan(bytes, { from: 0, to: bytes.length, raw: false, end, sink });
    base += bytes.length;
  }
  return { hits, state: end.state };
}

function naive(keywords: readonly string[], text: string): Found[] {
  const out: Found[] = [];
  for (let end = 0; end < text.length; end++) {
    keywords.forEach((keyword, id) => {
      if (text.slice(0, end + 1).toLowerCase().endsWith(keyword)) out.push({ end, id });
    });
  }
  return out;
}

const byPlace = (a: Found, b: Found) => a.end - b.end || a.id - b.id;
const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "_"), minLength: 1, maxLength: 5 });

Deno.test("KeywordAutomaton.scan finds what a naive search finds, however the text is cut", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 8 }),
      fc.string({ unit: fc.constantFrom("a", "B", "c", "A", "_", "x"), maxLength: 40 }),
      fc.nat(40),
      (keywords, text, cut) => {
        const automaton = new KeywordAutomaton(
          keywords.map((keyword) => ({ text: keyword, hold: true })),
        );
        const { hits } = find(automaton, [text.slice(0, cut), text.slice(cut)]);
        assertEquals(hits.sort(byPlace), naive(keywords, text).sort(byPlace));
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("KeywordAutomaton.holdDepth is the longest end that begins a keyword to hold", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 6 }),
      fc.string({ unit: fc.constantFrom("a", "b", "c", "_", "x"), maxLength: 12 }),
      (keywords, text) => {
        const automaton = new KeywordAutomaton(
          keywords.map((keyword, i) => ({ text: keyword, hold: i % 2 === 0 })),
        );
        const { state } = find(automaton, [text]);
        let want = 0;
        for (let length = 1; length <= text.length; length++) {
          const end = text.slice(text.length - length);
          if (
            keywords.some((keyword, i) =>
              i % 2 === 0 && keyword.length > length && keyword.startsWith(end)
            )
          ) want = length;
        }
        assertEquals(automaton.holdDepth(state), want);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("KeywordAutomaton.scan stops before a special byte of raw text and keeps its state", () => {
  const automaton = new KeywordAutomaton([{ text: "abc", hold: true }], [0x1b]);
  const bytes = bytesOf("ab\x1bc");
  const end = { index: 0, state: 0 };
  const hits: number[] = [];
  const sink = { hit: (index: number) => hits.push(index) };
  automaton.scan(bytes, { from: 0, to: bytes.length, raw: true, end, sink });
  assertEquals({ index: end.index, hits }, { index: 2, hits: [] });
  automaton.scan(bytes, { from: 3, to: bytes.length, raw: false, end, sink });
  assertEquals(hits, [3]);
});

Deno.test("KeywordAutomaton refuses more states than its table can number", () => {
  const keywords = Array.from(
    { length: 400 },
    (_, i) => ({ text: String(i).padEnd(100, "x"), hold: false }),
  );
  assertThrows(() => new KeywordAutomaton(keywords), RangeError, "Cannot build the automaton");
});
