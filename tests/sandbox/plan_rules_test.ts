import { assert, assertEquals } from "@std/assert";
import type { Bubblewrap } from "../../src/sandbox/find_bubblewrap.ts";
import { refusals } from "../../src/sandbox/plan.ts";
import { labelOfProtected } from "../../src/sandbox/plan_rules.ts";
import { TempTree } from "./temp_tree.ts";
import { plan, TREE } from "./test_plan.ts";

Deno.test("planJail says what an older kernel cannot enforce, and refusals stop the run", () => {
  using tree = new TempTree(TREE);
  const cases: readonly { in: number; want: Readonly<Record<string, number>> }[] = [
    { in: 0, want: { read: 1, write: 1, signals: 6 } },
    { in: 1, want: { write: 3, signals: 6 } },
    { in: 2, want: { write: 3, signals: 6 } },
    { in: 3, want: { signals: 6 } },
    { in: 4, want: { signals: 6 } },
    { in: 5, want: { signals: 6 } },
    { in: 6, want: {} },
    { in: 7, want: {} },
    { in: 8, want: {} },
  ];
  for (const { in: landlockAbi, want } of cases) {
    const made = plan(tree, "default", { host: { landlockAbi, kernel: "5.15.1" } });
    assertEquals(made.landlockAbi, landlockAbi);
    assertEquals(made.unsupported.map(({ permission }) => permission), Object.keys(want));
    const label = (name: string) => name in want ? "unsupported" : "kernel";
    assertEquals([made.labels.read, made.labels.write], [label("read"), label("write")]);
    assertEquals([made.labels.net, made.labels.run], ["kernel", "checked"]);
    const rules = made.rules.filter(({ rule }) => rule.permission === "write");
    assert(rules.length > 0 && rules.every(({ enforced }) => enforced === label("write")));
    const has = landlockAbi === 0 ? "has no Landlock" : `has Landlock ABI ${landlockAbi}`;
    const needed = Object.values(want).map((abi) => `kernel 5.15.1 ${has}, ${abi} (Linux `);
    const stopped = refusals(made);
    assertEquals(
      stopped.map((text, index) => text.includes(needed[index]!)),
      needed.map(() => true),
    );
    for (const text of stopped) assert(/^(signals|\w+ \(built-in:[a-z]+:\d+\)): /.test(text), text);
  }
});

Deno.test("planJail needs IOCTL_DEV only where a directory with devices is granted", () => {
  using tree = new TempTree(TREE);
  const cases = [
    { in: { extends: "default" }, want: "kernel" },
    { in: { extends: "default", read: ["/dev/null"] }, want: "kernel" },
    { in: { extends: "default", read: ["/dev"] }, want: "unsupported" },
    { in: { extends: "default", read: true }, want: "unsupported" },
  ];
  for (const { in: policy, want } of cases) {
    for (const [landlockAbi, label] of [[4, want], [5, "kernel"]] as const) {
      const { guards } = plan(tree, policy, { host: { landlockAbi } });
      const devices = guards.find(({ name }) => name === "devices");
      assertEquals(devices?.enforced, label, `${JSON.stringify(policy)} on ABI ${landlockAbi}`);
    }
  }
});

Deno.test("planJail says how protected files are, and labelOfProtected those of one entry", () => {
  using tree = new TempTree({ ...TREE, "work/deploy/run": "" });
  const temporary = tree.at("tmp");
  const bubblewrap: Bubblewrap = { kind: "available", path: "/usr/bin/bwrap" };
  const cases = [
    { in: { extends: "readonly" }, want: ["kernel", "kernel"] },
    { in: { extends: "default" }, want: ["checked", "checked"] },
    { in: { extends: "default", backend: "bubblewrap" }, want: ["checked", "kernel"] },
    { in: { extends: "default", backend: "none" }, want: ["unsupported", "unsupported"] },
  ];
  for (const { in: policy, want } of cases) {
    const made = plan(tree, { ...policy, protect: ["$WORKSPACE/deploy"] }, {
      temporary,
      findBubblewrap: () => bubblewrap,
    });
    const guard = made.guards.find(({ name }) => name === "protected");
    const label = labelOfProtected(made, tree.at("work/deploy"));
    assertEquals([guard?.enforced ?? "", label], want, JSON.stringify(policy));
  }
});

Deno.test("planJail says of each rule how it is enforced, and why a rule grants less than it seems to", () => {
  using tree = new TempTree({ ...TREE, "work/link": { link: "@/outside" }, "outside/file": "" });
  const text = JSON.stringify(
    {
      extends: "default",
      read: { allow: ["$HOME/absent", "$WORKSPACE/link"], deny: ["$WORKSPACE/secret"] },
      write: ["$WORKSPACE/secret"],
      net: ["example.org:443"],
      run: { deny: ["curl"] },
    },
    null,
    1,
  );
  const { rules, policy } = plan(tree, text);
  const all = [policy.read, policy.write, policy.net, policy.env, policy.run]
    .flatMap(({ allow, deny }) => [...allow, ...deny]);
  assertEquals(rules.map(({ rule }) => rule), all);
  const cases = [
    { in: "$HOME/absent", want: ["kernel", "grants nothing: it does not exist"] },
    {
      in: "$WORKSPACE/link",
      want: ["kernel", "grants nothing: it leads through a link that commands could change"],
    },
    { in: "$WORKSPACE/secret", want: ["kernel", "grants nothing: a deny covers it"] },
    {
      in: "$WORKSPACE",
      want: [
        "kernel",
        'granted entry by entry, because "$WORKSPACE/secret" is denied below it: nothing new can be created in it',
      ],
    },
    { in: "/usr", want: ["kernel", null] },
    {
      in: "example.org:443",
      want: ["kernel", null],
    },
    {
      in: "curl",
      want: [
        "checked",
        "decided on the parse tree: what a program starts itself is bounded by read and write",
      ],
    },
  ];
  for (const { in: written, want } of cases) {
    const found = rules.findLast(({ rule }) => rule.written === written);
    assertEquals([found?.enforced, found?.reason], want, written);
  }
});
