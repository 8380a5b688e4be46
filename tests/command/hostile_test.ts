import { assert, assertEquals } from "@std/assert";
import { collectPrograms, MAX_SCRIPT_LENGTH, parseScript } from "../../src/command/parse.ts";

/** Texts that exhaust a careless parser; each must be refused or read, without a crash and in bounded memory. */
const NESTED: Readonly<Record<string, string>> = {
  parentheses: "(".repeat(100_000),
  "closed parentheses": "( ".repeat(100_000) + "a" + " )".repeat(100_000),
  substitutions: "$(".repeat(10_000) + "a" + ")".repeat(10_000),
  "open substitutions": "$(".repeat(100_000),
  "quoted substitutions": '"$('.repeat(10_000) + "a" + ')"'.repeat(10_000),
  "process substitutions": "<(".repeat(100_000),
  braces: "{ ".repeat(100_000),
  expansions: "${a:-".repeat(10_000) + "}".repeat(10_000),
  arithmetic: "$((".repeat(10_000) + "1" + "))".repeat(10_000),
  "arithmetic groups": `echo $((${"(".repeat(50_000)}1${")".repeat(50_000)}))`,
  conditionals: "if a; then ".repeat(30_000) + "b;" + " fi;".repeat(30_000),
  functions: "f() { ".repeat(10_000),
  "functions without bodies": "f() ".repeat(100_000),
  coprocesses: "coproc ".repeat(100_000),
  loops: "while ".repeat(100_000),
  backticks: "`".repeat(100_001),
  "escaped backticks": "`\\`".repeat(30_000),
  subscripts: "a[b[c[".repeat(30_000) + "=1",
  tests: "[[ " + "( ".repeat(100_000),
  cases: "$(case x in ".repeat(10_000),
  redirections: ">$(".repeat(30_000),
  "extended globs": "@(".repeat(100_000),
  "arithmetic loops": "for ((;;)) { ".repeat(10_000),
  mixture: '"${a:-"$(`'.repeat(10_000),
};

/** Long texts without much structure. */
const LONG: Readonly<Record<string, string>> = {
  "a word": "a".repeat(1_000_000),
  "a quoted word": `"${"a".repeat(1_000_000)}"`,
  words: "a ".repeat(500_000),
  commands: "a;".repeat(300_000),
  pipes: "a|".repeat(100_000) + "a",
  backslashes: "\\".repeat(1_000_000),
  newlines: "\n".repeat(1_000_000),
  dollars: "$".repeat(1_000_000),
  braces: "{".repeat(500_000),
  "braces and commas": "{a,".repeat(100_000) + "}".repeat(100_000),
  brackets: "[".repeat(200_000),
  "here-documents": "cat <<A\n".repeat(100_000),
  negations: "! ".repeat(100_000) + "a",
  sum: `((${"1+".repeat(50_000)}1))`,
  assignments: "a=1 ".repeat(100_000),
  "wrapped programs": "sudo ".repeat(100_000),
  evals: "eval ".repeat(100_000),
};

Deno.test("parseScript refuses what is nested too deeply, and survives it", () => {
  for (const [name, source] of Object.entries(NESTED)) {
    const { kind } = parseScript(source);
    assert(kind !== "script", `${name}: ${kind}`);
  }
});

Deno.test("parseScript reads or refuses long texts", () => {
  for (const [name, source] of Object.entries(LONG)) {
    const result = parseScript(source);
    assert(
      ["script", "syntax-error"].includes(result.kind) || name === "braces",
      `${name}: ${result.kind}`,
    );
  }
  assertEquals(parseScript("a".repeat(1_000_000)).kind, "script");
});

Deno.test("parseScript accepts nesting that people write", () => {
  const depth = 20;
  for (
    const [open, close] of [["( ", " )"], ["{ ", "; }"], ["$(", ")"], ['"$(', ')"'], [
      "if a; then ",
      "; fi",
    ]]
  ) {
    assertEquals(
      parseScript(`${open!.repeat(depth)}a${close!.repeat(depth)}`).kind,
      "script",
      open,
    );
  }
});

Deno.test("parseScript refuses texts beyond its limits and texts that no shell could get", () => {
  const table = [
    { in: " ".repeat(MAX_SCRIPT_LENGTH + 1), want: /characters/ },
    { in: "echo a\0b", want: /NUL/ },
    { in: "echo \ud800", want: /surrogate/ },
  ];
  for (const { in: source, want } of table) {
    const result = parseScript(source);
    assert(
      result.kind === "syntax-error" && want.test(result.message),
      JSON.stringify(result).slice(0, 200),
    );
  }
});

Deno.test("parseScript lists a bounded number of programs, then one unknown", () => {
  const result = parseScript("a;".repeat(300_000));
  assert(result.kind === "script");
  assert(result.script.programs.length < 60_000);
  assertEquals(result.script.programs.at(-1)?.name, null);
});

Deno.test("collectPrograms bounds aliases that grow with each step", () => {
  const aliases = new Map<string, string>();
  for (let at = 0; at < 30; at++) aliases.set(`a${at}`, `a${at + 1} ; a${at + 1} ; a${at + 1}`);
  aliases.set("a30", "rm");
  const result = parseScript("a0");
  assert(result.kind === "script");
  const programs = collectPrograms(result.script, { aliases });
  assert(programs.length < 60_000);
  assert(programs.some(({ name }) => name === null));
});

Deno.test("collectPrograms bounds aliases that grow by their blanks", () => {
  const aliases = new Map([["b", `${"b ".repeat(1000)}`], ["c", "b "]]);
  const result = parseScript("c " + "b ".repeat(1000));
  assert(result.kind === "script");
  assert(collectPrograms(result.script, { aliases }).some(({ name }) => name === null));
});

Deno.test("parseScript bounds text that is evaluated again and again", () => {
  let source = "rm x";
  for (let at = 0; at < 7; at++) {
    const quoted = `'${source.replaceAll("'", "'\\''")}'`;
    source = `eval ${quoted} ';' ${quoted}`;
  }
  assert(source.length < MAX_SCRIPT_LENGTH, `${source.length}`);
  const result = parseScript(source);
  assert(result.kind === "script");
  assertEquals(result.script.programs.filter(({ name }) => name === "rm").length, 2 ** 7);
});

Deno.test("parseScript follows wrappers to a fixed depth and takes the rest for unknown", () => {
  const within = parseScript("sudo ".repeat(15) + "rm x");
  assert(within.kind === "script");
  assertEquals(within.script.programs.at(-1)?.name, "rm");
  const beyond = parseScript("sudo ".repeat(40) + "rm x");
  assert(beyond.kind === "script");
  assertEquals(beyond.script.programs.at(-1)?.name, null);
  assert(beyond.script.programs.length < 20);
});
