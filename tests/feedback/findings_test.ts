import { assert, assertEquals } from "@std/assert";
import { findings, findingTexts } from "../../src/feedback/findings.ts";
import { fixtures, observedFixture } from "./fixture.ts";
import { observed } from "./observed.ts";

/** By command, of what the tools really printed. */
const TABLE: readonly { in: string; want: readonly string[] }[] = [
  { in: "python3 -m pytest -q tests/test_ok.py", want: ["tests: 1 passed"] },
  {
    in: "pytest tests/test_bad.py",
    want: [
      "tests: 1 failed, 1 passed",
      "first: tests/test_bad.py::test_add - assert 2 == 3 (tests/test_bad.py:4)",
    ],
  },
  {
    in: "pytest -q tests/test_error.py",
    want: [
      "tests: 1 error",
      "first: tests/test_error.py::test_x - RuntimeError: no database (tests/test_error.py:5)",
    ],
  },
  {
    in: "python3 -m unittest unit_bad",
    want: ["tests: failures=1", "first: test_one (/work/project/unit_bad.py:5)"],
  },
  { in: "python3 -m unittest unit_ok", want: ["tests: 1 ran"] },
  { in: "gcc -o bad bad.c", want: ["first: expected expression before ‘;’ token (bad.c:2)"] },
  { in: "gcc -o link link.c", want: ["first: undefined reference to `other'"] },
  { in: "clang -o bad bad.c", want: ["errors: 2", "first: expected expression (bad.c:2)"] },
  { in: "make", want: ["first: expected expression before ‘;’ token (bad.c:2)"] },
  { in: "make fails", want: ["first: Makefile:9: fails"] },
  {
    in: "cargo build --offline --bin bad",
    want: ["errors: 1", "first: mismatched types (src/bad.rs:1)"],
  },
  {
    in: "cargo test --offline --bin good",
    want: ["tests: 1 passed; 1 failed", "first: it_fails (src/good.rs:7)"],
  },
  { in: "cargo test --offline --bin good it_works", want: ["tests: 1 passed; 0 failed"] },
  { in: "rustc src/bad.rs", want: ["errors: 1", "first: mismatched types (src/bad.rs:1)"] },
  { in: "go test ./bad", want: ["first: TestBad (bad_test.go:6)"] },
  { in: "go test -v ./bad", want: ["first: TestBad (bad_test.go:6)"] },
  { in: "go build .", want: ["first: x declared but not used (main.go:4)"] },
  {
    in: "node --test test/",
    want: ["tests: 1 failed, 1 passed", "first: fails here (/work/project/test/a.test.mjs:4)"],
  },
  { in: "node --test test/ | tail -n 8", want: ["tests: 1 failed, 1 passed"] },
  {
    in: "npm test",
    want: ["tests: 1 failed, 2 passed", "first: fails here (/work/project/test/a.test.mjs:4)"],
  },
  {
    in: "tsc -p .",
    want: ["first: TS2322: Type 'string' is not assignable to type 'number'. (bad.ts:1)"],
  },
  {
    in: "eslint lint.js",
    want: [
      "errors: 2 errors, 0 warnings",
      "first: 'unused' is assigned a value but never used  no-unused-vars",
    ],
  },
  { in: "vitest run t/ok.test.js", want: ["tests: 1 passed"] },
  {
    in: "vitest run t/bad.test.js",
    want: ["tests: 1 failed | 1 passed", "first: t/bad.test.js > is equal (t/bad.test.js:4)"],
  },
  { in: "jest t/ok.test.js", want: ["tests: 1 passed"] },
  {
    in: "jest t/bad.test.js",
    want: ["tests: 1 failed", "first: math › is equal (t/bad.test.js:3)"],
  },
  {
    in: "deno check type.ts",
    want: [
      "first: TS2322 [ERROR]: Type 'string' is not assignable to type 'number'. (/work/project/type.ts:1)",
    ],
  },
  {
    in: "deno test bad_test.ts",
    want: ["tests: 1 passed | 1 failed", "first: fails (bad_test.ts:2)"],
  },
  { in: "deno test ok_test.ts", want: ["tests: 1 passed | 0 failed"] },
  {
    in: "deno lint lint.ts",
    want: ["errors: 2", "first: `var` keyword is not allowed. (/work/project/lint.ts:1)"],
  },
  { in: "cat a.txt", want: [] },
  { in: "grep -rn beta .", want: [] },
];

const RECORDED = new Map(
  [...fixtures().values()].flat().filter(({ recorded }) => recorded.startsWith("ran "))
    .map((one) => [one.argv.join(" "), one] as const).toReversed(),
);

for (const { in: command, want } of TABLE) {
  Deno.test(`findings of ${command}`, () => {
    const fixture = RECORDED.get(command);
    assert(fixture);
    assertEquals(findingTexts(findings(observedFixture(fixture))), want);
  });
}

Deno.test("findings are none of output that a program only passes on", () => {
  const out = "Tests:       2 failed, 5 passed, 7 total\n";
  assertEquals(findings(observed({ programs: ["cat log"], out })), null);
  assertEquals(findings(observed({ programs: ["npm test"], out }))?.counts, "2 failed, 5 passed");
});

Deno.test("findings leave out places in files of tools", () => {
  const err = "    at run (/work/node_modules/x/index.js:7:1)\n    at f (src/a.js:3:5)\n";
  const found = findings(observed({
    programs: ["jest"],
    ending: { exitCode: 1 },
    out: "Tests:       1 failed, 1 total\n  \u25cf sums\n",
    err,
  }));
  assertEquals(found?.place, { file: "src/a.js", line: 3 });
});

Deno.test("findings stay small on hostile lines", () => {
  const line = (start: string) => `${start}${"a:1:1 ".repeat(100_000)}`;
  for (
    const start of ["FAILED ", "  \u25cf ", "   at ", "error[", "Tests: 1 failed ", "thread 'x"]
  ) {
    const facts = observed({ programs: ["x"], ending: { exitCode: 1 }, out: line(start) });
    for (const text of findingTexts(findings(facts))) assert(text.length < 600, text);
  }
});
