import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseScript } from "../../src/command/parse.ts";
import { bashOutput } from "./bash.ts";

function plain(source: string, shadowed?: ReadonlySet<string>): readonly string[] | null {
  const result = parseScript(source, { shadowed });
  assert(result.kind === "script", JSON.stringify(result));
  return result.script.plain;
}

/** The words that bash makes of the arguments of a script whose name is `args`. */
function replay(scripts: readonly string[]): string[][] {
  const source = "args() { [ $# -eq 0 ] || printf '%s\\0' \"$@\"; printf '\\x01\\0'; }\n" +
    scripts.join("\n");
  const lists: string[][] = [];
  let list: string[] = [];
  for (const word of new TextDecoder().decode(bashOutput(source)).split("\0").slice(0, -1)) {
    if (word === "\x01") {
      lists.push(list);
      list = [];
    } else list.push(word);
  }
  return lists;
}

const QUOTING: readonly string[] = [
  "args",
  "args a b",
  "args   a\t b  ",
  "args 'a b' \"c d\"",
  "args 'a'\"b\"c",
  "args '' \"\" x''",
  "args a\\ b \\\\ \\' \\\" \\$x \\`",
  'args "a\\"b" "a\\\\b" "\\$x" "\\`x\\`" "a\\nb" "\\a\\ "',
  "args 'a\\b' 'a\"b' \"a'b\" '$x' '`x`'",
  "args 'it'\\''s'",
  "args $'a\\tb' $'it\\'s' $'\\x41\\101' $'a\\\\b' $'\\e[0m' $'\\\"'",
  "args a\\\nb \"c\\\nd\" 'e\\\nf'",
  "args 'multi\nline' \"multi\nline\"",
  "args -x --long=value -o=1 a=b",
  "args a#b '#' \\# x\\#",
  "args {} {x} a{b}c '{a,b}'",
  "args HEAD~1 a~",
  "args \\~ '~' \"~\"",
  'args foo$ "foo$" \'x\'$ "$ " a$.b',
  "args [ '[a]' \"*\" '?' \\*",
  "args @ % + , : . / - _ ^ = ]",
  "args é 日本語 '🦕' \"ü\"",
  "args if then fi done esac in do",
  "args } x}",
  "args a;",
  "args a # comment",
  "# before\nargs a",
  "args \"a\tb\" 'tab\there'",
  "args 1 2 3",
  'args "\\x" \\x \\\\x',
  "args '\\' \\'\\'",
  "args $'' a$'b'c",
  "args 'a'\\\n'b'",
  "args https://example.org/a?b=c".replace("?", "%3F"),
  "args --author='A B <a@b.c>'",
];

Deno.test("parseScript reads literal words as bash does", () => {
  const want = replay(QUOTING);
  for (const [at, source] of QUOTING.entries()) {
    assertEquals(plain(source)?.slice(1), want[at], source);
  }
});

Deno.test("parseScript never reads a literal word otherwise than bash, whatever its pieces", () => {
  const piece = fc.constantFrom(
    "a",
    "B",
    "0",
    "'",
    '"',
    "\\",
    "$",
    "$'",
    "~",
    "{",
    "}",
    ",",
    "..",
    "#",
    "=",
    ":",
    "-",
    "[",
    "]",
    "*",
    "?",
    "^",
    "%",
    "@",
    "+",
    "/",
    ".",
    " ",
    "\\n",
    "\\x41",
    "\\101",
    "\\'",
    '\\"',
    "\\\n",
    "é",
    "'a b'",
    '"c d"',
    "!",
    "$x",
  );
  const sources = fc.sample(fc.array(piece, { minLength: 1, maxLength: 9 }), {
    numRuns: 6000,
    seed: 11,
  })
    .map((pieces) => `args ${pieces.join("")}`)
    .filter((source) => {
      const result = parseScript(source);
      return result.kind === "script" && result.script.plain !== null;
    });
  assert(sources.length > 300, `${sources.length} literal words`);
  const want = replay(sources);
  for (const [at, source] of sources.entries()) {
    assertEquals(plain(source)?.slice(1), want[at], JSON.stringify(source));
  }
});

Deno.test("parseScript gives no plain arguments when a shell is needed", () => {
  const table = [
    "ls *.c",
    "ls ?",
    "ls [a]",
    "ls ~",
    "ls ~/x",
    "ls a=~",
    "ls $x",
    "ls ${x}",
    'ls "$x"',
    "ls $(x)",
    "ls `x`",
    "ls {a,b}",
    "ls {1..3}",
    "ls > f",
    "ls < f",
    "ls 2>&1",
    "ls <<E\nE",
    "ls <<< x",
    "ls &",
    "! ls",
    "time ls",
    "ls; ls",
    "ls | cat",
    "ls && ls",
    "ls\nls",
    "A=1 ls",
    "A=1",
    "",
    "# x",
    "(ls)",
    "{ ls; }",
    "if ls; then ls; fi",
    "f() { ls; }",
    "coproc ls",
    "[[ a ]]",
    "((1))",
    "ls <(x)",
    "cd x",
    "echo a",
    "[ a ]",
    "test a",
    "true",
    ":",
    ". x",
    "eval x",
    "'if' x",
    "\\time x",
    "'' x",
    "%1",
    "ls a!b",
    "ls \\",
    "a=b\\ c",
    "$'\\xff' x",
    "ls $'\\u00e9'",
    'ls $"x"',
    "ls\r",
    "ls a\x01b",
    "ls @(a)",
    "'a=b' x",
  ];
  for (const source of table) assertEquals(plain(source), null, JSON.stringify(source));
});

Deno.test("parseScript gives no plain arguments for a name that the session shadows", () => {
  assertEquals(plain("ll -a"), ["ll", "-a"]);
  assertEquals(plain("ll -a", new Set(["ll"])), null);
});
