import { assertEquals } from "@std/assert";
import { scriptOf, show } from "./show.ts";

Deno.test("parseScript gives each program its place in the text", () => {
  const source = "x=1\nsudo -n rm 'a b' | wc -l # c";
  const found = scriptOf(source).programs.map((program) => [
    show(program),
    source.slice(program.span.start, program.span.end),
    program.text,
  ]);
  assertEquals(found, [
    ["sudo -n rm a b", "sudo -n rm 'a b'", "sudo -n rm 'a b'"],
    ["sudo>rm a b", "rm 'a b'", "rm 'a b'"],
    ["wc -l", "wc -l", "wc -l"],
  ]);
  const nested = "x `a \\`b\\`` y";
  for (const { span } of scriptOf(nested).programs) {
    assertEquals(span.start >= 0 && span.end <= nested.length && span.start < span.end, true);
  }
});

Deno.test("parseScript lists assignments with their reach", () => {
  const { assignments } = scriptOf(
    "A=1; B+=2 c; D=$x; E=(1 2); export F='g h'; env H=i j; read K; for L in m; do :; done; printf -v N o; : ${P:=q}",
  );
  assertEquals(
    assignments.map(({ name, value, append, scope }) =>
      `${name}${append ? "+" : ""}=${value}:${scope}`
    ),
    [
      "A=1:script",
      "B+=2:command",
      "D=null:script",
      "E=null:script",
      "F=g h:script",
      "H=i:command",
      "K=null:script",
      "L=null:script",
      "N=null:script",
      "P=q:script",
    ],
  );
});

Deno.test("parseScript lists redirections of every command", () => {
  const { redirections } = scriptOf(
    "a > b 2>&1; { c; } >> 'd e' < $f; while g; do h; done <<< i; j <<E &> k\nE\n",
  );
  assertEquals(
    redirections.map(({ fd, operator, target }) => `${fd ?? ""}${operator}${target}`),
    [">b", "2>&1", ">>d e", "<null", "<<<i", "<<null", "&>k"],
  );
});

Deno.test("parseScript lists the functions that a script defines", () => {
  const { functions } = scriptOf("f() { a; }; (g() ( b ))");
  assertEquals(functions.map(({ name, text }) => [name, text]), [["f", "f() { a; }"], [
    "g",
    "g() ( b )",
  ]]);
});
