import { assertEquals } from "@std/assert";
import { renderLine } from "../../src/output/screen.ts";

Deno.test("renderLine shows what a terminal would show", () => {
  const cases = [
    { in: "plain \u00e4", want: "plain \u00e4" },
    { in: "\x1b[31mred\x1b[0m", want: "red" },
    { in: "10%\r20%\r100%", want: "100%" },
    { in: "long text\rshort", want: "shorttext" },
    { in: "long text\r\x1b[Kshort", want: "short" },
    { in: "abc\r", want: "abc" },
    { in: "a\bb", want: "b" },
    { in: "a\0b", want: "a\ufffdb" },
    { in: "bell\x07", want: "bell" },
    { in: "\x1b]0;title\x07text", want: "text" },
    { in: "\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\", want: "link" },
    { in: "x\x1b[3Gy", want: "x y" },
    { in: "ab\x1b[1Dc", want: "ac" },
    { in: "\x1b[999999999Cx", want: " ".repeat(2000) + "x" },
    { in: "a\tb", want: "a\tb" },
    { in: "\u{1f600}\rx", want: "x" },
  ];
  for (const { in: line, want } of cases) {
    assertEquals(renderLine(line), want, JSON.stringify(line));
  }
});

Deno.test("renderLine keeps escape sequences for a terminal, but only the last state", () => {
  assertEquals(renderLine("old\r\x1b[32mnew\x1b[0m\r", { ansi: true }), "\x1b[32mnew\x1b[0m");
});
