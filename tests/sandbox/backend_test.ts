import { assertEquals, assertStringIncludes } from "@std/assert";
import { chooseBackend } from "../../src/sandbox/backend.ts";
import type { Bubblewrap } from "../../src/sandbox/find_bubblewrap.ts";
import { refusals } from "../../src/sandbox/plan.ts";
import { TempTree } from "./temp_tree.ts";
import { policyFor } from "./test_jail.ts";
import { HOST, plan, TREE } from "./test_plan.ts";

const FOUND: Bubblewrap = { kind: "available", path: "/usr/bin/bwrap" };
const ABSENT: Bubblewrap = {
  kind: "unavailable",
  reason: "bwrap is not installed",
  remedy: "install it",
};

Deno.test("chooseBackend takes the kernel unless a rule needs bubblewrap and it is there", () => {
  using tree = new TempTree(TREE);
  const cases = [
    { in: {}, want: ["kernel", false] },
    { in: { read: { deny: ["/etc/hosts"] } }, want: ["kernel", false] },
    { in: { read: { deny: ["$WORKSPACE/secret"] } }, want: ["bubblewrap", true] },
    { in: { write: { deny: ["$WORKSPACE/absent/*.key"] } }, want: ["bubblewrap", true] },
    { in: { write: ["/dev/shm"] }, want: ["bubblewrap", true] },
    { in: { read: ["/dev/pts"] }, want: ["bubblewrap", true] },
    { in: {}, abi: 5, want: ["bubblewrap", true] },
    { in: { backend: "kernel", read: { deny: ["$WORKSPACE/secret"] } }, want: ["kernel", false] },
    { in: { backend: "bubblewrap" }, want: ["bubblewrap", true] },
    { in: { backend: "none" }, want: ["none", false] },
    { in: { net: ["example.org:443"], write: ["/dev/shm"] }, want: ["kernel", false] },
  ] as const;
  for (const { in: rules, want, ...rest } of cases) {
    const policy = policyFor(tree, JSON.stringify({ extends: "default", ...rules }));
    const host = { ...HOST, landlockAbi: "abi" in rest ? rest.abi : 7 };
    let looked = false;
    const found = chooseBackend(policy, { host, find: () => (looked = true, FOUND) });
    assertEquals([found.kind, looked, found.flaw], [...want, null], JSON.stringify(rules));
    const without = chooseBackend(policy, { host, find: () => ABSENT });
    const named = policy.backend === "auto" ? "kernel" : policy.backend;
    assertEquals(without.kind, named, JSON.stringify(rules));
  }
});

Deno.test("planJail refuses a backend that is asked for and cannot be used, with what would help", () => {
  using tree = new TempTree(TREE);
  for (const enforcement of ["required", "best-effort"]) {
    const policy = { extends: "default", backend: "bubblewrap", enforcement };
    const made = plan(tree, policy, { findBubblewrap: () => ABSENT });
    assertEquals([made.labels.read, made.labels.env, made.labels.run], [
      "unsupported",
      "kernel",
      "checked",
    ]);
    assertStringIncludes(refusals(made)[0] ?? "", "bwrap is not installed (install it)");
  }
  const made = plan(tree, { extends: "default", backend: "bubblewrap" }, {
    findBubblewrap: () => FOUND,
  });
  assertEquals(refusals(made), []);
});

Deno.test("planJail labels nothing as enforced without a jail, and runs because it was asked for by name", () => {
  using tree = new TempTree(TREE);
  const made = plan(tree, { extends: "default", backend: "none" });
  assertEquals(new Set(Object.values(made.labels)), new Set(["unsupported"]));
  assertEquals(made.guards.every(({ enforced }) => enforced === "unsupported"), true);
  assertEquals(refusals(made), []);
});

Deno.test("planJail under bubblewrap refuses what a mount cannot say", () => {
  using tree = new TempTree({ ...TREE, "home/box/file": "" });
  const cases = [
    { in: { write: ["$HOME/box"] }, want: [/write .*may not be read/] },
    { in: { read: ["$HOME/box"], write: ["$HOME/box"] }, want: [] },
    { in: { net: ["example.org:443"] }, want: [/by host/] },
    { in: { write: ["/dev/shm"] }, want: [] },
  ];
  for (const { in: rules, want } of cases) {
    const policy = { extends: "default", backend: "bubblewrap", ...rules };
    const found = refusals(plan(tree, policy, { findBubblewrap: () => FOUND }));
    assertEquals(found.map((text, index) => want[index]?.test(text)), want.map(() => true));
  }
});
