import { assert, assertEquals, assertObjectMatch } from "@std/assert";
import fc from "fast-check";
import { checkRun } from "../../src/policy/check.ts";
import { decideEnv, decideNet, decidePath } from "../../src/policy/match.ts";
import { narrowPolicy } from "../../src/policy/narrow.ts";
import { policyOf } from "./fixture.ts";

Deno.test("narrowPolicy() keeps what both allow and what either denies", () => {
  const outer = policyOf({
    read: { allow: ["/usr", "/srv/a"], deny: ["/usr/secret"] },
    net: ["*.example.com", "a.test:1", "b.test"],
    env: ["LC_*", "PATH", "HOME"],
    run: ["git", "npm run *", "py*"],
  });
  const inner = policyOf({
    read: { allow: ["/usr/lib", "/srv", "/opt"], deny: ["/srv/a/b"] },
    net: ["api.example.com:443", "a.test:2", "*.b.test", "b.test:5"],
    env: ["LC_ALL", "P*", "USER"],
    run: ["git status", "npm", "python3 -V", "deno"],
  });
  const both = narrowPolicy(outer, inner);
  assertEquals(both.read.allow.map((rule) => rule.pattern), ["/usr/lib", "/srv/a"]);
  assertEquals(both.read.deny.map((rule) => rule.pattern), ["/usr/secret", "/srv/a/b"]);
  assertEquals(both.net.allow.map((rule) => rule.pattern), ["api.example.com:443", "b.test:5"]);
  assertEquals(both.env.allow.map((rule) => rule.pattern), ["LC_ALL", "PATH"]);
  assertEquals(both.run.allow.map((rule) => rule.pattern), [
    "git status",
    "npm run *",
    "python3 -V",
  ]);
});

Deno.test("narrowPolicy() takes the tighter bound of each", () => {
  const outer = policyOf({
    enforcement: "required",
    limits: { timeout: 0, grace: 9 },
    output: { maxChars: 10, spoolBytes: 7 },
    redact: {
      env: ["A"],
      rules: [{ name: "x", pattern: "1" }],
      values: ["/a"],
      allow: ["sample-1", "both"],
    },
  });
  const inner = policyOf({
    enforcement: "best-effort",
    limits: { timeout: 30, grace: 1 },
    output: { maxLines: 5, maxTokens: 300 },
    redact: {
      env: ["B"],
      rules: [{ name: "x", pattern: "2" }],
      values: ["/b"],
      allow: ["both", "sample-2"],
    },
  });
  for (const both of [narrowPolicy(outer, inner), narrowPolicy(inner, outer)]) {
    assertEquals(both.enforcement, "required");
    assertObjectMatch(both.limits, { timeoutMs: 30_000, graceMs: 1000 });
    assertEquals(both.output, { maxChars: 10, maxLines: 5, maxTokens: 300, spoolBytes: 7 });
    assertEquals(both.redact.env.toSorted(), ["A", "B"]);
    assertEquals(both.redact.rules.map((rule) => rule.pattern).toSorted(), ["1", "2"]);
    assertEquals(both.redact.values.map((file) => file.pattern).toSorted(), ["/a", "/b"]);
    assertEquals(both.redact.allow, ["both"]);
  }
});

Deno.test("narrowPolicy() sets only variables that the outer policy lets in", () => {
  const outer = policyOf({ env: { allow: true, set: { KEEP: "1", DROP: "1" } } });
  const inner = policyOf({
    env: { deny: ["DROP"], set: { KEEP: "2", NEW: "2", LD_PRELOAD: "/x.so" } },
  });
  assertEquals(narrowPolicy(outer, inner).environment, { KEEP: "2", NEW: "2" });
});

const path = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 3 }).map((parts) =>
  "/" + parts.join("/")
);
const host = fc.constantFrom(
  "a.test",
  "*.a.test",
  "b.a.test",
  "*.b.a.test",
  "10.0.0.1",
  "10.0.0.0/8",
  "10.0.0.0/30",
);
const net = fc.tuple(host, fc.constantFrom("", ":1", ":2")).map((parts) => parts.join(""));
const name = fc.constantFrom("A", "AB", "A*", "AB*", "B", "ABC");
const command = fc.constantFrom(
  "git",
  "git *",
  "git a",
  "git a b",
  "git *a",
  "g*",
  "g* a",
  "/bin/git",
  "gi* a*",
);
const list = <T>(entry: fc.Arbitrary<T>) =>
  fc.oneof(fc.boolean(), fc.array(entry, { maxLength: 3 }));
const policy = fc.record({ read: list(path), net: list(net), env: list(name), run: list(command) });

Deno.test("narrowPolicy() never allows what one of the two refuses, and for paths, addresses and variables all that both allow", () => {
  const query = fc.record({
    path,
    host: fc.constantFrom("a.test", "b.a.test", "c.b.a.test", "10.0.0.1", "10.1.0.1"),
    port: fc.constantFrom(1, 2, 3),
    name: fc.constantFrom("A", "AB", "ABC", "B", "C"),
    words: fc.constantFrom("git", "git a", "git a b", "git b", "go a", "/bin/git a", "git ba"),
  });
  fc.assert(
    fc.property(policy, policy, query, (one, other, asked) => {
      const [outer, inner] = [policyOf(one), policyOf(other)];
      const [program = "", ...args] = asked.words.split(" ");
      const decisions = [outer, inner, narrowPolicy(outer, inner)].map((each) => ({
        path: decidePath(each, { permission: "read", path: asked.path }).allowed,
        net: decideNet(each, asked).allowed,
        env: decideEnv(each, asked.name).allowed,
        run: checkRun([{ name: program, args, text: "" }], each).length === 0,
      }));
      const [first, second, both] = decisions;
      assert(first && second && both);
      for (const key of ["path", "net", "env"] as const) {
        assertEquals(both[key], first[key] && second[key], key);
      }
      assert(!both.run || (first.run && second.run), "run");
    }),
    { numRuns: 300 },
  );
});

Deno.test("narrowPolicy() lets the inner policy choose a backend only where the outer leaves it open", () => {
  const table = [
    { in: ["auto", "kernel"], want: "kernel" },
    { in: ["auto", "bubblewrap"], want: "bubblewrap" },
    { in: ["auto", "none"], want: "auto" },
    { in: ["kernel", "none"], want: "kernel" },
    { in: ["kernel", "bubblewrap"], want: "kernel" },
    { in: ["bubblewrap", "auto"], want: "bubblewrap" },
    { in: ["bubblewrap", "none"], want: "bubblewrap" },
    { in: ["none", "auto"], want: "auto" },
    { in: ["none", "kernel"], want: "kernel" },
    { in: ["none", "none"], want: "none" },
  ];
  for (const { in: [outer, inner], want } of table) {
    const { backend } = narrowPolicy(policyOf({ backend: outer }), policyOf({ backend: inner }));
    assertEquals(backend, want, `${outer} narrowed by ${inner}`);
  }
});

Deno.test("narrowPolicy() protects what either protects, and leaves to commands only what both do", () => {
  const outer = policyOf({
    protect: { add: ["/work/a"], except: ["/work/.vscode", "/work/.idea"] },
  });
  const inner = policyOf({
    protect: { add: ["/work/b"], except: ["/work/.vscode/x", "/work/.zed"] },
  });
  const { protect } = narrowPolicy(outer, inner);
  assertEquals(protect.add.map(({ pattern }) => pattern), ["/work/a", "/work/b"]);
  assertEquals(protect.except.map(({ pattern }) => pattern), ["/work/.vscode/x"]);
  assertEquals(narrowPolicy(outer, policyOf({ protect: ["/work/b"] })).protect.except, []);
});

Deno.test("narrowPolicy() executes no more than either of two lists", () => {
  const listed = (exec: readonly string[]) =>
    policyOf({ run: { allow: ["git"], exec: [...exec] } });
  const everything = policyOf({ run: { allow: true, exec: ["/all"] } });
  const exec = (outer: typeof everything, inner: typeof everything) =>
    narrowPolicy(outer, inner).executable.map(({ pattern }) => pattern);
  const cases = [
    { in: [listed(["/a", "/b/c"]), listed(["/a/d", "/b"])], want: ["/a/d", "/b/c"] },
    { in: [listed(["/a"]), listed([])], want: [] },
    { in: [listed([]), listed(["/a"])], want: [] },
    { in: [listed(["/a"]), everything], want: ["/a"] },
    { in: [everything, listed(["/a"])], want: ["/a"] },
  ];
  for (const { in: [outer, inner], want } of cases) assertEquals(exec(outer!, inner!), want);
});
