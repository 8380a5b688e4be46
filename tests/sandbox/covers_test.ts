import { assertEquals } from "@std/assert";
import { coveringOf, findUncovered } from "../../src/sandbox/covers.ts";
import { TempTree } from "./temp_tree.ts";
import { policyFor } from "./test_jail.ts";

const TREE = {
  "work/a/b/secret": "",
  "work/a/b/other": "",
  "work/one.key": "",
  "work/closed/inner": "",
  "work/linked": { link: "a/b" },
  "home": { directory: true },
  "tmp": { directory: true },
} as const;

function policyOf(tree: TempTree, rules: { read?: readonly string[]; write?: readonly string[] }) {
  const deny = (patterns: readonly string[] = []) => ({ deny: patterns });
  const text = { extends: "default", read: deny(rules.read), write: deny(rules.write) };
  return policyFor(tree, JSON.stringify(text));
}

Deno.test("coveringOf covers what is there, pins what lies between, and knows what is not there yet", () => {
  const cases = [
    {
      in: { read: ["$WORKSPACE/a/b/secret"] },
      want: { covers: ["a/b/secret -"], pins: ["a", "a/b"], open: [] },
    },
    {
      in: { write: ["$WORKSPACE/a/b/secret"] },
      want: { covers: ["a/b/secret r"], pins: ["a", "a/b"], open: [] },
    },
    {
      in: { read: ["$WORKSPACE/a/b/secret"], write: ["$WORKSPACE/a/b/secret"] },
      want: { covers: ["a/b/secret -"], pins: ["a", "a/b"], open: [] },
    },
    {
      in: { read: ["$WORKSPACE/*.key", "$WORKSPACE/absent"] },
      want: { covers: ["one.key -"], pins: [], open: ["absent", "*.key"] },
    },
    {
      in: { read: ["$WORKSPACE/closed"], write: ["$WORKSPACE/closed/inner"] },
      want: { covers: ["closed -"], pins: ["closed"], open: [] },
    },
    {
      // The name can be made to lead elsewhere, so it is looked at afterwards as well.
      in: { read: ["$WORKSPACE/linked/secret"] },
      want: { covers: ["a/b/secret -"], pins: ["a", "a/b"], open: ["linked/secret"] },
    },
    { in: { read: ["/etc/hosts"] }, want: { covers: [], pins: [], open: [] } },
  ];
  for (const { in: rules, want } of cases) {
    using tree = new TempTree(TREE);
    const root = tree.at("work");
    const local = (path: string) => path.slice(root.length + 1);
    const made = coveringOf(policyOf(tree, rules), { roots: [root], hidden: [], standing: [] });
    const covers = made.covers.map(({ path, readable }) =>
      `${local(path)} ${readable ? "r" : "-"}`
    );
    assertEquals(
      { covers, pins: made.pins.map(local), open: made.open.map(local) },
      want,
      JSON.stringify(rules),
    );
  }
});

Deno.test("findUncovered finds what came to stand under a denied name, not what is covered", () => {
  using tree = new TempTree(TREE);
  const roots = [tree.at("work")];
  const policy = policyOf(tree, {
    read: ["$WORKSPACE/*.key", "$WORKSPACE/absent/file", "$WORKSPACE/linked/secret"],
  });
  const covering = coveringOf(policy, { roots, hidden: [], standing: [] });
  assertEquals(findUncovered(policy, { roots, covering }), []);
  tree.add("work/two.key", "");
  tree.add("work/absent/other", "");
  assertEquals(findUncovered(policy, { roots, covering }), [tree.at("work/two.key")]);
  tree.add("work/absent/file", "");
  Deno.removeSync(tree.at("work/linked"));
  tree.add("work/linked/secret", "");
  assertEquals(
    [...findUncovered(policy, { roots, covering })].sort(),
    ["absent/file", "linked/secret", "two.key"].map((name) => tree.at(`work/${name}`)),
  );
});
