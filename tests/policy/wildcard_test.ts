import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { matchesWildcard } from "../../src/policy/wildcard.ts";

Deno.test("matchesWildcard() matches whole texts", () => {
  const table: readonly { in: [string, string]; single?: boolean; want: boolean }[] = [
    { in: ["", ""], want: true },
    { in: ["*", ""], want: true },
    { in: ["--force*", "--force-with-lease"], want: true },
    { in: ["--force*", "--forc"], want: false },
    { in: ["a*c", "abbc"], want: true },
    { in: ["a*c", "abbcd"], want: false },
    { in: ["*_key", "ssh_host_rsa_key"], want: true },
    { in: ["*_key", "ssh_host_rsa_key.pub"], want: false },
    { in: ["a.c", "abc"], want: false },
    { in: ["a?c", "abc"], single: true, want: true },
    { in: ["a?c", "ac"], single: true, want: false },
    { in: ["a?c", "abc"], want: false },
    { in: ["a?c", "a?c"], want: true },
  ];
  for (const { in: [pattern, text], single, want } of table) {
    assertEquals(
      matchesWildcard(pattern, text, { single: single ?? false }),
      want,
      `${pattern} ${text}`,
    );
  }
});

Deno.test("matchesWildcard() agrees with the regular expression of the same meaning", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "."), maxLength: 8 });
  fc.assert(fc.property(word, word, (pattern, text) => {
    const source = pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".");
    assertEquals(
      matchesWildcard(pattern, text, { single: true }),
      new RegExp(`^${source}$`).test(text),
    );
  }));
});

Deno.test("matchesWildcard() ends on a pattern that makes regular expressions backtrack", () => {
  assertEquals(matchesWildcard("*a".repeat(50) + "b", "a".repeat(4096)), false);
});
