import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  columnsOf,
  cutTo,
  fitLine,
  fitTo,
  line,
  span,
  wrapTo,
} from "../../../src/cli/review/styled_line.ts";

Deno.test("columnsOf() counts what a terminal needs at most", () => {
  const cases = [
    { in: "", want: 0 },
    { in: "abc", want: 3 },
    { in: "日本", want: 4 },
    { in: "e\u0301", want: 1 },
    { in: "\u2764\ufe0f", want: 2 },
    // A family that terminals without joining show as three.
    { in: "\u{1f468}\u{1f469}\u{1f467}", want: 6 },
  ];
  for (const { in: text, want } of cases) assertEquals(columnsOf(text), want, text);
});

Deno.test("cutTo() marks what is missing and keeps signs whole", () => {
  const cases = [
    { in: ["abcdef", 6], want: "abcdef" },
    { in: ["abcdef", 5], want: "abcd…" },
    { in: ["日本語", 6], want: "日本語" },
    { in: ["日本語", 5], want: "日本…" },
    { in: ["日本語", 4], want: "日…" },
    { in: ["abc", 1], want: "…" },
    { in: ["abc", 0], want: "" },
  ] as const;
  for (const { in: [text, columns], want } of cases) assertEquals(cutTo(text, columns), want);
});

Deno.test("cutTo() bounds marks that stack on one column", () => {
  assert(cutTo("e" + "\u0301".repeat(10_000), 4).length < 100);
});

Deno.test("fitTo() and fitLine() fill and cut to exactly so many columns", () => {
  fc.assert(fc.property(
    fc.array(fc.string({ unit: fc.constantFrom("a", "日", "\u{1f600}", "\u0301", " ") })),
    fc.integer({ min: 0, max: 30 }),
    (texts, columns) => {
      const fitted = fitLine(line(texts.map((text) => span(text))), columns);
      assertEquals(fitted.spans.reduce((sum, { text }) => sum + columnsOf(text), 0), columns);
      assertEquals(columnsOf(fitTo(texts.join(""), columns)), columns);
    },
  ));
});

Deno.test("wrapTo() loses nothing and gives no piece that is too wide", () => {
  fc.assert(fc.property(
    fc.string({ unit: fc.constantFrom("a", "日", "\u{1f600}", "\u0301", " "), maxLength: 200 }),
    fc.integer({ min: 2, max: 30 }),
    (text, columns) => {
      const pieces = wrapTo(text, columns);
      assertEquals(pieces.join(""), text);
      assert(pieces.length > 0 && pieces.every((piece) => columnsOf(piece) <= columns));
    },
  ));
  assertEquals(wrapTo("", 10), [""]);
  assertEquals(wrapTo("abc", -5), ["ab", "c"]);
});
