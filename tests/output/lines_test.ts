import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { lineText } from "../../src/output/line_text.ts";
import {
  countNewlines,
  LineBuffer,
  LONG_LINE,
  MAX_APPEND,
  RING_BYTES,
} from "../../src/output/lines.ts";
import { bytesOf, textOf } from "./redact_helpers.ts";

function fill(buffer: LineBuffer, text: string, size = MAX_APPEND): void {
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += size) buffer.append(bytes.subarray(at, at + size));
}

Deno.test("LineBuffer counts and reads lines backwards, however they arrive", () => {
  const text = Array.from({ length: 30_000 }, (_, i) => `line ${i + 1}\n`).join("") + "open";
  for (const size of [1000, 32_768, 7]) {
    const buffer = new LineBuffer();
    fill(buffer, text, size);
    assertEquals({ lines: buffer.lines, newlines: buffer.newlines }, {
      lines: 30_001,
      newlines: 30_000,
    });
    let line = buffer.lineBefore(null);
    let read = 0;
    for (; line !== null; line = buffer.lineBefore(line)) {
      const bytes = buffer.bytesOf(line);
      if (bytes === null || bytes.kind !== "whole") break;
      assertEquals(textOf(bytes.bytes), line.number === 30_001 ? "open" : `line ${line.number}`);
      read++;
    }
    assertEquals(read > RING_BYTES / 12 - 2, true);
  }
});

Deno.test("LineBuffer knows beginning, end and length of a line that is longer than its ring", () => {
  for (const ended of ["", "\n", "\nnext\n"]) {
    const buffer = new LineBuffer();
    fill(buffer, "before\n" + "BEGIN" + "x".repeat(3 * RING_BYTES) + "END" + ended, 10_000);
    let line = buffer.lineBefore(null);
    if (ended === "\nnext\n" && line !== null) line = buffer.lineBefore(line);
    const bytes = line && buffer.bytesOf(line);
    assertEquals(bytes?.kind, "long");
    if (bytes?.kind !== "long") continue;
    assertEquals(bytes.length, 3 * RING_BYTES + 8);
    assertEquals(textOf(bytes.head.subarray(0, 6)), "BEGINx");
    assertEquals(textOf(bytes.tail.subarray(-4)), "xEND");
    assertEquals(bytes.tail.length, LONG_LINE);
  }
});

Deno.test("lineText cuts a long line in its middle, with an exact count and whole characters", () => {
  const cases = [
    { in: "short", want: "short", cut: 0 },
    {
      in: "a".repeat(100),
      want: "a".repeat(10) + "...truncated 80 bytes..." + "a".repeat(10),
      cut: 80,
    },
    {
      in: "\u00e4".repeat(65),
      want: "\u00e4".repeat(5) + "...truncated 110 bytes..." + "\u00e4".repeat(5),
      cut: 110,
    },
    {
      in: "\u65e5".repeat(100),
      want: "\u65e5".repeat(3) + "...truncated 282 bytes..." + "\u65e5".repeat(3),
      cut: 282,
    },
    { in: "\x1b[31m".repeat(50) + "x", want: "x", cut: 0 },
    { in: "x".repeat(200) + "\r\x1b[Kdone", want: "done", cut: 0 },
  ];
  for (const { in: line, want, cut } of cases) {
    assertEquals(
      lineText({ kind: "whole", bytes: bytesOf(line) }, { chars: 60, redact: (text) => text }),
      {
        text: want,
        cut,
      },
    );
  }
});

Deno.test("lineText shows the last state of a progress display, however long it is", () => {
  const tail = bytesOf("45%\r46%\r47%");
  const line = { kind: "long", head: bytesOf("1%\r2%"), tail, length: 1_000_000 } as const;
  assertEquals(lineText(line, { chars: 60, redact: (text) => text }), { text: "47%", cut: 0 });
});

Deno.test("countNewlines counts newlines, wherever the bytes begin and whatever else they are", () => {
  assertEquals(["", "a", "\n", "a\nb\n"].map((text) => countNewlines(bytesOf(text))), [0, 0, 1, 2]);
  const byte = fc.oneof(
    fc.constant(0x0a),
    fc.constantFrom(0x0b, 0x8a, 0x09, 0x00, 0xff),
    fc.nat(255),
  );
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 3000 }), fc.nat(7), (values, skip) => {
      const bytes = Uint8Array.from([...new Array(skip).fill(0x0a), ...values]).subarray(skip);
      assertEquals(countNewlines(bytes), values.filter((value) => value === 0x0a).length);
    }),
  );
  assertEquals(countNewlines(new Uint8Array(5000).fill(0x0a)), 5000);
});
