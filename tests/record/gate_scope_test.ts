import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../src/errors.ts";
import { changedPaths, forbiddenPattern, scopeFindings } from "../../src/record/gate_scope.ts";
import { sample } from "./sample.ts";

Deno.test("changedPaths() takes lines, or paths ended by NUL", () => {
  const cases = [
    { in: "", want: [] },
    { in: "a\nb c\n", want: ["a", "b c"] },
    { in: "a\r\nb\r\n", want: ["a", "b"] },
    { in: "a\0b\nc\0", want: ["a", "b\nc"] },
    { in: '"quoted"\0', want: ['"quoted"'] },
  ];
  for (const { in: list, want } of cases) assertEquals(changedPaths(list), want);
  assertThrows(() => changedPaths('a\n".github/\\303\\244"\n'), UsageError, "with -z");
});

Deno.test("forbiddenPattern() accepts wildcards in the last component only", () => {
  assertEquals(forbiddenPattern(".github", "/w"), "/w/.github");
  assertEquals(forbiddenPattern("a/../b/*.lock", "/w"), "/w/b/*.lock");
  assertEquals(forbiddenPattern("/etc/", "/w"), "/etc");
  assertThrows(() => forbiddenPattern("*/a", "/w"), UsageError, "only its last component");
});

Deno.test("scopeFindings() blocks on what was changed or restored, and warns of refused writes", () => {
  const denial = {
    permission: "write",
    by: "sandbox",
    rule: "",
    at: "",
    accepted: "",
  } as const;
  const record = {
    ...sample(),
    prev: null,
    changed: ["/w/.github/x", "/other"],
    denials: [
      { ...denial, resource: "/w/.github/y" },
      { ...denial, resource: "/w/src" },
      { ...denial, permission: "read" as const, resource: "/w/.github/z" },
    ],
  };
  const scope = {
    patterns: ["/w/.github", "/w/*.lock"],
    changed: [
      ".github",
      ".github/a/b",
      "src/.github",
      "x.lock",
      "src/x.lock",
      "/w/y.lock",
      "./a/../.github/c",
    ],
    directory: "/w",
  };
  const found = scopeFindings([record], scope).map(({ level, message, command_id }) =>
    [level, message.split(" ")[0], command_id].join(" ")
  );
  assertEquals(found, [
    "error .github ",
    "error .github/a/b ",
    "error x.lock ",
    "error /w/y.lock ",
    "error ./a/../.github/c ",
    "error /w/.github/x c1f7abcd",
    "warning /w/.github/y c1f7abcd",
  ]);
  assertEquals(scopeFindings([record], { ...scope, patterns: [] }), []);
});
