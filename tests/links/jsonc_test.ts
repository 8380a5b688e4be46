import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { parse } from "@std/jsonc";
import { parse as parseOfSubpath } from "@std/jsonc/parse";
import fc from "fast-check";

const VALID: { in: string; want: unknown }[] = [
  { in: "null", want: null },
  { in: " true ", want: true },
  { in: "-9", want: -9 },
  { in: "1.2E+3 // comment", want: 1200 },
  { in: '"aaa"//comment', want: "aaa" },
  { in: '["aaa"//comment\n,"aaa"]', want: ["aaa", "aaa"] },
  { in: '["aaa"//comment\r,"aaa"]', want: ["aaa", "aaa"] },
  { in: '"aaa"/*comment\ncomment*/', want: "aaa" },
  { in: '"aaa/*comment*/"', want: "aaa/*comment*/" },
  { in: "0//", want: 0 },
  { in: '{"a":0}', want: { a: 0 } },
  { in: '{"a": /*x*/ 1, /*y*/}', want: { a: 1 } },
  { in: "[0,]", want: [0] },
  { in: "[ [],  [ [] ]]", want: [[], [[]]] },
  { in: '{"a": 0, "a": 1}', want: { a: 1 } },
  { in: '"\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u00DC"', want: '" \\ / \b \f \n \r \t \u00dc' },
  { in: '["foo\\"", "bar"]', want: ['foo"', "bar"] },
];

const INVALID: { in: string; want: string }[] = [
  { in: "", want: "Cannot parse JSONC: unexpected end of JSONC input" },
  { in: "  // x", want: "Cannot parse JSONC: unexpected end of JSONC input" },
  { in: "[", want: "Cannot parse JSONC: unexpected end of JSONC input" },
  { in: '{"a":', want: "Cannot parse JSONC: unexpected end of JSONC input" },
  { in: '"aaa"/*', want: "Cannot parse JSONC: unexpected end of JSONC input" },
  { in: ":::::", want: 'Cannot parse JSONC: unexpected token ":" in JSONC at position 0' },
  { in: "[]100", want: 'Cannot parse JSONC: unexpected token "100" in JSONC at position 2' },
  { in: "}", want: 'Cannot parse JSONC: unexpected token "}" in JSONC at position 0' },
  { in: "]", want: 'Cannot parse JSONC: unexpected token "]" in JSONC at position 0' },
  { in: ",", want: 'Cannot parse JSONC: unexpected token "," in JSONC at position 0' },
  { in: "{,}", want: 'Cannot parse JSONC: unexpected token "," in JSONC at position 1' },
  { in: "[,]", want: 'Cannot parse JSONC: unexpected token "," in JSONC at position 1' },
  { in: "1,1", want: 'Cannot parse JSONC: unexpected token "," in JSONC at position 1' },
  { in: "[ 1 2 ]", want: 'Cannot parse JSONC: unexpected token "2" in JSONC at position 4' },
  { in: "{ 8: 9 }", want: 'Cannot parse JSONC: unexpected token "8" in JSONC at position 2' },
  { in: '{"a":0:}', want: 'Cannot parse JSONC: unexpected token ":" in JSONC at position 6' },
  { in: "{'a':0}", want: "Cannot parse JSONC: unexpected token \"'a'\" in JSONC at position 1" },
  { in: "[01]", want: 'Cannot parse JSONC: unexpected token "01" in JSONC at position 1' },
  { in: "[1.]", want: 'Cannot parse JSONC: unexpected token "1." in JSONC at position 1' },
  { in: "[NaN]", want: 'Cannot parse JSONC: unexpected token "NaN" in JSONC at position 1' },
  { in: '"a\tb"', want: 'Cannot parse JSONC: unexpected token ""a\tb"" in JSONC at position 0' },
  { in: '["\\q"]', want: 'Cannot parse JSONC: unexpected token ""\\q"" in JSONC at position 1' },
  { in: '"open', want: 'Cannot parse JSONC: unexpected token ""open" in JSONC at position 0' },
  {
    in: `[${"a".repeat(65)}]`,
    want: `Cannot parse JSONC: unexpected token "${"a".repeat(30)}..." in JSONC at position 1`,
  },
];

Deno.test("parse() reads JSON with comments and trailing commas", () => {
  for (const { in: text, want } of VALID) assertEquals(parse(text), want, text);
});

Deno.test("parse() names the first unexpected token and its position", () => {
  for (const { in: text, want } of INVALID) {
    const error = assertThrows(() => parse(text), SyntaxError, undefined, text);
    assertEquals(error.message, want, text);
  }
});

Deno.test("parse() makes an ordinary key of __proto__", () => {
  const value = parse('{"__proto__": {"isAdmin": true}}') as Record<string, unknown>;
  assertStrictEquals(Object.getPrototypeOf(value), Object.prototype);
  assertEquals(Object.keys(value), ["__proto__"]);
  assertEquals(value.isAdmin, undefined);
});

Deno.test("parse() agrees with JSON.parse() on every JSON text", () => {
  fc.assert(fc.property(fc.json(), (text) => assertEquals(parse(text), JSON.parse(text))));
});

Deno.test("parse() accepts no text without comments that JSON.parse() rejects", () => {
  const text = fc.string({
    unit: fc.constantFrom(...'{}[]:"\\u0aeE+-.1 \n\t', "true", "null", '"k"'),
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, (json) => {
      if (accepts(parse, json)) assertEquals(parse(json), JSON.parse(json));
      else assertEquals(accepts(JSON.parse, json), false, json);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("@std/jsonc/parse exports the parse() of @std/jsonc", () => {
  assertStrictEquals(parseOfSubpath, parse);
});

function accepts(read: (text: string) => unknown, text: string): boolean {
  try {
    read(text);
    return true;
  } catch {
    return false;
  }
}
