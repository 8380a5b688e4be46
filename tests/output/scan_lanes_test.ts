import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { KeywordAutomaton } from "../../src/output/keyword_automaton.ts";

const SPECIAL_BYTE = 0x1b;
const KEYWORDS = ["error", "or", "rerun", "nun", "e", "unerror"];

interface Scan {
  readonly hits: readonly string[];
  readonly index: number;
  readonly state: number;
}

const automaton = new KeywordAutomaton(
  KEYWORDS.map((text) => ({ text, hold: true })),
  [SPECIAL_BYTE],
);

/** Scans in steps of a size; a large one is scanned in lanes, a small one is not. */
function scan(
  bytes: Uint8Array,
  options: { readonly step: number; readonly raw: boolean; readonly state: number },
): Scan {
  const { step, raw } = options;
  const end = { index: 0, state: options.state };
  const hits: string[] = [];
  const sink = { hit: (index: number, state: number) => hits.push(`${index}:${state}`) };
  for (let from = 0; from < bytes.length; from += step) {
    const to = Math.min(bytes.length, from + step);
    automaton.scan(bytes, { from, to, raw, end, sink });
    if (end.index < to) break;
  }
  return { hits, index: end.index, state: end.state };
}

Deno.test("scanBytes finds the same in lanes as byte by byte, in order, and stops at the same special byte", () => {
  const letters = new TextEncoder().encode("eronu er");
  fc.assert(
    fc.property(
      fc.integer({ min: 4096, max: 9000 }),
      fc.integer(),
      fc.array(fc.nat(8999), { maxLength: 4 }),
      fc.boolean(),
      fc.nat(5),
      (length, seed, specials, raw, state) => {
        let random = seed >>> 0;
        const bytes = Uint8Array.from({ length }, () => {
          random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
          return letters[random >>> 29] as number;
        });
        for (const at of specials) if (at < length) bytes[at] = SPECIAL_BYTE;
        const whole = scan(bytes, { step: length, raw, state });
        assertEquals(whole, scan(bytes, { step: 100, raw, state }));
        assert(specials.length > 0 || whole.hits.length > length / 8);
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("scanBytes finds a keyword that lies across the border of two lanes, wherever it lies", () => {
  const text = new TextEncoder().encode("unerror");
  for (let at = 1010; at < 1040; at++) {
    const bytes = new Uint8Array(4100).fill(0x2e);
    bytes.set(text, at);
    const { hits } = scan(bytes, { step: 4100, raw: true, state: 0 });
    assertEquals(hits.map((hit) => Number(hit.split(":")[0])), [at + 2, at + 6]);
    assertEquals(hits, scan(bytes, { step: 50, raw: true, state: 0 }).hits);
  }
});
