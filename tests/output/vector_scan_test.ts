import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { KeywordAutomaton } from "../../src/output/keyword_automaton.ts";
import { keywordWindows } from "../../src/output/keyword_windows.ts";
import { RuleBook } from "../../src/output/rule_book.ts";
import { SPECIAL_BYTES } from "../../src/output/visible_view.ts";

/** Bytes after which an automaton uses the module, and some more. */
const WARM = 300 * 1024;

const { keywords } = new RuleBook();
const all = keywords.map((text) => ({ text, hold: true }));

function warm(automaton: KeywordAutomaton): KeywordAutomaton {
  const bytes = new Uint8Array(WARM);
  const end = { index: 0, state: 0 };
  automaton.scan(bytes, { from: 0, to: WARM, raw: false, end, sink: { hit: () => {} } });
  assert(automaton.isVectorized, "the module cannot be made here");
  return automaton;
}

const plain = new KeywordAutomaton(all, SPECIAL_BYTES);
const vector = warm(new KeywordAutomaton(all, SPECIAL_BYTES, { dense: Infinity }));
/** Changes between module and table. */
const changing = warm(new KeywordAutomaton(all, SPECIAL_BYTES));

interface Options {
  /** Lengths of the parts that are scanned one after another; the last one repeats. */
  readonly steps: readonly number[];
  readonly raw: boolean;
  readonly from?: number;
}

/** Every keyword that ends somewhere, and how the scan ended. */
function scan(automaton: KeywordAutomaton, bytes: Uint8Array, options: Options): string[] {
  const { steps, raw, from = 0 } = options;
  const found: string[] = [];
  const end = { index: from, state: 0 };
  const sink = {
    hit: (index: number, state: number) =>
      found.push(`${index} ${automaton.outputs(state).map((id) => keywords[id]).join()}`),
  };
  for (let at = from, step = 0; at < bytes.length; step++) {
    const to = Math.min(bytes.length, at + (steps[Math.min(step, steps.length - 1)] as number));
    automaton.scan(bytes, { from: at, to, raw, end, sink });
    if (end.index < to) break;
    at = to;
  }
  return [...found, `end ${end.index} ${end.state}`];
}

/** As the table does it: parts so short that the module is not used, and an automaton that has seen little. */
function reference(bytes: Uint8Array, options: Options): string[] {
  return scan(plain, bytes, { ...options, steps: [500] });
}

/** Text that is full of keywords and their beginnings, in any case. */
const pieces = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...keywords) },
  { weight: 2, arbitrary: fc.constantFrom(...keywords).map((text) => text.toUpperCase()) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom(...keywords), fc.nat(8)).map(([text, length]) =>
      text.slice(0, length)
    ),
  },
  { weight: 3, arbitrary: fc.string({ unit: "binary-ascii", maxLength: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom("\xff\xfe", "é", "\n", " ", "=", "@[]^_`{}") },
);
const encoder = new TextEncoder();
const texts = fc.array(pieces, { minLength: 200, maxLength: 900, size: "max" })
  .map((parts) => encoder.encode(parts.join("")));

Deno.test("VectorScan finds the same keywords as the table, however the bytes are cut and wherever they lie", () => {
  let most = 0;
  fc.assert(
    fc.property(
      texts,
      fc.nat(70),
      fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }),
      (bytes, from, steps) => {
        const options = { steps: [...steps, 2000], raw: false, from };
        const want = reference(bytes, options);
        assertEquals(scan(vector, bytes, options), want);
        assertEquals(scan(changing, bytes, options), want);
        most = Math.max(most, want.length);
      },
    ),
    { numRuns: 150 },
  );
  assert(most > 100, `only ${most} keywords in one text`);
});

Deno.test("VectorScan stops at the same special byte of raw bytes as the table, in the same state", () => {
  fc.assert(
    fc.property(
      texts,
      fc.nat(),
      fc.constantFrom(...SPECIAL_BYTES),
      (text, place, special) => {
        const bytes = text.map((byte) => SPECIAL_BYTES.some((one) => one === byte) ? 0x20 : byte);
        const options = { steps: [bytes.length], raw: true };
        assertEquals(scan(vector, bytes, options).at(-1)?.split(" ")[1], String(bytes.length));
        bytes[place % bytes.length] = special;
        const found = scan(vector, bytes, options);
        assertEquals(found, reference(bytes, options));
        assertEquals(found.at(-1)?.split(" ")[1], String(place % bytes.length));
      },
    ),
    { numRuns: 150 },
  );
});

Deno.test("VectorScan finds every keyword at every offset of a vector, in both cases, also across blocks", () => {
  for (const text of new Set(keywords)) {
    for (const written of [text, text.toUpperCase()]) {
      const bytes = new Uint8Array(66 * 1024).fill(0x20);
      const at = Array.from({ length: 16 }, (_, i) => 64 + i * 129);
      at.push(64 * 1024 - (text.length >> 1));
      for (const place of at) bytes.set(encoder.encode(written), place);
      const found = scan(vector, bytes, { steps: [bytes.length], raw: false }).slice(0, -1);
      for (const place of at) {
        const want = `${place + text.length - 1} `;
        const hit = found.find((one) => one.startsWith(want));
        assert(hit?.slice(want.length).split(",").includes(text), `${text} at ${place}`);
      }
    }
  }
});

Deno.test("VectorScan is exact where no byte differs and every byte begins a keyword", () => {
  for (const text of ["a", "-", "sk-", "://", "aaaa", "pass", "q~"]) {
    const bytes = encoder.encode(text.repeat(Math.ceil(9000 / text.length)));
    const options = { steps: [bytes.length], raw: false };
    assertEquals(scan(vector, bytes, options), reference(bytes, options));
  }
});

Deno.test("keywordWindows finds the keywords of redaction and refuses others, whose automaton then uses its table", () => {
  assert(keywordWindows(keywords) !== null);
  assert(keywordWindows(keywords.slice(0, 3)) !== null);
  assertEquals(keywordWindows([...keywords, "zzvzz"]), null);
  assertEquals(keywordWindows(["s"]), null);
  const other = new KeywordAutomaton([{ text: "zzvzz", hold: true }]);
  const bytes = new Uint8Array(WARM).fill(0x7a);
  bytes[WARM - 5] = 0x76;
  const hits: number[] = [];
  const end = { index: 0, state: 0 };
  for (let i = 0; i < 2; i++) {
    const sink = { hit: (index: number) => hits.push(index) };
    other.scan(bytes, { from: 0, to: WARM, raw: false, end, sink });
  }
  assertEquals(hits, [WARM - 3, WARM - 3]);
  assert(!other.isVectorized);
});

Deno.test("KeywordAutomaton finds the same keywords where the module cannot be made", () => {
  const { Memory } = WebAssembly;
  const other = new KeywordAutomaton(all, SPECIAL_BYTES);
  const bytes = encoder.encode("a password, TOKEN=x and an error\n".repeat(12_000));
  const options = { steps: [bytes.length], raw: false };
  try {
    const value = class {
      constructor() {
        throw new RangeError("could not allocate memory");
      }
    };
    Object.defineProperty(WebAssembly, "Memory", { configurable: true, writable: true, value });
    assertEquals(scan(other, bytes, options), scan(vector, bytes, options));
    assert(!other.isVectorized && vector.isVectorized);
  } finally {
    const value = Memory;
    Object.defineProperty(WebAssembly, "Memory", { configurable: true, writable: true, value });
  }
});
