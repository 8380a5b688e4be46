import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { VisibleView } from "../../src/output/visible_view.ts";
import { bytesOf, textOf } from "./redact_helpers.ts";

function visible(raw: string, final = true): string {
  const view = new VisibleView();
  view.build(bytesOf(raw), { from: 0, final });
  return textOf(view.bytes.subarray(0, view.length));
}

Deno.test("VisibleView.build leaves out what cannot be seen", () => {
  const cases = [
    { in: "plain", want: "plain" },
    { in: "a\x1b[31mb\x1b[0;1mc", want: "abc" },
    { in: "a\rb\r\n", want: "ab\n" },
    { in: "a\\\nb\\\r\nc", want: "abc" },
    { in: "a\\b", want: "a\\b" },
    { in: "a\0b", want: "ab" },
    { in: "A=1\0NAME=2\0", want: "A=1\0NAME=2\0" },
    { in: "a\0\0b", want: "a\0b" },
    { in: "t\x1b(Bu\x1b7v", want: "tuv" },
    // The payload of an operating system command stays: it can hold a link with a password.
    { in: "\x1b]8;;http://a:b@c\x07x", want: "8;;http://a:b@c\x07x" },
    { in: "\x1bghp", want: "ghp" },
    { in: `\x1b[${"1".repeat(100)}m`, want: `[${"1".repeat(100)}m` },
  ];
  for (const { in: raw, want } of cases) assertEquals(visible(raw), want, JSON.stringify(raw));
});

Deno.test("VisibleView.build waits for the rest of a sequence, and takes it as it is at the end", () => {
  for (const raw of ["a\x1b", "a\x1b[3", "a\\", "a\0", "a\0NAM", "a\x1b("]) {
    const view = new VisibleView();
    view.build(bytesOf(raw), { from: 0, final: false });
    assertEquals(
      { length: view.length, raw: view.rawLength },
      { length: 1, raw: 1 },
      JSON.stringify(raw),
    );
    view.build(bytesOf(raw), { from: 0, final: true });
    assertEquals(view.rawLength, raw.length);
  }
});

Deno.test("VisibleView.rawStart leads back to the byte that is visible there", () => {
  const raw = fc.array(
    fc.constantFrom("a", "b", "\r", "\x1b[1m", "\\\n", "\0", "\\", "\n", "\x1b"),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(raw, (parts) => {
      const bytes = bytesOf(parts.join(""));
      const view = new VisibleView();
      view.build(bytes, { from: 0, final: true });
      for (let i = 0; i < view.length; i++) {
        assertEquals(bytes[view.rawStart(i)], view.bytes[i]);
        const isGap = i === 0 ? view.rawStart(0) > 0 : view.rawStart(i) > view.rawStart(i - 1) + 1;
        assertEquals(view.gapBefore(i), isGap);
        assertEquals(view.rawEnd(i), i === 0 ? 0 : view.rawStart(i - 1) + 1);
      }
      assertEquals(view.rawLength, bytes.length);
    }),
  );
});

Deno.test("VisibleView.build bounds a run of invisible bytes", () => {
  const view = new VisibleView();
  view.build(bytesOf("\r".repeat(10_000)), { from: 0, final: false });
  assertEquals(view.length > 0, true);
});
