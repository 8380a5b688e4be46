import { assertEquals, assertMatch, assertObjectMatch, assertThrows } from "@std/assert";
import { PolicyError, UsageError } from "../../src/errors.ts";
import { DEFAULT_LIMITS } from "../../src/policy/limits.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { errorOf, PolicyDirectory, policyOf } from "./fixture.ts";

function patterns(policy: Policy, permission: "read" | "write" | "net" | "env" | "run") {
  return {
    allow: policy[permission].allow.map((rule) => rule.pattern),
    deny: policy[permission].deny.map((rule) => rule.pattern),
  };
}

Deno.test("a policy without anything grants nothing and has the default bounds", () => {
  const policy = policyOf("{}");
  for (const name of ["read", "write", "net", "env", "run"] as const) {
    assertEquals(patterns(policy, name), { allow: [], deny: [] });
  }
  assertEquals(policy.enforcement, "required");
  assertEquals(policy.limits, DEFAULT_LIMITS);
  assertEquals(policy.output, {
    maxChars: 8000,
    maxLines: 200,
    maxTokens: 4000,
    spoolBytes: 67_108_864,
  });
  assertEquals(policy.environment, {});
  assertEquals(policy.redact, { rules: [], env: [], values: [], allow: [] });
});

Deno.test("every form of a permission becomes rules in canonical form", () => {
  const policy = policyOf({
    read: ["$WORKSPACE/", "/usr//lib"],
    write: { allow: true, deny: ["~/.ssh", "/etc/*.key"] },
    net: { allow: ["Example.COM:443"], deny: true },
    env: { allow: ["LC_*"], set: { PAGER: "cat" } },
    run: true,
  }, { trustPolicy: true });
  assertEquals(patterns(policy, "read"), { allow: ["/work/project", "/usr/lib"], deny: [] });
  assertEquals(patterns(policy, "write"), {
    allow: ["/"],
    deny: ["/home/user/.ssh", "/etc/*.key"],
  });
  assertEquals(patterns(policy, "net"), { allow: ["example.com:443"], deny: ["*"] });
  assertEquals(patterns(policy, "env"), { allow: ["LC_*"], deny: [] });
  assertEquals(patterns(policy, "run"), { allow: ["*"], deny: [] });
  assertEquals(policy.environment, { PAGER: "cat" });
});

Deno.test("every rule has the place and the words of its entry", () => {
  using directory = new PolicyDirectory({
    "p.jsonc": '{\n"read": {\n"allow": [\n"$HOME",\n"/b" ],\n"deny": ["~/.ssh"] },\n"run": true }',
  });
  const file = `${directory.path}/p.jsonc`;
  const { read, run, net } = directory.load("p.jsonc");
  assertEquals(read.source, { file, line: 2, keyPath: "read" });
  assertEquals(read.allow[1], {
    permission: "read",
    effect: "allow",
    pattern: "/b",
    written: "/b",
    source: { file, line: 5, keyPath: "read.allow[1]" },
  });
  assertEquals(read.deny[0]?.source, { file, line: 6, keyPath: "read.deny[0]" });
  assertEquals(run.allow[0]?.source, { file, line: 7, keyPath: "run" });
  assertEquals(run.allow[0]?.written, "true");
  assertEquals(net.source, { file, line: 1, keyPath: "net" });
});

Deno.test("lists add, true grants everything, false drops allows, denies stay", () => {
  const base = '{ "read": { "allow": ["/a"], "deny": ["/d"] }, "run": ["git"], "net": ["x:1"] }';
  const table: readonly { in: string; allow: string[]; deny: string[] }[] = [
    { in: '"net": false', allow: ["/a"], deny: ["/d"] },
    { in: '"read": ["/b"]', allow: ["/a", "/b"], deny: ["/d"] },
    { in: '"read": { "allow": ["/b", "/a"] }', allow: ["/a", "/b"], deny: ["/d"] },
    { in: '"read": true', allow: ["/a", "/"], deny: ["/d"] },
    { in: '"read": false', allow: [], deny: ["/d"] },
    { in: '"read": { "allow": false, "deny": ["/e"] }', allow: [], deny: ["/d", "/e"] },
    { in: '"read": { "deny": false }', allow: ["/a"], deny: ["/d"] },
    { in: '"read": { "deny": [] }', allow: ["/a"], deny: ["/d"] },
    { in: '"read": { "deny": true }', allow: ["/a"], deny: ["/d", "/"] },
    { in: '"read": []', allow: ["/a"], deny: ["/d"] },
  ];
  for (const { in: child, allow, deny } of table) {
    using directory = new PolicyDirectory({
      "base.jsonc": base,
      "p.jsonc": `{ "extends": "./base.jsonc", ${child} }`,
    });
    assertEquals(patterns(directory.load("p.jsonc"), "read"), { allow, deny }, child);
  }
});

Deno.test("single values of a later file replace those of an earlier one", () => {
  using directory = new PolicyDirectory({
    "base.jsonc": JSON.stringify({
      description: "base",
      enforcement: "best-effort",
      limits: { timeout: "1m", grace: 2 },
      output: { maxChars: 500 },
      env: { set: { A: "1", B: "1", C: "1" } },
      redact: {
        env: ["X"],
        rules: [{ name: "one", pattern: "1+1" }],
        values: ["./a"],
        allow: ["s1"],
      },
    }),
    "p.jsonc": JSON.stringify({
      extends: "./base.jsonc",
      limits: { timeout: 0 },
      output: { maxLines: 10 },
      env: { set: { B: "2" }, deny: ["C"] },
      redact: {
        env: ["X", "Y"],
        rules: [{ name: "two", pattern: "2+2" }],
        values: ["./b"],
        allow: ["s2"],
      },
    }),
  });
  const policy = directory.load("p.jsonc");
  assertEquals(policy.description, "");
  assertEquals(policy.enforcement, "best-effort");
  assertObjectMatch(policy.limits, { timeoutMs: 0, graceMs: 2000 });
  assertEquals(policy.output, {
    maxChars: 500,
    maxLines: 10,
    maxTokens: 4000,
    spoolBytes: 67_108_864,
  });
  assertEquals(policy.environment, { A: "1", B: "2" });
  assertEquals(policy.redact.env, ["X", "Y"]);
  assertEquals(policy.redact.rules.map((rule) => rule.name), ["one", "two"]);
  const files = policy.redact.values.map(({ pattern, source }) => [pattern, source.line]);
  assertEquals(files, [[`${directory.path}/a`, 1], [`${directory.path}/b`, 1]]);
  assertEquals(policy.redact.allow, ["s1", "s2"]);
  assertEquals(policy.files, [`${directory.path}/base.jsonc`, `${directory.path}/p.jsonc`]);
});

Deno.test("a redaction rule cannot be replaced by one of the same name", () => {
  using directory = new PolicyDirectory({
    "base.jsonc": '{ "redact": { "rules": [{ "name": "one", "pattern": "secret" }] } }',
    "p.jsonc":
      '{ "extends": "./base.jsonc",\n"redact": { "rules": [{ "name": "one", "pattern": "x" }] } }',
  });
  assertThrows(
    () => directory.load("p.jsonc"),
    PolicyError,
    ':2: redact.rules[0].name: Cannot use the rule name "one"',
  );
});

Deno.test("extends finds files relative to the extending file, through links and with a common base once", () => {
  using directory = new PolicyDirectory({
    "team/base.jsonc": '{ "run": ["git"], "net": false }',
    "team/a.jsonc": '{ "extends": "./base.jsonc", "net": ["a:1"], "read": ["./data"] }',
    "b.jsonc": '{ "extends": "./team/base.jsonc", "run": ["deno"] }',
    "mine/p.jsonc": '{ "extends": ["../link.jsonc", "../b.jsonc"] }',
  });
  Deno.symlinkSync("team/a.jsonc", `${directory.path}/link.jsonc`);
  const policy = directory.load("mine/p.jsonc");
  assertEquals(patterns(policy, "run").allow, ["git", "deno"]);
  assertEquals(patterns(policy, "net").allow, ["a:1"]);
  assertEquals(patterns(policy, "read").allow, [`${directory.path}/team/data`]);
  assertEquals(policy.files.map((file) => file.slice(directory.path.length + 1)), [
    "team/base.jsonc",
    "team/a.jsonc",
    "b.jsonc",
    "mine/p.jsonc",
  ]);
});

Deno.test("extends refuses cycles, long chains, unknown names and missing files, each with its place", () => {
  const chain = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`c${i}.jsonc`, `{ "extends": "./c${i + 1}.jsonc" }`]),
  );
  using directory = new PolicyDirectory({
    "self.jsonc": '{ "extends": "./self.jsonc" }',
    "a.jsonc": '{\n"extends": [\n"./b.jsonc"] }',
    "b.jsonc": '{\n"extends": "./a.jsonc" }',
    "missing.jsonc": '{\n"extends": "./none.jsonc" }',
    "word.jsonc": '{\n"extends": "defualt" }',
    "relative.jsonc": '{ "extends": "other.jsonc" }',
    "invalid.jsonc": '{ "extends": "./broken.jsonc" }',
    "broken.jsonc": '{\n\n"raed": 1 }',
    ...chain,
    "c12.jsonc": "{}",
  });
  const table: readonly { in: string; want: RegExp }[] = [
    {
      in: "self.jsonc",
      want: /self\.jsonc:1: extends: Cannot extend ".*self\.jsonc": it extends itself/,
    },
    {
      in: "a.jsonc",
      want:
        /b\.jsonc:2: extends: Cannot extend ".*a\.jsonc": it extends itself: .*a\.jsonc -> .*b\.jsonc -> .*a\.jsonc/,
    },
    {
      in: "missing.jsonc",
      want: /missing\.jsonc:2: extends: Cannot extend ".*none\.jsonc": it does not exist/,
    },
    {
      in: "word.jsonc",
      want:
        /word\.jsonc:2: extends: Cannot extend "defualt": did you mean "default"; accepted are default, readonly/,
    },
    { in: "relative.jsonc", want: /a path beginning with "\.\/"/ },
    { in: "invalid.jsonc", want: /broken\.jsonc:3: raed: / },
    { in: "c0.jsonc", want: /more than 8 files extend each other/ },
  ];
  for (const { in: name, want } of table) {
    const error = assertThrows(() => directory.load(name), PolicyError);
    assertMatch(error.message, want);
  }
});

Deno.test("extends refuses policies of too many files", () => {
  const files = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`f${i}.jsonc`, "{}"]));
  using directory = new PolicyDirectory({
    ...files,
    "p.jsonc": JSON.stringify({ extends: Object.keys(files).map((name) => `./${name}`) }),
  });
  assertThrows(() => directory.load("p.jsonc"), UsageError, "more than 64 files");
});

Deno.test("a path entry of a later file is relative to that file", () => {
  assertMatch(
    errorOf({ read: ["data"] }),
    /^F:1: read\[0\]: Cannot use the path "data": it is relative/,
  );
});

Deno.test("mergeLayers() adds up what is protected and what is not, with the place of each", () => {
  const { protect } = policyOf({
    extends: "default",
    protect: { add: ["$WORKSPACE/ci"], except: ["$WORKSPACE/.vscode"] },
  });
  assertEquals(protect.add.map(({ pattern, written }) => [pattern, written]), [
    ["/work/project/ci", "$WORKSPACE/ci"],
  ]);
  assertEquals(protect.except.map(({ pattern }) => pattern), ["/work/project/.vscode"]);
  assertEquals(policyOf({ protect: ["./x"] }).protect.add[0]?.source.keyPath, "protect[0]");
  assertEquals(policyOf({}).protect, { add: [], except: [] });
});

Deno.test("run.exec accumulates, is relative to its file, and is dropped with the list", () => {
  using directory = new PolicyDirectory({
    "base.jsonc": '{ "run": { "allow": ["git"], "exec": ["./tools"] } }',
    "more.jsonc": '{ "extends": "./base.jsonc",\n"run": { "exec": ["$WORKSPACE/bin"] } }',
    "anew.jsonc": '{ "extends": "./more.jsonc", "run": { "allow": false, "exec": ["/opt"] } }',
    "none.jsonc": '{ "extends": "./more.jsonc", "run": false }',
  });
  const exec = (name: string) => directory.load(name).executable.map(({ pattern }) => pattern);
  assertEquals(exec("more.jsonc"), [`${directory.path}/tools`, "/work/project/bin"]);
  assertEquals(directory.load("more.jsonc").executable[1]?.source.line, 2);
  assertEquals(exec("anew.jsonc"), ["/opt"]);
  assertEquals(exec("none.jsonc"), []);
  assertMatch(errorOf({ run: { exec: ["bin"] } }), /it is relative/);
  assertMatch(errorOf({ run: { exec: ["/opt/*"] } }), /wildcards are accepted in "deny" only/);
});
