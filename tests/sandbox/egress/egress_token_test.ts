import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { EGRESS_USER, EgressToken } from "../../../src/sandbox/egress/egress_token.ts";

const basic = (text: string) => `Basic ${btoa(text)}`;

Deno.test("EgressToken accepts itself in both protocols, and nothing near it", () => {
  const token = new EgressToken();
  const right = `${EGRESS_USER}:${token.text}`;
  assertMatch(token.text, /^[0-9a-f]{64}$/);
  assertNotEquals(token.text, new EgressToken().text);
  assertEquals([basic(right), `basic  ${btoa(right)}`].map((each) => token.acceptsBasic(each)), [
    true,
    true,
  ]);
  const wrong = [
    null,
    "",
    "Basic",
    "Basic ",
    `Bearer ${token.text}`,
    basic(token.text),
    basic(`${right}x`),
    basic(right.slice(0, -1)),
    basic(right.toUpperCase()),
    basic(`:${token.text}`),
    `${basic(right)}, ${basic(right)}`,
    `Basic ${right}`,
    "Basic !!!",
    `Basic ${"A".repeat(5000)}`,
  ];
  for (const value of wrong) assertEquals(token.acceptsBasic(value), false, String(value));
  const bytes = (text: string) => new TextEncoder().encode(text);
  const password = (user: string, word: string) => token.acceptsPassword(bytes(user), bytes(word));
  assertEquals(password(EGRESS_USER, token.text), true);
  assertEquals(password("", token.text), false);
  assertEquals(password(EGRESS_USER, ""), false);
});

Deno.test("EgressToken.acceptsBasic() takes any text", () => {
  const token = new EgressToken();
  const value = fc.oneof(fc.string(), fc.string().map((text) => `Basic ${text}`));
  fc.assert(fc.property(value, (text) => assertEquals(token.acceptsBasic(text), false)));
});
