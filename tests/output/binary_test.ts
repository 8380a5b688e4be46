import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { BinaryProbe, PROBE_BYTES, typeOfBytes } from "../../src/output/binary.ts";
import { bytesOf, concat } from "./redact_helpers.ts";

function judge(bytes: Uint8Array, cuts: readonly number[] = []): string {
  const probe = new BinaryProbe();
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    probe.feed(bytes.subarray(from, to));
    from = to;
  }
  probe.finish();
  return probe.state;
}

Deno.test("BinaryProbe tells text from binary", () => {
  const cases = [
    { in: new Uint8Array(0), want: "text" },
    { in: bytesOf("plain\n".repeat(100)), want: "text" },
    { in: bytesOf("\u00e4\u00f6\u00fc \u65e5\u672c\n".repeat(100)), want: "text" },
    { in: bytesOf("./some/path/name\0".repeat(100)), want: "text" },
    { in: bytesOf("\x1b[31mred\x1b[0m\r\n".repeat(100)), want: "text" },
    { in: new Uint8Array(100), want: "binary" },
    { in: Uint8Array.from({ length: 4000 }, (_, i) => (i * 7919) & 0xff), want: "binary" },
    { in: concat([bytesOf("text\n".repeat(2000)), new Uint8Array(9000)]), want: "text" },
    { in: concat([bytesOf("header\n"), new Uint8Array(PROBE_BYTES)]), want: "binary" },
  ];
  for (const { in: bytes, want } of cases) assertEquals(judge(bytes), want);
});

Deno.test("BinaryProbe judges the same bytes the same way, however they arrive", () => {
  const byte = fc.oneof(fc.constant(0), fc.constant(10), fc.nat(255), fc.constant(97));
  fc.assert(
    fc.property(
      fc.array(byte, { maxLength: 200 }),
      fc.array(fc.nat(200), { maxLength: 4 }),
      (list, points) => {
        const bytes = Uint8Array.from(list);
        const cuts = points.map((point) => Math.min(point, bytes.length)).sort((a, b) => a - b);
        assertEquals(judge(bytes, cuts), judge(bytes));
      },
    ),
  );
});

Deno.test("typeOfBytes names common formats", () => {
  const cases = [
    { in: [0x7f, 0x45, 0x4c, 0x46, 2], want: "ELF executable" },
    { in: [0x1f, 0x8b, 8, 0], want: "gzip" },
    { in: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], want: "PNG image" },
    { in: [1, 2, 3], want: "data" },
  ];
  for (const { in: bytes, want } of cases) assertEquals(typeOfBytes(Uint8Array.from(bytes)), want);
});
