import { assertEquals } from "@std/assert";
import { nearest } from "../../src/policy/nearest.ts";

Deno.test("nearest() names the word that a typo was meant to be", () => {
  const known = ["read", "write", "net", "env", "run", "enforcement", "limits"];
  const table: readonly { in: string; want: string | null }[] = [
    { in: "raed", want: "read" },
    { in: "Write", want: "write" },
    { in: "wirte", want: "write" },
    { in: "enforcment", want: "enforcement" },
    { in: "limit", want: "limits" },
    { in: "completely-else", want: null },
    { in: "x".repeat(100_000), want: null },
  ];
  for (const { in: word, want } of table) {
    assertEquals(nearest(word, known), want, word.slice(0, 20));
  }
});
