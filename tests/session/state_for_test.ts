import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../src/errors.ts";
import { stateFor, type StateRequest } from "../../src/session/state_for.ts";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestSession } from "./test_session.ts";

jailTest(
  "stateFor() takes a readable directory and variables that a command could export",
  async () => {
    await using session = new TestSession();
    const { context, place } = session;
    Deno.mkdirSync(place.at("work/sub"));
    Deno.symlinkSync("/usr", place.at("work/link"));
    const base = context.state;
    const cases: readonly { in: StateRequest; cwd: string; env?: Record<string, string> }[] = [
      { in: {}, cwd: place.at("work") },
      { in: { cwd: "sub" }, cwd: place.at("work/sub") },
      { in: { cwd: "sub/.." }, cwd: place.at("work") },
      { in: { cwd: "link" }, cwd: "/usr" },
      { in: { cwd: "/usr/bin/.." }, cwd: "/usr" },
      {
        in: { env: { A: "1", PATH: "/usr/bin" } },
        cwd: place.at("work"),
        env: { A: "1", PATH: "/usr/bin" },
      },
    ];
    for (const { in: request, cwd, env } of cases) {
      const state = stateFor(context, { base, request });
      assertEquals([state.cwd, state.environment], [cwd, { ...base.environment, ...env }]);
    }
    assertEquals(context.state, base);
  },
);

jailTest("stateFor() refuses what the policy keeps from commands, by its real path", async () => {
  await using session = new TestSession({
    policyText: JSON.stringify({ extends: "default", env: { deny: ["SECRET_*"] } }),
  });
  const { context, place } = session;
  Deno.symlinkSync(place.at("outside"), place.at("work/out"));
  Deno.writeTextFileSync(place.at("work/file"), "");
  const base = context.state;
  const cases: readonly { in: StateRequest; want: RegExp }[] = [
    { in: { cwd: place.at("outside") }, want: /commands may not read it, no read rule allows it/ },
    { in: { cwd: "out" }, want: /commands may not read it/ },
    { in: { cwd: "../outside/nosuch" }, want: /commands may not read it/ },
    { in: { cwd: context.user.state }, want: /commands may not read it/ },
    { in: { cwd: "file" }, want: /it is not a directory$/ },
    { in: { cwd: "nosuch" }, want: /it is not a directory$/ },
    { in: { cwd: "" }, want: /it is no path$/ },
    { in: { cwd: "a\0b" }, want: /it is no path$/ },
    {
      in: { env: { LD_PRELOAD: "/x.so" } },
      want: /"LD_PRELOAD": it is no name, or makes programs/,
    },
    { in: { env: { BASH_ENV: "x" } }, want: /"BASH_ENV"/ },
    {
      in: { env: { SECRET_A: "x" } },
      want: /"SECRET_A": env\.deny "SECRET_\*" \(.*policy\.jsonc:1\)/,
    },
    { in: { env: { "A B": "x" } }, want: /it is no name/ },
    { in: { env: { A: "x\0y" } }, want: /its value holds what no variable can/ },
    { in: { env: { A: "x".repeat(131_072) } }, want: /longer than 131071 bytes/ },
  ];
  for (const { in: request, want } of cases) {
    const error = assertThrows(() => stateFor(context, { base, request }), UsageError);
    assertEquals(want.test(error.message) ? null : error.message, null);
  }
});

jailTest("stateFor() has the values of secret names redacted, and no others", async () => {
  await using session = new TestSession();
  const { context } = session;
  const env = { DEPLOY_TOKEN: "correct-horse-battery", PLACE: "narnia-west-4711" };
  const text = "correct-horse-battery in narnia-west-4711";
  assertEquals(context.redactor.redactText(text), text);
  stateFor(context, { base: context.state, request: { env } });
  assertEquals(context.redactor.redactText(text), "[REDACTED:DEPLOY_TOKEN#1] in narnia-west-4711");
});
