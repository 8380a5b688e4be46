import { assertEquals, assertMatch } from "@std/assert";
import { durationMs, problemOfDuration } from "../../src/policy/duration.ts";
import { problemOfEnv, problemOfEnvName, runsCode } from "../../src/policy/env_entry.ts";
import { problemOfPattern, problemOfRuleName } from "../../src/policy/redact_entry.ts";
import { canonicalRun, parseRun, problemOfRun } from "../../src/policy/run_entry.ts";
import { VARIABLES } from "./fixture.ts";

Deno.test("durationMs() reads seconds and units", () => {
  const table: readonly { in: number | string; want: number | null }[] = [
    { in: 120, want: 120_000 },
    { in: 0.5, want: 500 },
    { in: 0, want: 0 },
    { in: "120", want: 120_000 },
    { in: "120s", want: 120_000 },
    { in: "2m", want: 120_000 },
    { in: "500ms", want: 500 },
    { in: "1.5h", want: 5_400_000 },
    { in: "none", want: 0 },
    { in: -1, want: null },
    { in: "-1s", want: null },
    { in: "", want: null },
    { in: "1d", want: null },
    { in: "1 s", want: null },
    { in: "1e3", want: null },
    { in: Infinity, want: null },
    { in: NaN, want: null },
    { in: 1e9, want: null },
    { in: "9".repeat(100_000), want: null },
  ];
  for (const { in: value, want } of table) {
    assertEquals(durationMs(value), want, String(value).slice(0, 20));
  }
});

Deno.test("problemOfDuration() accepts none only where there can be no limit", () => {
  assertEquals(problemOfDuration("none", true), null);
  assertMatch(problemOfDuration("none", false) ?? "", /accepted are seconds/);
  assertMatch(problemOfDuration(-5, true) ?? "", /Cannot use -5 as a duration.*no limit/);
});

Deno.test("problemOfEnv() accepts names and prefixes", () => {
  for (const entry of ["PATH", "LC_*", "_", "npm_config_x"]) {
    assertEquals(problemOfEnv(entry), null, entry);
  }
  for (
    const entry of [
      "",
      "*",
      "$HOME",
      "A=b",
      "A-B",
      "1A",
      "A*B",
      "*_TOKEN",
      "A B",
      "A\0",
      "A\n",
      "A?",
    ]
  ) {
    assertMatch(problemOfEnv(entry) ?? `accepted ${entry}`, /^Cannot use the variable/, entry);
  }
  assertMatch(problemOfEnvName("LC_*") ?? "", /^Cannot set/);
});

Deno.test("runsCode() knows the variables that run or load code", () => {
  for (
    const name of [
      "LD_PRELOAD",
      "LD_AUDIT",
      "DYLD_INSERT_LIBRARIES",
      "NODE_OPTIONS",
      "BASH_ENV",
      "ENV",
      "PROMPT_COMMAND",
      "PERL5OPT",
      "PYTHONSTARTUP",
      "GIT_SSH_COMMAND",
      "GIT_CONFIG_KEY_0",
      "BASH_FUNC_ls%%",
    ]
  ) {
    assertEquals(runsCode(name), true, name);
  }
  for (const name of ["PATH", "HOME", "GIT_AUTHOR_NAME", "NODE_ENV", "LDFLAGS"]) {
    assertEquals(runsCode(name), false, name);
  }
});

Deno.test("problemOfRun() accepts a program and leading words", () => {
  for (
    const entry of [
      "git",
      "git push",
      "git  push\t--force*",
      "npm run *",
      "/usr/bin/git status",
      "$WORKSPACE/gradlew",
      "python3*",
      "mkfs.*",
    ]
  ) {
    assertEquals(problemOfRun(entry), null, entry);
  }
  const table: readonly { in: string; want: RegExp }[] = [
    { in: "", want: /empty/ },
    { in: "  ", want: /empty/ },
    { in: "*", want: /"run": true/ },
    { in: "git commit -m 'x'", want: /quotes/ },
    { in: "a | b", want: /operators/ },
    { in: "a\nb", want: /control character/ },
    { in: "a\0", want: /control character/ },
    { in: "./configure", want: /absolute path/ },
    { in: "bin/x", want: /absolute path/ },
    { in: "/usr/bin/*", want: /wildcards/ },
    { in: "$PWD/x", want: /no variable/ },
    { in: "ls $HOME", want: /program only/ },
  ];
  for (const { in: entry, want } of table) {
    assertMatch(problemOfRun(entry) ?? `accepted ${entry}`, want);
  }
});

Deno.test("parseRun() undoes canonicalRun(), blanks in the workspace's path included", () => {
  const variables = { ...VARIABLES, WORKSPACE: "/my work\\x" };
  assertEquals(parseRun(canonicalRun("$WORKSPACE/run it *", variables)), {
    program: "/my work\\x/run",
    words: ["it"],
  });
  assertEquals(parseRun(canonicalRun(" git\t push   --force* ", variables)), {
    program: "git",
    words: ["push", "--force*"],
  });
  assertEquals(canonicalRun("/usr//bin/../bin/git", variables), "/usr/bin/git");
});

Deno.test("problemOfPattern() refuses what does not compile or matches everywhere", () => {
  for (const pattern of ["acme-[a-z0-9]{8}", "[\\p{L}--[a-z]]x", "a|b"]) {
    assertEquals(problemOfPattern(pattern), null, pattern);
  }
  assertMatch(problemOfPattern("(") ?? "", /^Cannot compile the pattern "\(": \S/);
  assertMatch(problemOfPattern("a*") ?? "", /empty string/);
  assertMatch(problemOfPattern("") ?? "", /empty string/);
  assertMatch(problemOfPattern("a".repeat(5000)) ?? "", /at most 4096/);
});

Deno.test("problemOfRuleName() accepts kebab-case", () => {
  for (const name of ["a", "build-token", "v2-key"]) {
    assertEquals(problemOfRuleName(name), null, name);
  }
  for (const name of ["", "Build", "a_b", "a--b", "-a", "a-", "2a", "a\n", "x".repeat(65)]) {
    assertMatch(problemOfRuleName(name) ?? `accepted ${name}`, /kebab-case/, name);
  }
});
