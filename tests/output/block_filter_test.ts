import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type BlockFilter,
  blockHash,
  type BlockLength,
  FilteredText,
  MAX_TEXT,
} from "../../src/output/block_filter.ts";

/** A text after which the module looks. */
function compiled(): FilteredText {
  const text = new FilteredText();
  for (let count = 0; !text.isCompiled && count < 100; count++) text.load(new Uint8Array(1));
  assert(text.isCompiled, "the module cannot be made here");
  return text;
}

function hashesOf(bytes: Uint8Array, length: BlockLength): Int32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from(
    { length: Math.max(0, bytes.length - length + 1) },
    (_, at) => blockHash(view, at, length),
  );
}

Deno.test("FilteredText: the module finds what is found without it, and each block that was entered", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 8, maxLength: 300 }),
      fc.constantFrom<BlockLength>(4, 8),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat({ max: 300 }), { maxLength: 20 }),
      (bytes, length, step, entered) => {
        const hashes = hashesOf(bytes, length);
        const places = [() => new FilteredText(), compiled].map((make) => {
          const text = make();
          // The second one, so that an address that is not heeded shows.
          text.filter(4, 1).enter(hashes[0]!);
          const filter = text.filter(length, step);
          for (const at of entered) filter.enter(hashes[at % hashes.length]!);
          text.load(bytes);
          return [...filter.sample(bytes.length - length)];
        });
        assertEquals(places[0], places[1]);
        const wanted = entered.map((at) => hashes[at % hashes.length]!);
        for (let at = 0; at < hashes.length; at += step) {
          if (wanted.includes(hashes[at]!)) assert(places[0]!.includes(at), `${at}`);
        }
      },
    ),
    { numRuns: 60 },
  );
});

function enterAll(filter: BlockFilter, hashes: Int32Array): number {
  let grown = 0;
  for (const [count, hash] of hashes.entries()) {
    if (filter.isFull) {
      filter.grow(hashes.subarray(0, count));
      grown++;
    }
    filter.enter(hash);
  }
  return grown;
}

Deno.test("BlockFilter.grow loses nothing, and lets little else pass", () => {
  const random = crypto.getRandomValues(new Uint8Array(60_000));
  const [known, other] = [random.subarray(0, 30_000), random.subarray(30_000, 30_000 + MAX_TEXT)];
  for (const length of [4, 8] as const) {
    const text = compiled();
    const filter = text.filter(length, 1);
    assert(enterAll(filter, hashesOf(known, length)) >= 2);
    text.load(known.subarray(0, MAX_TEXT));
    const last = MAX_TEXT - length;
    assertEquals(filter.sample(last).length, last + 1);
    text.load(other);
    assert(filter.sample(last).length < last / 20, `${filter.sample(last).length}`);
  }
});
