import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseScript } from "../../src/command/parse.ts";
import { quoteArgv, quoteWord } from "../../src/command/quote.ts";
import { bashOutput } from "./bash.ts";

const argument = fc.string({ unit: "grapheme", maxLength: 20 }).filter((word) =>
  !word.includes("\0")
);

/** What bash passes to a program that prints its arguments, each ended by a NUL. */
function printed(words: string): string[] {
  const output = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true }).decode(
    bashOutput(`printf '%s\\0' ${words}`),
  );
  return output.split("\0").slice(0, -1);
}

Deno.test("quoteWord leaves a word alone when nothing in it is special", () => {
  for (const word of ["ls", "-la", "src/a.ts", "user@host:path", "a,b", "50%", "+x", "v1.2-3_4"]) {
    assertEquals(quoteWord(word), word);
  }
});

Deno.test("quoteWord quotes every other word once", () => {
  const table = [
    { in: "", want: "''" },
    { in: "a b", want: "'a b'" },
    { in: "it's", want: `'it'\\''s'` },
    { in: "$x", want: "'$x'" },
    { in: "~", want: "'~'" },
    { in: "a=b", want: "'a=b'" },
    { in: "a\nb", want: "'a\nb'" },
    { in: "é", want: "'é'" },
    { in: "{a,b}", want: "'{a,b}'" },
    { in: "#", want: "'#'" },
    { in: "!", want: "'!'" },
  ];
  for (const { in: word, want } of table) assertEquals(quoteWord(word), want);
});

Deno.test("quoteWord refuses what no argument can hold", () => {
  assertThrows(() => quoteWord("a\0b"), TypeError, "NUL");
  assertThrows(() => quoteWord("\ud800"), TypeError, "surrogate");
});

Deno.test("quoteWord survives bash for every character of one byte, alone and in a word", () => {
  const characters = Array.from({ length: 127 }, (_, at) => String.fromCharCode(at + 1));
  const words = characters.flatMap((
    character,
  ) => [character, `a${character}b`, `${character}${character}`]);
  assertEquals(printed(words.map(quoteWord).join(" ")), words);
});

Deno.test("quoteWord survives bash for every byte from 128 to 255, as part of a character", () => {
  const words = [];
  for (let code = 0x80; code < 0x900; code++) words.push(String.fromCodePoint(code));
  words.push("日本語", "🦕", "a\u0301", "\u200b", "\ufeff", "\u202e", "\u00a0");
  assertEquals(printed(words.map(quoteWord).join(" ")), words);
});

Deno.test("quoteWord survives bash for any words", () => {
  const lists = fc.sample(fc.array(argument, { minLength: 1, maxLength: 8 }), {
    numRuns: 200,
    seed: 7,
  });
  const words = lists.flat();
  assertEquals(printed(words.map(quoteWord).join(" ")), words);
});

Deno.test("quoteArgv gives a script whose plain argument vector is the same", () => {
  const name = fc.constantFrom("git", "/bin/ls", "my tool", "ünï", "./x'y");
  fc.assert(
    fc.property(name, fc.array(argument, { maxLength: 6 }), (program, args) => {
      const argv = [program, ...args];
      const result = parseScript(quoteArgv(argv));
      assertEquals(result.kind, "script");
      if (result.kind !== "script") return;
      // deno-lint-ignore no-control-regex
      const odd = argv.some((word) => /[!\x01-\x08\x0b-\x1f\x7f]/.test(word));
      assertEquals(result.script.plain, odd ? null : argv);
      assertEquals(result.script.programs.map((found) => [found.name, ...found.args]), [argv]);
    }),
    { numRuns: 500 },
  );
});

Deno.test("quoteArgv keeps a name from being a reserved word", () => {
  for (const name of ["if", "for", "time", "coproc", "function", "{", "!", "[["]) {
    const result = parseScript(quoteArgv([name, "x"]));
    assertEquals(result.kind === "script" ? result.script.programs[0]?.name : result, name);
  }
});
