import { assert, assertEquals, assertMatch } from "@std/assert";
import { basename } from "node:path/posix";
import { mayExecute, planExecution } from "../../src/sandbox/execution.ts";
import { TempTree } from "./temp_tree.ts";
import { plan } from "./test_plan.ts";
import { policyFor } from "./test_jail.ts";

const SCRIPT = "#!/bin/sh\n";

function tree(): TempTree {
  const made = new TempTree({
    "bin/tool": "#!/usr/bin/env helper\n",
    "bin/helper": SCRIPT,
    "bin/other": SCRIPT,
    "bin/plain": "",
    "bin/linked": { link: "@/lib/real" },
    "lib/real": SCRIPT,
    "lib/inner/deep": SCRIPT,
    "work/tool": SCRIPT,
    "work/own": "#!/usr/bin/id\n",
    "work/to-bin": { link: "@/bin/other" },
    "home": { directory: true },
    "tmp": { directory: true },
    "state/journal": "",
  });
  for (const name of ["bin/tool", "bin/helper", "bin/other", "lib/real", "work/tool", "work/own"]) {
    Deno.chmodSync(made.at(name), 0o755);
  }
  Deno.chmodSync(made.at("lib/inner/deep"), 0o755);
  return made;
}

/** What a policy lets be executed of a tree, by names in it. */
function executable(made: TempTree, run: unknown, write: unknown = ["$WORKSPACE"]) {
  const policy = policyFor(made, JSON.stringify({ read: ["/"], write, run }));
  const execution = planExecution(policy, { searchPath: `${made.at("bin")}:${made.at("work")}` });
  return execution?.paths.filter((path) => path.startsWith(made.path))
    .map((path) => path.slice(made.path.length + 1)).sort() ?? null;
}

Deno.test("planExecution lets be executed what run lists, with what executes it, and nothing of commands' own", () => {
  using made = tree();
  const at = (name: string) => made.at(name);
  const cases: readonly { in: unknown; want: readonly string[] | null }[] = [
    { in: true, want: null },
    { in: { allow: true, deny: ["other"] }, want: null },
    { in: false, want: [] },
    { in: { allow: true, deny: true }, want: [] },
    { in: ["other"], want: ["bin/other"] },
    { in: ["other x *"], want: ["bin/other"] },
    { in: ["tool"], want: ["bin/helper", "bin/tool"] },
    { in: ["o*"], want: ["bin/other"] },
    { in: ["plain"], want: [] },
    { in: ["absent"], want: [] },
    { in: ["linked"], want: ["lib/real"] },
    { in: ["own"], want: [] },
    { in: [at("work/own")], want: ["work/own"] },
    { in: [at("work/to-bin")], want: [] },
    { in: [at("bin/linked")], want: ["lib/real"] },
    { in: { allow: ["other", "tool"], deny: ["other"] }, want: ["bin/helper", "bin/tool"] },
    { in: { allow: ["tool"], deny: ["helper"] }, want: ["bin/tool"] },
    { in: { allow: ["other"], deny: ["other x"] }, want: ["bin/other"] },
    { in: { allow: false, exec: [at("lib")] }, want: ["lib"] },
    { in: { allow: false, exec: [at("lib/inner"), at("absent")] }, want: ["lib/inner"] },
    { in: { allow: false, exec: [at("work/to-bin")] }, want: [] },
  ];
  for (const { in: run, want } of cases) {
    assertEquals(executable(made, run), want, JSON.stringify(run));
  }
});

Deno.test("planExecution always has the shells that read the text, with their loader", () => {
  using made = tree();
  const policy = policyFor(
    made,
    '{ "read": ["/"], "write": ["$WORKSPACE"], "run": { "allow": false, "deny": ["bash", "sh"] } }',
  );
  // A shell of a command's own is none of them.
  made.add("work/bash", SCRIPT);
  Deno.chmodSync(made.at("work/bash"), 0o755);
  const { paths } = planExecution(policy, { searchPath: made.at("work") })!;
  assertEquals(paths.filter((path) => path.startsWith(made.path)), []);
  for (const shell of ["/bin/sh", "/bin/bash"]) assert(paths.includes(Deno.realPathSync(shell)));
  assert(paths.every((path) => /sh$|^ld-|\.so/.test(basename(path))), paths.join());
});

Deno.test("planExecution follows a script's interpreters no further than the kernel does", () => {
  using made = tree();
  for (let level = 0; level < 20; level++) {
    made.add(`bin/s${level}`, `#!${made.at(`bin/s${level + 1}`)}\n`);
    Deno.chmodSync(made.at(`bin/s${level}`), 0o755);
  }
  assertEquals(executable(made, ["s0"])?.length, 6);
});

Deno.test("mayExecute is true below what is listed, and for everything without a list", () => {
  using made = tree();
  const policy = policyFor(made, JSON.stringify({ run: { exec: [made.at("lib")] } }));
  const execution = planExecution(policy, { searchPath: "" });
  assertEquals(
    ["lib", "lib/inner/deep", "library", "bin/other"].map((name) =>
      mayExecute(execution, made.at(name))
    ),
    [true, true, false, false],
  );
  assert(mayExecute(null, "/usr/bin/id"));
});

Deno.test("planJail labels whole programs of a run list kernel, words and denies checked", () => {
  using made = tree();
  const policy = {
    extends: "default",
    backend: "kernel",
    run: { allow: false, deny: ["sh -i"] },
  };
  made.add("policy/base.jsonc", JSON.stringify(policy));
  const listed = plan(made, {
    extends: made.at("policy/base.jsonc"),
    run: ["sh", "bash -c", "no-such-program"],
  });
  const rules = listed.rules.filter(({ rule }) => rule.permission === "run");
  assertEquals(
    rules.map(({ rule, enforced }) => `${rule.written} ${enforced}`),
    ["sh kernel", "bash -c checked", "no-such-program kernel", "sh -i checked"],
  );
  assertMatch(rules[2]!.reason!, /grants nothing/);
  assertEquals(listed.labels.run, "checked");
  const guard = (made: typeof listed) => made.guards.find(({ name }) => name === "execution");
  assertEquals(guard(listed)?.enforced, "kernel");
  assertEquals(guard(plan(made, "default")), undefined);
  const old = plan(made, { ...policy, enforcement: "best-effort" }, { host: { landlockAbi: 0 } });
  assertEquals([guard(old)?.enforced, old.execution], ["checked", null]);
});

Deno.test("planJail is out of date when a listed program was replaced or one was installed", () => {
  using made = tree();
  const searchPath = made.at("bin");
  const listed = plan(made, { extends: "default", run: { allow: false, exec: [] } }, {
    searchPath,
  });
  const watched = listed.watched.map(({ path }) => path);
  assert(watched.includes(searchPath), watched.join());
});
