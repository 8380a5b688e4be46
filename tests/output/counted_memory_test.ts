import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { countedMemory } from "../../src/output/counted_memory.ts";
import { countNewlines, LineBuffer, MAX_APPEND, RING_BYTES } from "../../src/output/lines.ts";

Deno.test("countedMemory counts what countNewlines counts, from every byte to every other", () => {
  const memory = countedMemory(RING_BYTES);
  assert(memory !== null, "the module cannot be made here");
  const byte = fc.constantFrom(0x0a, 0x0a, 0x0b, 0x8a, 0x2a, 0xff, 0);
  fc.assert(
    fc.property(
      fc.array(byte, { minLength: 1, maxLength: 200 }),
      fc.nat(RING_BYTES),
      fc.nat(9000),
      (pattern, from, length) => {
        for (let i = 0; i < 9000; i++) {
          memory.bytes[(from + i) % RING_BYTES] = pattern[i % pattern.length] as number;
        }
        const to = Math.min(RING_BYTES, from + length);
        assertEquals(memory.count(from, to), countNewlines(memory.bytes.subarray(from, to)));
      },
    ),
    { numRuns: 300 },
  );
  memory.bytes.fill(0x0a);
  assertEquals(memory.count(0, RING_BYTES), RING_BYTES);
  for (let from = 0; from < 40; from++) {
    for (let to = from; to < 80; to++) assertEquals(memory.count(from, to), to - from);
  }
});

/** Lines of a text of 4 MB by their numbers, in pieces of a size. */
function facts(size: number): string[] {
  const buffer = new LineBuffer();
  const bytes = new TextEncoder().encode(
    Array.from({ length: 300_000 }, (_, i) => `${"ab".repeat(i % 9)}${i}\n`).join(""),
  );
  const seen: string[] = [];
  let next = 500_000;
  for (let at = 0; at < bytes.length; at += size) {
    buffer.append(bytes.subarray(at, at + size));
    if (buffer.offset < next || 500_000 % size !== 0) continue;
    next += 500_000;
    seen.push(`${buffer.offset} ${buffer.newlines} ${buffer.lineStart}`);
  }
  let line = buffer.lineBefore(null);
  for (let i = 0; i < 5000 && line !== null; i++, line = buffer.lineBefore(line)) {
    const text = new TextDecoder().decode(buffer.read(line.start, line.end));
    assertEquals(text.replace(/^(ab)*/, ""), String(line.number - 1));
  }
  return [...seen, `${buffer.offset} ${buffer.newlines} ${buffer.lineStart}`];
}

Deno.test("LineBuffer counts the same when its ring has moved, and where it cannot", () => {
  const moved = facts(20_000);
  assert(moved.length > 5);
  assertEquals(facts(1250), moved);
  assertEquals(facts(MAX_APPEND).at(-1), moved.at(-1));
  const { Module } = WebAssembly;
  try {
    Object.defineProperty(WebAssembly, "Module", {
      configurable: true,
      writable: true,
      value: class {
        constructor() {
          throw new WebAssembly.CompileError("no vectors here");
        }
      },
    });
    assertEquals(countedMemory(RING_BYTES), null);
    assertEquals(facts(20_000), moved);
  } finally {
    Object.defineProperty(WebAssembly, "Module", {
      configurable: true,
      writable: true,
      value: Module,
    });
  }
});
