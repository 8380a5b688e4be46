import { assertEquals, assertMatch } from "@std/assert";
import { listBuiltins, renderPolicy } from "../../src/policy/explain.ts";
import { loadPolicy } from "../../src/policy/load.ts";
import type { Policy } from "../../src/policy/policy.ts";
import { PolicyDirectory, VARIABLES } from "./fixture.ts";

Deno.test("renderPolicy() shows every rule with its place, and the settings", () => {
  using directory = new PolicyDirectory({
    "p.jsonc": `{
"description": "For tests.",
"read": { "allow": ["$HOME/x", "/usr"], "deny": ["~/.ssh"] },
"run": true,
"env": { "allow": ["PATH"], "set": { "A": "not shown" } },
"limits": { "timeout": "none", "grace": "500ms", "fileSize": "2G", "cpu": "1m" },
"redact": { "rules": [{ "name": "acme-key", "pattern": "acme" }], "env": ["ACME"] },
"feedback": { "providers": [{ "name": "Mine", "module": "./mine.ts" }, "Loop"] }
}`,
  });
  const text = renderPolicy(directory.load("p.jsonc"), { json: false }).replaceAll(
    directory.path,
    "D",
  );
  assertEquals(
    text,
    `policy D/p.jsonc
  For tests.
files D/p.jsonc

read
  allow  $HOME/x = /home/user/x    D/p.jsonc:3
  allow  /usr                      D/p.jsonc:3
  deny   ~/.ssh = /home/user/.ssh  D/p.jsonc:3

write
  nothing  D/p.jsonc:1

net
  nothing  D/p.jsonc:1

env
  allow  PATH  D/p.jsonc:5

run
  allow  true = *  D/p.jsonc:4

settings
  loopback     none
  enforcement  required
  backend      auto
  timeout      none
  grace        0.5 s
  input        60 s
  cpu          60 s
  memory       75% of the machine's
  processes    2048
  fileSize     2 GB
  output       8000 characters, 200 lines, 4000 tokens, 67108864 bytes kept
  env.set      A
  redact       acme-key
  redact.env   ACME
  feedback     all, normal, 500 ms each: Mine, Loop
  provider     Mine = D/mine.ts  D/p.jsonc:8
`,
  );
});

Deno.test("renderPolicy() as JSON is the policy itself", () => {
  const policy = loadPolicy({
    choice: "default",
    envChoice: null,
    configDir: "/nonexistent",
    variables: VARIABLES,
    trustPolicy: false,
  });
  assertEquals(JSON.parse(renderPolicy(policy, { json: true })) as Policy, policy);
});

Deno.test("listBuiltins() describes every built-in policy", () => {
  const list = listBuiltins();
  assertEquals(list.map(({ name }) => name), ["default", "readonly", "offline", "ci", "open"]);
  for (const { description } of list) assertMatch(description, /^[A-Z].{20,}\.$/);
});
