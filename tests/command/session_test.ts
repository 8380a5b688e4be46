import { assert, assertEquals } from "@std/assert";
import { collectPrograms } from "../../src/command/parse.ts";
import { bashOutput } from "./bash.ts";
import { programsOf, scriptOf, show } from "./show.ts";

const aliases = new Map([
  ["ll", "ls -l"],
  ["la", "ll -a"],
  ["s", "sudo "],
  ["both", "a; b"],
  ["loop", "pool"],
  ["pool", "loop x"],
  ["self", "self -v"],
  ["open", "echo '"],
  ["half", "if true; then"],
  ["doc", "cat <<E"],
  ["tail", "echo \\"],
  ["empty", ""],
  ["note", "a #"],
  ["out", "a >"],
]);
const functions = new Map([
  ["f", 'f () \n{ \n    a "$1";\n    g\n}'],
  ["g", "g () \n{ \n    b;\n    f\n}"],
  ["broken", "broken () {"],
]);

function withSession(source: string): string[] {
  return programsOf(source, { aliases, functions });
}

Deno.test("collectPrograms puts the text of aliases in their place", () => {
  const table = [
    { in: "ll x", want: ["ll>ls -l x"] },
    { in: "la x", want: ["la>ll>ls -l -a x"] },
    { in: "A=1 ll > f", want: ["ll>ls -l"] },
    { in: "both c", want: ["both>a", "both>b c"] },
    { in: "both | ll", want: ["both>a", "both>b", "ll>ls -l"] },
    { in: "s ll x", want: ["s>sudo ls -l x", "s>sudo>ls -l x"] },
    { in: "s rm x", want: ["s>sudo rm x", "s>sudo>rm x"] },
    { in: "loop", want: ["loop>pool>loop x"] },
    { in: "self", want: ["self>self -v"] },
    { in: "empty rm x", want: ["empty>rm x"] },
    { in: "note x", want: ["note>a"] },
    { in: "l\\\nl x", want: ["ll>ls -l x"] },
    { in: "x $(ll)", want: ["ll>ls -l", "x ?"] },
    { in: "if ll; then both; fi", want: ["ll>ls -l", "both>a", "both>b"] },
    { in: "ll <<E\n$(c)\nE\n", want: ["ll>ls -l", "c"] },
    { in: "x ll", want: ["x ll"] },
    { in: "\\ll; 'll'; $ll", want: ["ll", "ll", "?"] },
    { in: "env ll; sh -c ll", want: ["env ll", "env>ll", "sh -c ll", "sh>ll"] },
    { in: "eval ll", want: ["@eval ll", "eval>ll>ls -l"] },
  ];
  for (const { in: source, want } of table) assertEquals(withSession(source), want, source);
});

Deno.test("collectPrograms takes an alias that is no script by itself for unknown", () => {
  for (const source of ["open x", "half x", "doc", "tail x", "out f", "s open", "ll() { x; }"]) {
    const found = collectPrograms(scriptOf(source), { aliases });
    assert(found.some(({ name }) => name === null), `${source}: ${found.map(show)}`);
  }
});

Deno.test("collectPrograms keeps the name as well when the script may end the alias", () => {
  assertEquals(withSession("unalias ll; ll"), ["@unalias ll", "ll>ls -l", "ll"]);
  assertEquals(withSession("shopt -u expand_aliases\nll"), [
    "@shopt -u expand_aliases",
    "ll>ls -l",
    "ll",
  ]);
});

Deno.test("collectPrograms takes everything for unknown when an alias hides a reserved word", () => {
  const found = programsOf("for x in a; do b; done", { aliases: new Map([["do", "rm"]]) });
  assert(found.includes("alias>?"), found.join());
});

Deno.test("collectPrograms adds the bodies of functions that are called, once each", () => {
  const table = [
    { in: "f x", want: ["f>a ?", "f>g>b"] },
    { in: "f x; f y", want: ["f>a ?", "f>g>b"] },
    { in: "x; (g)", want: ["x", "g>b", "g>f>a ?"] },
    {
      in: "command f",
      want: [
        "@command f",
        "command>f",
        "command>f>a ?",
        "command>f>g",
        "command>f>g>b",
        "command>f>g>f",
      ],
    },
    { in: "unset -f f; f", want: ["@unset -f f", "f", "f>a ?", "f>g", "f>g>b", "f>g>f"] },
    { in: "env f", want: ["env f", "env>f"] },
    { in: "broken", want: ["broken>?"] },
    { in: "x f", want: ["x f"] },
  ];
  for (const { in: source, want } of table) assertEquals(withSession(source), want, source);
});

Deno.test("collectPrograms counts the function that bash calls for names it does not find", () => {
  const handler = new Map([[
    "command_not_found_handle",
    "command_not_found_handle () \n{ \n    rm x\n}",
  ]]);
  assertEquals(programsOf("a", { functions: handler }), ["a", "command_not_found_handle>rm x"]);
});

Deno.test("collectPrograms without a session gives what parseScript found", () => {
  const script = scriptOf("ll; f");
  assertEquals(collectPrograms(script, {}), script.programs);
});

Deno.test("collectPrograms names what bash runs for aliases", () => {
  const cwd = Deno.makeTempDirSync();
  try {
    const stub = (name: string) =>
      Deno.writeTextFileSync(`${cwd}/${name}`, `#!/bin/sh\necho ${name} >> '${cwd}/log'\n`, {
        mode: 0o755,
      });
    for (const name of ["p1", "p2", "p3"]) stub(name);
    const table = [
      { aliases: { x: "p1; p2" }, script: "x; p3" },
      { aliases: { x: "env ", y: "p1 a" }, script: "x y b" },
      { aliases: { x: "time", y: "p2" }, script: "x p1; y" },
      { aliases: { x: "", y: "x p3" }, script: "y" },
      { aliases: { x: "p1 #" }, script: "x; p2\np3" },
      { aliases: { x: "A=1" }, script: "x p1" },
      { aliases: { x: "p1 |" }, script: "x p2" },
      { aliases: { x: "!" }, script: "x p1" },
      { aliases: { x: "env ", y: "A=1 ", z: "p3" }, script: "x y z" },
      { aliases: { x: "p1\np2" }, script: "x a" },
      { aliases: { x: "{ p1; }" }, script: "x" },
      { aliases: { if: "p1" }, script: "if p2" },
    ];
    for (const { aliases: defined, script } of table) {
      Deno.writeTextFileSync(`${cwd}/log`, "");
      const definitions = Object.entries(defined).map(([name, value]) =>
        `alias ${name}='${value}'\n`
      ).join("");
      bashOutput(`shopt -s expand_aliases\n${definitions}${script}`, {
        env: { PATH: `${cwd}:/usr/bin:/bin` },
        cwd,
      });
      const ran = new Set(
        Deno.readTextFileSync(`${cwd}/log`).split("\n").filter((name) => name !== ""),
      );
      assert(ran.size > 0, `the control never started: ${script}`);
      const parsed = parse(script);
      if (parsed === null) continue;
      const names = new Set(
        collectPrograms(parsed, { aliases: new Map(Object.entries(defined)) }).map(({ name }) =>
          name
        ),
      );
      for (const name of ran) {
        assert(names.has(name) || names.has(null), `${script}: ${name} of ${[...ran]}`);
      }
    }
  } finally {
    Deno.removeSync(cwd, { recursive: true });
  }
});

// A script that only an alias makes valid is refused, which is safe too.
function parse(source: string) {
  try {
    return scriptOf(source);
  } catch {
    return null;
  }
}
