import { assertEquals } from "@std/assert";
import { type InputLine, inputLines } from "../../../src/cli/serve/input_lines.ts";

const encoder = new TextEncoder();
const line = (text: string): InputLine => ({ kind: "line", text });

/** Lines of bytes that arrive in pieces, in one buffer that is used again. */
async function linesOf(bytes: Uint8Array, piece: number): Promise<readonly InputLine[]> {
  async function* chunks() {
    const buffer = new Uint8Array(piece);
    for (let at = 0; at < bytes.length; at += piece) {
      const part = bytes.subarray(at, at + piece);
      buffer.set(part);
      yield await Promise.resolve(buffer.subarray(0, part.length));
    }
  }
  return await Array.fromAsync(inputLines(chunks(), { maxBytes: 8 }));
}

const CASES: readonly { in: Uint8Array; want: readonly InputLine[] }[] = [
  { in: encoder.encode(""), want: [] },
  { in: encoder.encode("a\nb\n"), want: [line("a"), line("b")] },
  { in: encoder.encode("\n\na\n\n"), want: [line("a")] },
  { in: encoder.encode("a\nlast"), want: [line("a"), line("last")] },
  { in: encoder.encode("äöü€\n"), want: [{ kind: "too-long", bytes: 9 }] },
  { in: encoder.encode("äöü\r\n"), want: [line("äöü\r")] },
  {
    in: encoder.encode("12345678\n123456789\nx\n"),
    want: [
      line("12345678"),
      { kind: "too-long", bytes: 9 },
      line("x"),
    ],
  },
  {
    in: new Uint8Array([0xff, 0x0a, 0x61, 0x0a, 0xc3]),
    want: [
      { kind: "not-utf-8" },
      line("a"),
      { kind: "not-utf-8" },
    ],
  },
];

Deno.test("inputLines() gives the same lines however the bytes were cut", async () => {
  for (const { in: bytes, want } of CASES) {
    for (const piece of [1, 2, 3, 64]) assertEquals(await linesOf(bytes, piece), want);
  }
});
