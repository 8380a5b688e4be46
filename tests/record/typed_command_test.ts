import { assertEquals } from "@std/assert";
import { typedText, typedWords } from "../../src/record/typed_command.ts";

Deno.test("typedText() keeps words where the text is nothing but words, else the text", () => {
  const cases: readonly {
    readonly in: readonly [string, readonly string[] | null];
    readonly want: readonly string[];
  }[] = [
    { in: ["deno test", ["deno", "test"]], want: ["deno", "test"] },
    { in: ["  deno\ttest \n", ["deno", "test"]], want: ["deno", "test"] },
    { in: ["pytest -k 'a b'", ["pytest", "-k", "a b"]], want: ["pytest -k 'a b'"] },
    { in: ["echo a\\ b", ["echo", "a b"]], want: ["echo a\\ b"] },
    { in: ["'deno test'", ["deno test"]], want: ["'deno test'"] },
    { in: ["echo ''", ["echo", ""]], want: ["echo ''"] },
    { in: ["cd x && npm test\n", null], want: ["cd x && npm test"] },
    { in: ["cat <<E\na\nE\n", null], want: ["cat <<E\na\nE"] },
    { in: ["", null], want: [""] },
  ];
  for (const { in: [source, words], want } of cases) {
    assertEquals(typedText(source, words), want);
  }
});

Deno.test("typedWords() keeps words that need no quotes, else one element as a user types it", () => {
  const cases: readonly { readonly in: readonly string[]; readonly want: readonly string[] }[] = [
    { in: ["deno", "test"], want: ["deno", "test"] },
    { in: ["make", "CC=gcc"], want: ["make", "CC=gcc"] },
    { in: ["test", "-f", "x"], want: ["test", "-f", "x"] },
    { in: ["pytest", "-k", "a b"], want: ["pytest -k 'a b'"] },
    { in: ["deno test"], want: ["'deno test'"] },
    { in: ["echo", "$HOME"], want: ["echo '$HOME'"] },
    { in: ["echo", ""], want: ["echo ''"] },
    { in: ["echo", "a\0b"], want: ["echo", "a\0b"] },
    { in: [], want: [] },
  ];
  for (const { in: argv, want } of cases) assertEquals(typedWords(argv), want);
});
