import { assertEquals, assertThrows } from "@std/assert";
import { bind, type Bindings, exchangesOf, matches } from "./transcript.ts";

const HOME = "/tmp/x/home";

const CASES: { shown: string; actual: string; want: boolean }[] = [
  { shown: "a\n", actual: "a\n", want: true },
  { shown: "a\n", actual: "a\nb\n", want: false },
  { shown: "a.c\n", actual: "abc\n", want: false },
  { shown: "", actual: "", want: true },
  { shown: "", actual: "a\n", want: false },
  { shown: "a[...]c\n", actual: "a b c\n", want: true },
  { shown: "a[...]c\n", actual: "a\nc\n", want: false },
  { shown: "a\n[...]\nc\n", actual: "a\nb\nb\nc\n", want: true },
  { shown: "a\n[...]\nc\n", actual: "a\nc\n", want: true },
  { shown: "a\n[...]\nc\n", actual: "a\nb\n", want: false },
  { shown: "c6q0zt3f c6q0zt3f\n", actual: "c1111111 c1111111\n", want: true },
  { shown: "c6q0zt3f c6q0zt3f\n", actual: "c1111111 c2222222\n", want: false },
  { shown: "standard\n", actual: "c1111111\n", want: false },
  { shown: "--- debrief 321959950 x\n", actual: "--- debrief 893523596 x\n", want: true },
  { shown: "5b9f21ce\n", actual: "00000000\n", want: false },
  { shown: "ok, 18ms, 2\n", actual: "ok, 1.2s, 2\n", want: true },
  { shown: "--timeout 2s\n", actual: "--timeout 4s\n", want: false },
  { shown: "0    18ms  ls\n", actual: "0  1018ms  ls\n", want: true },
  { shown: "2026-11-21 23:50:19Z\n", actual: "2031-01-02 03:04:05Z\n", want: true },
  { shown: "(built-in:default:9)\n", actual: "(built-in:default:11)\n", want: true },
  { shown: "(built-in:default:9)\n", actual: "(built-in:ci:9)\n", want: false },
  { shown: "/home/you/project\n", actual: "/tmp/x/home/project\n", want: true },
  { shown: "/home/you/project\n", actual: "/home/you/project\n", want: false },
];

Deno.test("matches() compares exactly but for what differs from run to run", () => {
  for (const { shown, actual, want } of CASES) {
    const bindings: Bindings = new Map();
    assertEquals(matches(actual, { shown, home: HOME, bindings }), want, `${shown} / ${actual}`);
  }
});

Deno.test("matches() binds ids, bind() puts them into later commands", () => {
  const bindings: Bindings = new Map();
  assertEquals(matches("c1111111\n", { shown: "c6q0zt3f\n", home: HOME, bindings }), true);
  assertEquals(
    bind("debrief show c6q0zt3f | head -1", bindings),
    "debrief show c1111111 | head -1",
  );
  assertEquals(matches("c2222222\n", { shown: "c6q0zt3f\n", home: HOME, bindings }), false);
});

Deno.test("exchangesOf() takes commands, their continuations and their output apart", () => {
  assertEquals(exchangesOf("$ cat <<E\n> a\n> E\na\n$ true\n$ echo x\nx\n> y"), [
    { command: "cat <<E\na\nE", output: "a\n" },
    { command: "true", output: "" },
    { command: "echo x", output: "x\n> y\n" },
  ]);
  assertThrows(() => exchangesOf("x\n$ true"), Error, "no command before it");
});
