import { assertEquals } from "@std/assert";
import { Exclusions, realPathOfMaybeAbsent } from "../../src/sandbox/exclusions.ts";
import { TempTree } from "./temp_tree.ts";

Deno.test("Exclusions.covers answers for a path, for what lies below it and for nothing else", () => {
  const exclusions = new Exclusions(["/no/such/a", "/no/such/b/c", "/no/glob/*.key", "/no/one?"]);
  const cases: readonly (readonly [string, boolean])[] = [
    ["/no/such/a", true],
    ["/no/such/a/deep/below", true],
    ["/no/such/ab", false],
    ["/no/such", false],
    ["/no/such/b", false],
    ["/no/such/b/c", true],
    ["/no/such/b/c/d", true],
    ["/", false],
    ["/no/glob/x.key", true],
    ["/no/glob/.key", true],
    ["/no/glob/x.key/below", true],
    ["/no/glob/x.keys", false],
    ["/no/glob/below/x.key", false],
    ["/no/glob", false],
    ["/no/one1", true],
    ["/no/one", false],
    ["/no/one12", false],
  ];
  for (const [path, want] of cases) assertEquals(exclusions.covers(path), want, path);
});

Deno.test("Exclusions.liesBelow is true for every directory above a denied path, present or not", () => {
  const exclusions = new Exclusions(["/no/such/a", "/no/glob/*.key"]);
  const cases: readonly (readonly [string, boolean])[] = [
    ["/", true],
    ["/no", true],
    ["/no/such", true],
    ["/no/such/a", false],
    ["/no/glob", true],
    ["/no/glob/x.key", false],
    ["/other", false],
  ];
  for (const [path, want] of cases) assertEquals(exclusions.liesBelow(path), want, path);
});

Deno.test("Exclusions takes every character of a pattern but * and ? as it stands", () => {
  const exclusions = new Exclusions(["/no/a.b*", "/no/(x|y)+?", "/no/[z]*", "/no/\\n$^*"]);
  const cases: readonly (readonly [string, boolean])[] = [
    ["/no/a.b", true],
    ["/no/axb", false],
    ["/no/(x|y)+1", true],
    ["/no/x1", false],
    ["/no/[z]1", true],
    ["/no/z1", false],
    ["/no/\\n$^", true],
    ["/no/a.b\nnew line", true],
  ];
  for (const [path, want] of cases) assertEquals(exclusions.covers(path), want, path);
});

Deno.test("Exclusions matches a hostile name in no more steps than its length allows", () => {
  const exclusions = new Exclusions([`/no/${"*a".repeat(60)}b`]);
  assertEquals(exclusions.covers(`/no/${"a".repeat(250)}`), false);
  assertEquals(exclusions.covers(`/no/${"a".repeat(250)}b`), true);
});

Deno.test("Exclusions of / and of nothing", () => {
  assertEquals([new Exclusions(["/"]).covers("/a"), new Exclusions(["/"]).covers("/")], [
    true,
    true,
  ]);
  assertEquals([new Exclusions([]).covers("/"), new Exclusions([]).liesBelow("/")], [false, false]);
});

Deno.test("Exclusions denies what a link on the way, or in its place, leads to", () => {
  using tree = new TempTree({
    "real/deep/secret": "",
    "real/deep/key.pem": "",
    "link": { link: "@/real" },
    "direct": { link: "real/deep/secret" },
    "twice": { link: "@/direct" },
    "far.pem": { link: "@/real/deep/key.pem" },
    "gone": { link: "@/real/deep/absent" },
    "gone.pem": { link: "real/deep/absent.pem" },
    "loop": { link: "@/loop" },
  });
  const cases: readonly { in: string; covers: readonly string[] }[] = [
    { in: "link/deep/secret", covers: ["link/deep/secret", "real/deep/secret"] },
    { in: "link/deep/absent", covers: ["real/deep/absent"] },
    {
      in: "link/*/secret".replace("*/", "deep/s*").replace("secret", ""),
      covers: ["real/deep/secret"],
    },
    { in: "direct", covers: ["direct", "real/deep/secret"] },
    { in: "twice", covers: ["twice", "real/deep/secret"] },
    { in: "*.pem", covers: ["far.pem", "real/deep/key.pem", "gone.pem", "real/deep/absent.pem"] },
    { in: "gone", covers: ["gone", "real/deep/absent"] },
    { in: "loop", covers: ["loop"] },
  ];
  for (const { in: pattern, covers } of cases) {
    const exclusions = new Exclusions([tree.at(pattern)]);
    for (const path of covers) {
      assertEquals(exclusions.covers(tree.at(path)), true, `${pattern} covers ${path}`);
      assertEquals(exclusions.liesBelow(tree.path), true);
    }
    assertEquals(exclusions.covers(tree.at("real/other")), false);
  }
});

Deno.test("realPathOfMaybeAbsent resolves what exists and keeps the rest", () => {
  using tree = new TempTree({ "real/a": "", "link": { link: "real" } });
  const cases = [
    { in: "link/a", want: "real/a" },
    { in: "link", want: "real" },
    { in: "link/x/y/z", want: "real/x/y/z" },
    { in: "x/y", want: "x/y" },
    { in: "real/a/x", want: "real/a/x" },
  ];
  for (const { in: path, want } of cases) {
    assertEquals(realPathOfMaybeAbsent(tree.at(path)), tree.at(want), path);
  }
  assertEquals(realPathOfMaybeAbsent("/"), "/");
});
