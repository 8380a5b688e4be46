import { assertEquals } from "@std/assert";
import { TempTree } from "../temp_tree.ts";

import { CHANGES, CONFIG, FILES, HOOK } from "./protected_changes.ts";
import { protect, read, reported } from "./protected_workspace.ts";

for (const walk of ["whole", 1e9] as const) {
  Deno.test(`ProtectedPaths puts back what would run code, and nothing else (walk ${walk})`, () => {
    for (const { in: name, change, want, after } of CHANGES) {
      using tree = new TempTree(FILES);
      const guard = protect(tree);
      guard.begin({ quiet: true });
      change(tree);
      const report = guard.check({ all: false, walk });
      assertEquals(reported(tree, report.restored), [...want], name);
      assertEquals(report.notices, [], name);
      for (const [path, content] of Object.entries(after)) {
        assertEquals(read(tree, `work/${path}`), content, `${name}: ${path}`);
      }
      assertEquals(read(tree, "outside/victim"), "unharmed\n", name);
      assertEquals([...Deno.readDirSync(tree.at("outside"))].length, 1, name);
      assertEquals(guard.check({ all: true, walk: "whole" }).restored, [], `${name}, again`);
      guard.close();
    }
  });
}

Deno.test("ProtectedPaths takes what changed while nothing of the session ran for the user's own", () => {
  using tree = new TempTree(FILES);
  const guard = protect(tree);
  tree.add("work/.git/config", CONFIG + "[core]\n\tpager = less\n");
  tree.add("work/.git/hooks/post-commit", HOOK);
  guard.begin({ quiet: true });
  assertEquals(guard.check({ all: true, walk: "whole" }).restored, []);
  // While processes run it may have been theirs.
  tree.add("work/.git/hooks/post-merge", HOOK);
  guard.begin({ quiet: false });
  assertEquals(reported(tree, guard.check({ all: true, walk: "whole" }).restored), [".git/hooks"]);
  assertEquals(read(tree, "work/.git/hooks/post-commit"), HOOK);
  guard.close();
});

Deno.test("ProtectedPaths protects further paths, and leaves alone what the user has taken out", () => {
  using tree = new TempTree({ ...FILES, "work/ci/run.sh": "x" });
  const guard = protect(tree, {
    except: "work/.git/hooks",
    paths: ["work/ci", "work/new.sh", "outside"],
  });
  tree.add("work/.git/hooks/pre-commit", "mine");
  tree.add("work/ci/run.sh", "evil");
  tree.add("work/new.sh", "evil");
  tree.add("outside/victim", "not in a root");
  const { restored } = guard.check({ all: false, walk: "whole" });
  assertEquals(reported(tree, restored), ["ci", "new.sh"]);
  assertEquals(read(tree, "work/.git/hooks/pre-commit"), "mine");
  guard.close();
});

Deno.test("ProtectedPaths follows the configuration to hooks and further configuration", () => {
  using tree = new TempTree({
    ...FILES,
    "work/.git/config": "[core]\n\thooksPath = .husky/_\n[include]\n\tpath = ../.gitconfig\n",
    "work/.gitconfig": "[include]\n\tpath = more.config\n",
    "work/.husky/_/pre-commit": HOOK,
  });
  const guard = protect(tree);
  tree.add("work/.husky/_/pre-commit", "evil");
  tree.add("work/.husky/pre-commit", "the project's own");
  tree.add(
    "work/.gitconfig",
    "[include]\n\tpath = more.config\n[user]\n\tname = x\n[alias]\n\tx = !evil\n",
  );
  tree.add("work/more.config", "[core]\n\teditor = evil\n");
  const { restored } = guard.check({ all: false, walk: "whole" });
  assertEquals(reported(tree, restored), [
    ".gitconfig (alias.x)",
    ".husky/_",
    "more.config (core.editor)",
  ]);
  assertEquals(read(tree, "work/.husky/_/pre-commit"), HOOK);
  assertEquals(read(tree, "work/.husky/pre-commit"), "the project's own");
  guard.close();
});

Deno.test("ProtectedPaths says what it cannot keep", () => {
  using tree = new TempTree({ ...FILES, "work/.git/hooks/pre-push": "x".repeat(2 << 20) });
  const guard = protect(tree);
  const { notices } = guard.check({ all: false, walk: "whole" });
  assertEquals(notices, [
    `${tree.at("work/.git/hooks")} is not protected: it is too large to be kept`,
  ]);
  guard.close();
});

Deno.test("ProtectedPaths of two sessions undo what a command of one has changed, also when the other looks last or alone", () => {
  for (const { in: name, change, want, after } of CHANGES) {
    for (const crash of [false, true]) {
      using tree = new TempTree(FILES);
      const first = protect(tree, { shared: true });
      first.begin({ quiet: true });
      change(tree);
      // Begins while the change is there, and goes on when the first has ended or was killed.
      const second = protect(tree, { shared: true });
      second.begin({ quiet: true });
      if (!crash) {
        const report = first.check({ all: false, walk: "whole" });
        assertEquals(reported(tree, report.restored), [...want], name);
      }
      first.close();
      second.check({ all: false, walk: "whole" });
      for (const [path, content] of Object.entries(after)) {
        assertEquals(read(tree, `work/${path}`), content, `${name}, ${crash}: ${path}`);
      }
      assertEquals(read(tree, "outside/victim"), "unharmed\n", name);
      assertEquals(second.check({ all: true, walk: "whole" }).restored, [], `${name}, again`);
      second.close();
    }
  }
});

Deno.test("ProtectedPaths of a session that rests leave the user's changes to the user", () => {
  using tree = new TempTree(FILES);
  const first = protect(tree, { shared: true });
  const second = protect(tree, { shared: true });
  first.begin({ quiet: true });
  tree.add("work/made/.git/hooks/pre-commit", "evil");
  assertEquals(first.check({ all: false, walk: 0 }).restored, []);
  first.rest();
  tree.add("work/.git/hooks/post-commit", HOOK);
  second.begin({ quiet: true });
  const third = protect(tree, { shared: true });
  third.begin({ quiet: true });
  // It has not looked for new repositories yet: what it will find is none of the user's.
  assertEquals(reported(tree, third.check({ all: true, walk: "whole" }).restored), [
    "made/.git/hooks",
  ]);
  assertEquals(read(tree, "work/.git/hooks/post-commit"), HOOK);
  // Positive control: from one that is busy nothing is taken for the user's.
  first.begin({ quiet: true });
  tree.add("work/.git/hooks/post-commit", "evil");
  third.begin({ quiet: true });
  assertEquals(reported(tree, third.check({ all: true, walk: "whole" }).restored), [".git/hooks"]);
  assertEquals(read(tree, "work/.git/hooks/post-commit"), HOOK);
  for (const one of [first, second, third]) one.close();
});

Deno.test("ProtectedPaths leave alone what another session has taken out of its protection", () => {
  using tree = new TempTree(FILES);
  const first = protect(tree, { shared: true, except: "work/nested" });
  first.begin({ quiet: true });
  const second = protect(tree, { shared: true });
  second.begin({ quiet: true });
  assertEquals(second.check({ all: true, walk: "whole" }).restored, []);
  assertEquals(read(tree, "work/nested/.git/hooks/pre-commit"), HOOK);
  for (const one of [first, second]) one.close();
});

Deno.test("ProtectedPaths of a workspace and of one inside it share what both protect", () => {
  for (const [one, other] of [["work", "work/nested"], ["work/nested", "work"]] as const) {
    using tree = new TempTree(FILES);
    const first = protect(tree, { shared: true, work: one });
    first.begin({ quiet: true });
    tree.add("work/nested/.git/hooks/pre-commit", "evil");
    tree.add("work/nested/.git/config", CONFIG + "[core]\n\tpager = evil\n");
    const second = protect(tree, { shared: true, work: other });
    second.begin({ quiet: true });
    first.check({ all: false, walk: "whole" });
    first.close();
    second.check({ all: false, walk: "whole" });
    assertEquals(read(tree, "work/nested/.git/hooks/pre-commit"), HOOK, one);
    assertEquals(read(tree, "work/nested/.git/config")?.includes("pager"), false, one);
    second.close();
  }
});
