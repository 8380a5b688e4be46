import { assertEquals } from "@std/assert";
import { ProtectedPaths } from "../../../src/sandbox/protect/protected_paths.ts";
import { TempTree } from "../temp_tree.ts";

import { CHANGES, CONFIG, FILES, HOOK } from "./protected_changes.ts";

function protect(tree: TempTree, options: { except?: string; paths?: readonly string[] } = {}) {
  const work = tree.at("work");
  return new ProtectedPaths({
    roots: [work],
    anchors: [work],
    paths: (options.paths ?? []).map((path) => tree.at(path)),
    excepted: options.except === undefined ? [] : [tree.at(options.except)],
    isWritable: (path) => path === work || path.startsWith(`${work}/`),
    home: tree.at("home"),
  });
}

function read(tree: TempTree, path: string): string | null {
  try {
    const target = tree.at(path);
    return Deno.lstatSync(target).isSymlink
      ? `-> ${Deno.readLinkSync(target)}`
      : Deno.readTextFileSync(target);
  } catch {
    return null;
  }
}

function reported(tree: TempTree, restored: readonly string[]): string[] {
  return [...new Set(restored)].map((path) => path.replace(`${tree.at("work")}/`, "")).sort();
}

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
