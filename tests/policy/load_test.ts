import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { PolicyError, UsageError } from "../../src/errors.ts";
import { type LoadOptions, loadPolicy } from "../../src/policy/load.ts";
import { PolicyDirectory, VARIABLES } from "./fixture.ts";

function load(options: Partial<LoadOptions>) {
  return loadPolicy({
    choice: null,
    envChoice: null,
    configDir: "/nonexistent/debrief",
    variables: VARIABLES,
    trustPolicy: false,
    ...options,
  });
}

Deno.test("loadPolicy() takes the flag, then the variable, then the user's file, then default", () => {
  using own = new PolicyDirectory({
    "debrief/policy.jsonc": '{ "description": "own", "extends": "default" }',
    "x.json": "{}",
  });
  const configDir = `${own.path}/debrief`;
  const table: readonly { in: Partial<LoadOptions>; want: string }[] = [
    { in: {}, want: "default" },
    { in: { envChoice: "" }, want: "default" },
    { in: { envChoice: "offline" }, want: "offline" },
    { in: { configDir }, want: `${configDir}/policy.jsonc` },
    { in: { configDir, envChoice: "" }, want: `${configDir}/policy.jsonc` },
    { in: { configDir, envChoice: "readonly" }, want: "readonly" },
    { in: { configDir, choice: "ci", envChoice: "open" }, want: "ci" },
    { in: { choice: `${own.path}/x.json` }, want: `${own.path}/x.json` },
    { in: { choice: `${own.path}/debrief/../x.json` }, want: `${own.path}/x.json` },
  ];
  for (const { in: options, want } of table) assertEquals(load(options).name, want);
});

Deno.test("loadPolicy() lets DEBRIEF_POLICY narrow the user's policy, never widen it", () => {
  using own = new PolicyDirectory({
    "debrief/policy.jsonc":
      '{ "read": ["/usr", "$WORKSPACE"], "write": ["$WORKSPACE"], "run": ["git"], "limits": { "timeout": 60 } }',
  });
  const policy = load({ configDir: `${own.path}/debrief`, envChoice: "open" });
  assertEquals(policy.read.allow.map((rule) => rule.pattern), ["/usr", "/work/project"]);
  assertEquals(policy.write.allow.map((rule) => rule.pattern), ["/work/project"]);
  assertEquals(policy.run.allow.map((rule) => rule.pattern), ["git"]);
  assertEquals(policy.net.allow, []);
  assertEquals(policy.limits.timeoutMs, 60_000);
  const readonly = load({ configDir: `${own.path}/debrief`, envChoice: "readonly" });
  assertEquals(readonly.write.allow, []);
});

Deno.test("loadPolicy() never falls back: what cannot be used stops the program", () => {
  using own = new PolicyDirectory({
    "bad/policy.jsonc": '{\n"raed": true }',
    "file": "",
  });
  Deno.mkdirSync(`${own.path}/dangling`);
  Deno.symlinkSync(`${own.path}/nowhere`, `${own.path}/dangling/policy.jsonc`);
  const table: readonly { in: Partial<LoadOptions>; want: RegExp }[] = [
    {
      in: { choice: "defualt" },
      want:
        /Cannot use the policy "defualt": there is no built-in policy of this name; did you mean "default"; accepted are default, readonly, offline, ci, open, or the path/,
    },
    { in: { choice: "" }, want: /Cannot use the policy ""/ },
    { in: { choice: "__proto__" }, want: /Cannot use the policy "__proto__"/ },
    { in: { envChoice: "nothing" }, want: /Cannot use the policy "nothing"/ },
    { in: { choice: `${own.path}/none.jsonc` }, want: /none\.jsonc": it does not exist/ },
    { in: { choice: "./none.jsonc" }, want: /none\.jsonc": it does not exist/ },
    { in: { choice: own.path }, want: /it is not a regular file/ },
    { in: { configDir: `${own.path}/bad` }, want: /bad\/policy\.jsonc:2: raed: / },
    {
      in: { configDir: `${own.path}/dangling` },
      want: /dangling\/policy\.jsonc": it does not exist/,
    },
    { in: { configDir: `${own.path}/file` }, want: /Cannot look for the policy/ },
    {
      in: { configDir: `${own.path}/bad`, envChoice: "default" },
      want: /bad\/policy\.jsonc:2: raed: /,
    },
  ];
  for (const { in: options, want } of table) {
    assertMatch(assertThrows(() => load(options), UsageError).message, want);
  }
});

Deno.test("loadPolicy() refuses a policy file that commands could change, unless it is trusted", () => {
  using place = new PolicyDirectory({
    "work/p.jsonc": '{\n"write": ["$WORKSPACE"] }',
    "work/denied.jsonc":
      '{ "write": { "allow": ["$WORKSPACE"], "deny": ["$WORKSPACE/denied.jsonc"] } }',
    "work/globbed.jsonc":
      '{ "write": { "allow": ["$WORKSPACE"], "deny": ["$WORKSPACE/*.jsonc"] } }',
    "safe/p.jsonc": '{ "write": ["$WORKSPACE"] }',
    "safe/parent.jsonc": '{ "extends": "../work/harmless.jsonc", "write": ["$WORKSPACE"] }',
    "safe/through.jsonc": '{ "write": ["$WORKSPACE/../work-link"] }',
    "work/harmless.jsonc": "{}",
    "safe/everything.jsonc": '{ "write": true }',
  });
  Deno.symlinkSync("../safe/p.jsonc", `${place.path}/work/link.jsonc`);
  Deno.symlinkSync("../safe", `${place.path}/work/directory`);
  Deno.symlinkSync("work", `${place.path}/work-link`);
  const variables = { ...VARIABLES, WORKSPACE: `${place.path}/work` };
  const options = (name: string) => ({ choice: `${place.path}/${name}`, variables });
  const refused = [
    "work/p.jsonc",
    "work/link.jsonc",
    "work/directory/p.jsonc",
    "safe/parent.jsonc",
    "safe/everything.jsonc",
    "work-link/p.jsonc",
  ];
  for (const name of refused) {
    assertThrows(() => load(options(name)), PolicyError, "--trust-policy", name);
    assertEquals(load({ ...options(name), trustPolicy: true }).name, `${place.path}/${name}`);
  }
  for (
    const name of ["work/denied.jsonc", "work/globbed.jsonc", "safe/p.jsonc", "safe/through.jsonc"]
  ) {
    assertEquals(load(options(name)).name, `${place.path}/${name}`);
  }
  const error = assertThrows(() => load(options("work/p.jsonc")), PolicyError);
  assertEquals(
    error.message,
    `${place.path}/work/p.jsonc:2: write[0]: Cannot use the policy file "${place.path}/work/p.jsonc": commands could change it, ` +
      'because write.allow "$WORKSPACE" covers it; move the file, or accept it with --trust-policy',
  );
});

Deno.test("loadPolicy() refuses a file of redacted values that commands can change", () => {
  const policy = (file: string) =>
    JSON.stringify({ write: ["$WORKSPACE"], redact: { values: [file] } });
  using place = new PolicyDirectory({
    "inside.jsonc": policy("$WORKSPACE/.env"),
    "outside.jsonc": policy("./.env"),
  });
  const variables = { ...VARIABLES, WORKSPACE: `${place.path}/work` };
  const options = (name: string) => ({ choice: `${place.path}/${name}`, variables });
  const error = assertThrows(() => load(options("inside.jsonc")), PolicyError);
  assertStringIncludes(
    error.message,
    `Cannot use the file of redacted values "${place.path}/work/.env": commands could change it`,
  );
  assertEquals(load({ ...options("inside.jsonc"), trustPolicy: true }).redact.values.length, 1);
  assertEquals(load(options("outside.jsonc")).redact.values.length, 1);
});

Deno.test("loadPolicy() sees a writable policy behind a link in the rule", () => {
  using place = new PolicyDirectory({
    "real/p.jsonc": '{ "write": ["$HOME/link"] }',
    "home/x": "",
  });
  Deno.symlinkSync("../real", `${place.path}/home/link`);
  const variables = { ...VARIABLES, HOME: `${place.path}/home` };
  assertThrows(
    () => load({ choice: `${place.path}/real/p.jsonc`, variables }),
    PolicyError,
    "--trust-policy",
  );
});
