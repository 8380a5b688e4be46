import { assertEquals } from "@std/assert";
import { type CommandText, decide } from "../../src/session/decide.ts";
import type { ShellState } from "../../src/session/shell_state.ts";
import { testPolicy } from "./test_policy.ts";

const STATE: ShellState = {
  cwd: "/work/src",
  environment: { HOME: "/home/u" },
  functions: new Map([["helper", "helper () \n{ \n    curl x\n}"]]),
  aliases: new Map([["ll", "ls -l"], ["fetch", "curl"]]),
};
const POLICY = testPolicy({ run: { deny: ["curl", "git push"] } });
const BASH = ["bash", "--noprofile", "--norc", "-c"];

function script(source: string, parameters?: readonly string[]): CommandText {
  return { kind: "script", source, ...(parameters ? { parameters } : {}) };
}

function decideIn(text: CommandText, { keepsState = false, state = STATE, policy = POLICY } = {}) {
  return decide(text, { policy, state, keepsState });
}

Deno.test("decide() starts plain words themselves and leaves the rest to a shell", async (t) => {
  const cases = [
    { in: script("ls -l 'a b'"), want: { argv: ["ls", "-l", "a b"], shell: false } },
    { in: script("ls | wc"), want: { argv: [...BASH], shell: true } },
    { in: script("cd /tmp"), want: { argv: [...BASH], shell: true } },
    { in: script("ls $1", ["sh", "x"]), want: { argv: [...BASH], shell: true } },
    { in: script(""), want: { argv: [...BASH], shell: true } },
    { in: script("ll"), want: { argv: [...BASH], shell: true } },
    {
      in: { kind: "argv", argv: ["ls", "|", "wc"] },
      want: { argv: ["ls", "|", "wc"], shell: false },
    },
    { in: { kind: "argv", argv: ["if", ";"] }, want: { argv: ["if", ";"], shell: false } },
    { in: { kind: "argv", argv: ["A=1", "ls"] }, want: { argv: ["A=1", "ls"], shell: false } },
  ] as const;
  for (const { in: text, want } of cases) {
    await t.step(JSON.stringify(text), () => {
      const decision = decideIn(text);
      if (decision.kind !== "run") throw new Error(JSON.stringify(decision));
      assertEquals([decision.argv.slice(0, want.argv.length), decision.inShell], [
        want.argv,
        want.shell,
      ]);
      assertEquals(decision.stateful, false);
    });
  }
});

Deno.test("decide() lets the shell explain a plain command that cannot be started", () => {
  const decision = decideIn(script("nosuch x"));
  assertEquals(decision.kind === "run" && decision.fallback?.slice(0, 4), BASH);
  const exact = decideIn({ kind: "argv", argv: ["nosuch"] });
  assertEquals(exact.kind === "run" && exact.fallback, null);
});

Deno.test("decide() keeps the state of a session's commands that a shell carries out", () => {
  for (
    const [source, stateful] of [["ls", false], ["ls; true", true], ["export A=1", true], [
      "ll",
      true,
    ]] as const
  ) {
    const decision = decideIn(script(source), { keepsState: true });
    assertEquals(decision.kind === "run" && decision.stateful, stateful, source);
  }
});

Deno.test("decide() refuses what the policy denies, wherever it hides", async (t) => {
  const cases: readonly CommandText[] = [
    script("curl x"),
    script("ls; curl x"),
    script("echo $(curl x)"),
    script("bash -c 'curl x'"),
    script("helper"),
    script("helper2() { helper; }; helper2"),
    script("fetch x"),
    script("xargs curl"),
    script("git -C x push"),
    { kind: "argv", argv: ["curl", "x"] },
    { kind: "argv", argv: ["/usr/bin/curl"] },
    { kind: "argv", argv: ["env", "A=1", "curl"] },
    { kind: "argv", argv: ["bash", "-c", "curl x"] },
    { kind: "argv", argv: ["time", "curl"] },
  ];
  for (const text of cases) {
    await t.step(JSON.stringify(text), () => {
      const decision = decideIn(text, { keepsState: true });
      assertEquals(decision.kind, "denied");
      assertEquals(decision.kind === "denied" && decision.denials[0]?.by, "policy");
    });
  }
  // An alias or function that is not called is no reason.
  assertEquals(decideIn(script("ls"), { keepsState: true }).kind, "run");
});

Deno.test("decide() takes exact words for programs under a list, also those that a shell has as builtins or keywords", () => {
  const policy = testPolicy({ extends: "readonly", run: { allow: ["ls"], deny: [] } });
  const narrow = {
    ...policy,
    run: { ...policy.run, allow: policy.run.allow.filter(({ pattern }) => pattern === "ls") },
  };
  for (
    const argv of [["echo", "x"], ["time", "ls"], ["cd", "/"], ["["], ["!", "ls"], [
      "command",
      "ls",
    ]]
  ) {
    const decision = decideIn({ kind: "argv", argv }, { policy: narrow });
    assertEquals(decision.kind, "denied", argv.join(" "));
  }
  assertEquals(decideIn({ kind: "argv", argv: ["ls"] }, { policy: narrow }).kind, "run");
  assertEquals(
    decideIn(script("echo x"), { policy: narrow }).kind,
    "run",
    "a shell carries it out itself",
  );
});

Deno.test("decide() runs nothing that does not parse, and says where", async (t) => {
  const cases = [
    {
      in: script("echo 'a"),
      want: { line: 1, column: 8, message: "unexpected end: the closing ' is missing" },
    },
    { in: script("ls\nls )"), want: { line: 2, column: 4 } },
    { in: script("if a"), want: { line: 1, column: 5 } },
    { in: script("a\0"), want: { line: 1, column: 2, message: "it holds a NUL" } },
    { in: script("x".repeat(2_000_000)), want: { line: 1, column: 1 } },
    {
      in: { kind: "argv", argv: [] },
      want: { line: 1, column: 1, message: "there is no program" },
    },
    {
      in: { kind: "argv", argv: ["a", "b\0"] },
      want: { line: 1, column: 1, message: "word 2 holds what no argument can" },
    },
    {
      in: { kind: "argv", argv: ["\ud800"] },
      want: { line: 1, column: 1, message: "word 1 holds what no argument can" },
    },
  ] as const;
  for (const { in: text, want } of cases) {
    await t.step(JSON.stringify(text).slice(0, 60), () => {
      const decision = decideIn(text);
      if (decision.kind !== "syntax-error") throw new Error(decision.kind);
      const { line, column, message } = decision.mistake;
      assertEquals({ line, column, message }, { message, ...want });
    });
  }
});

Deno.test("decide() names the files that a script surely redirects", () => {
  const decision = decideIn(script("ls >a 2>>'~/b' >~/d <../c <<<text 3>&1 4>&- >$x 2>/dev/null"));
  assertEquals(decision.kind === "run" && decision.named, [
    { permission: "write", path: "/work/src/a" },
    { permission: "write", path: "/work/src/~/b" },
    { permission: "read", path: "/work/c" },
    { permission: "write", path: "/dev/null" },
  ]);
  const redirected = (source: string) => {
    const found = decideIn(script(source));
    return found.kind === "run" && found.redirected;
  };
  assertEquals(["ls >a", "ls 2>a", "ls &>a", "ls <a", "ls"].map(redirected), [
    true,
    false,
    true,
    false,
    false,
  ]);
});

Deno.test("decide() gives options to the shell, which then carries out plain words as well", () => {
  const text = { ...script("ls", ["n"]), options: ["-e", "-o", "pipefail"] } as const;
  const decision = decideIn(text);
  assertEquals(decision.kind === "run" && [decision.argv, decision.inShell], [
    ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", "--", "ls", "n"],
    true,
  ]);
});

Deno.test("decide() takes a script file for a program, and standard input for an unknown one", async (t) => {
  const file = (path: string | null): CommandText => ({
    kind: "file",
    path,
    parameters: ["-x"],
    options: ["-u"],
  });
  const build = "/work/src/build.sh";
  const base = testPolicy({ run: [build] });
  const allow = base.run.allow.filter(({ pattern }) => pattern === build);
  const listed = { ...base, run: { ...base.run, allow } };
  const cases = [
    { in: "build.sh", policy: POLICY, want: ["-u", "--", "build.sh", "-x"] },
    { in: "-a", policy: POLICY, want: ["-u", "--", "-a", "-x"] },
    { in: null, policy: POLICY, want: ["-u", "-s", "--", "-x"] },
    { in: "build.sh", policy: testPolicy({ run: { deny: ["build.sh"] } }), want: null },
    { in: "./build.sh", policy: listed, want: ["-u", "--", "./build.sh", "-x"] },
    { in: "./other.sh", policy: listed, want: null },
    { in: null, policy: listed, want: null },
  ] as const;
  for (const { in: path, policy, want } of cases) {
    await t.step(`${path} ${want === null ? "denied" : "runs"}`, () => {
      const decision = decideIn(file(path), { policy });
      assertEquals<readonly string[] | null>(
        decision.kind === "run" ? decision.argv.slice(3) : null,
        want,
      );
    });
  }
});
