import { assertEquals } from "@std/assert";
import { checkRun, decideRun, type RunnableProgram } from "../../src/policy/check.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { policyOf } from "./fixture.ts";

/** A program from its words; `?` stands for a word that is known only at run time. */
function program(text: string): RunnableProgram {
  const [name = "", ...args] = text.split(" ").map((word) => word === "?" ? null : word);
  return { name, args, text };
}

function allows(policy: Policy, text: string): boolean {
  return checkRun([program(text)], policy).length === 0;
}

Deno.test("checkRun() allows by program and exactly the leading arguments", () => {
  const policy = policyOf({
    run: [
      "deno",
      "git status",
      "npm run *",
      "pip* install",
      "/opt/tool/bin/x check",
      "cmd * end",
      "a?c",
    ],
  });
  const table: readonly { in: string; want: boolean }[] = [
    { in: "deno", want: true },
    { in: "deno test -A", want: true },
    { in: "deno ? ?", want: true },
    { in: "/usr/bin/deno test", want: true },
    { in: "/usr/bin/../bin/deno", want: true },
    { in: "/tmp/deno test", want: false },
    { in: "./deno", want: false },
    { in: "bin/deno", want: false },
    { in: "../usr/bin/deno", want: false },
    { in: "denox", want: false },
    { in: "Deno", want: false },
    { in: "git status", want: true },
    { in: "git status --short", want: true },
    { in: "git -C x status", want: false },
    { in: "git ?", want: false },
    { in: "git ? status", want: false },
    { in: "git", want: false },
    { in: "git push status", want: false },
    { in: "npm run", want: true },
    { in: "npm run build --x", want: true },
    { in: "npm install", want: false },
    { in: "pip3 install x", want: true },
    { in: "pip3 download x", want: false },
    { in: "/opt/tool/bin/x check", want: true },
    { in: "/opt/tool/bin/x", want: false },
    { in: "x check", want: false },
    { in: "cmd any end", want: true },
    { in: "cmd end", want: false },
    { in: "cmd ? end", want: false },
    { in: "a?c", want: true },
    { in: "abc", want: false },
    { in: "", want: false },
    { in: "? x", want: false },
  ];
  for (const { in: text, want } of table) assertEquals(allows(policy, text), want, text);
});

Deno.test("checkRun() denies however the words are placed and the program is reached", () => {
  const policy = policyOf({
    run: {
      allow: true,
      deny: [
        "git push --force*",
        "git push -f",
        "rm -rf /",
        "/sbin/reboot",
        "mkfs.*",
        "cargo publish",
        "curl",
      ],
    },
  });
  const table: readonly { in: string; want: boolean }[] = [
    { in: "git push", want: true },
    { in: "git push --force", want: false },
    { in: "git push --force-with-lease x", want: false },
    { in: "git push origin main --force", want: false },
    { in: "git -C dir push --force", want: false },
    { in: "git -c a=b --no-pager push origin -f", want: false },
    { in: "/usr/local/bin/git push -f", want: false },
    { in: "./git push -f", want: false },
    { in: "git --force push", want: true },
    { in: "git log --force push", want: true },
    { in: "git commit -m push --force", want: true },
    { in: "git commit -m ?", want: true },
    { in: "git ?", want: false },
    { in: "git ? --force", want: false },
    { in: "git push ?", want: false },
    { in: "git push origin ?", want: false },
    { in: "git -C ? status", want: false },
    { in: "git status ?", want: true },
    { in: "rm -rf /", want: false },
    { in: "rm -v -rf x /", want: false },
    { in: "rm -rf /tmp/x", want: true },
    { in: "rm ?", want: false },
    { in: "rm x", want: true },
    { in: "/sbin/reboot", want: false },
    { in: "/sbin/../sbin/reboot now", want: false },
    { in: "reboot", want: false },
    { in: "./reboot", want: false },
    { in: "/opt/reboot", want: true },
    { in: "mkfs.ext4 /dev/sda", want: false },
    { in: "mkfs", want: true },
    { in: "cargo publish", want: false },
    { in: "cargo +nightly publish", want: false },
    { in: "cargo run publish", want: true },
    { in: "curl", want: false },
    { in: "curl ?", want: false },
    { in: "/any/where/curl x", want: false },
    { in: "curly", want: true },
  ];
  for (const { in: text, want } of table) assertEquals(allows(policy, text), want, text);
});

Deno.test("checkRun() treats a program that is known only at run time by what run grants", () => {
  const dynamic: RunnableProgram = { name: null, args: ["x"], text: "$cmd x" };
  const table: readonly { in: unknown; want: number }[] = [
    { in: true, want: 0 },
    { in: { allow: true, deny: ["git push"] }, want: 0 },
    { in: ["git"], want: 1 },
    { in: false, want: 1 },
    { in: { allow: true, deny: true }, want: 1 },
  ];
  for (const { in: run, want } of table) {
    assertEquals(checkRun([dynamic], policyOf({ run })).length, want, JSON.stringify(run));
  }
});

Deno.test("checkRun() lets builtins pass under a list unless they are denied", () => {
  const echo = { ...program("echo hi"), builtin: true };
  assertEquals(checkRun([echo], policyOf({ run: ["git"] })), []);
  assertEquals(checkRun([echo], policyOf({ run: false })), []);
  assertEquals(checkRun([program("echo hi")], policyOf({ run: ["git"] })).length, 1);
  assertEquals(checkRun([echo], policyOf({ run: { allow: ["git"], deny: ["echo"] } })).length, 1);
  assertEquals(checkRun([echo], policyOf({ run: { deny: true } })).length, 1);
});

Deno.test("checkRun() says what was denied, by which rule of which line, and what is accepted", () => {
  const policy = policyOf(
    '{\n"run": {\n"allow": ["git", "npm test"],\n"deny": ["git push --force*"] } }',
  );
  const denials = checkRun([
    program("git push -v --force"),
    program("curl x"),
    program("curl x"),
    program("git push ?"),
    { name: null, args: [], text: "$x" },
  ], policy)
    .map((denial) => ({ ...denial, at: denial.at.replace(/^.*\//, "") }));
  const common = { permission: "run", by: "policy", accepted: "run: git, npm test" } as const;
  assertEquals(denials, [
    {
      ...common,
      resource: "git push -v --force",
      rule: 'run.deny "git push --force*"',
      at: "p.jsonc:4",
    },
    { ...common, resource: "curl x", rule: "no run rule allows it", at: "p.jsonc:2" },
    {
      ...common,
      resource: "git push ?",
      rule:
        'run.deny "git push --force*" (an argument that is known only when the script runs could match)',
      at: "p.jsonc:4",
    },
    {
      ...common,
      resource: "$x",
      rule: "no run rule allows it (the program is known only when the script runs)",
      at: "p.jsonc:2",
    },
  ]);
});

Deno.test("checkRun() of hostile scripts stays small and quick", () => {
  const policy = policyOf({ run: { allow: ["git"], deny: ["x " + "*a".repeat(200) + "b"] } });
  const long = "a".repeat(100_000);
  const [denial] = checkRun([{ name: "x", args: [long], text: long }], policy);
  assertEquals(denial?.resource.length, 503);
});

Deno.test("decideRun() decides as checkRun() and names the rule, also where it allows", () => {
  const policy = policyOf({
    run: { allow: ["git", "git status", "npm run *"], deny: ["git push"] },
  });
  const table = [
    { in: program("git status -s"), want: [true, "git", null] },
    { in: program("npm run x"), want: [true, "npm run *", null] },
    { in: program("git -C x push"), want: [false, "git push", null] },
    {
      in: program("git ?"),
      want: [false, "git push", "an argument that is known only when the script runs could match"],
    },
    { in: program("curl"), want: [false, undefined, null] },
    {
      in: { ...program("cd x"), builtin: true },
      want: [true, undefined, "the shell carries it out itself"],
    },
    {
      in: { name: null, args: [], text: "$x" },
      want: [false, undefined, "the program is known only when the script runs"],
    },
  ];
  for (const { in: one, want } of table) {
    const { allowed, rule, note } = decideRun(one, policy);
    assertEquals([allowed, rule?.written, note], want, one.text);
    assertEquals(checkRun([one], policy).length === 0, allowed, one.text);
  }
});
