import { assertEquals } from "@std/assert";
import { TempTree } from "../temp_tree.ts";
import { CONFIG, FILES, HOOK } from "./protected_changes.ts";
import { protect, read, reported } from "./protected_workspace.ts";

/** A repository whose configuration is as large as one that is kept, without a key that runs code. */
function addLargeRepository(tree: TempTree, path: string): void {
  tree.add(`${path}/HEAD`, "ref: refs/heads/main\n");
  tree.add(`${path}/objects`, { directory: true });
  tree.add(`${path}/refs`, { directory: true });
  tree.add(`${path}/config`, `#${"x".repeat((1 << 20) - 2)}\n`);
}

Deno.test("ProtectedPaths protects the workspace's own repository whatever an earlier command has left beside it", () => {
  using tree = new TempTree(FILES);
  // On both sides of `.git`, in whatever order a directory is listed.
  for (let index = 0; index < 40; index++) addLargeRepository(tree, `work/${index}`);
  const guard = protect(tree);
  guard.begin({ quiet: true });
  tree.add("work/.git/config", `${CONFIG}[core]\n\tfsmonitor = x\n`);
  tree.add("work/.git/hooks/post-commit", HOOK);
  tree.add("work/.envrc", "x");
  guard.check({ all: true, walk: "whole" });
  assertEquals(read(tree, "work/.git/config")?.includes("fsmonitor"), false);
  assertEquals(read(tree, "work/.git/hooks/post-commit"), null);
  assertEquals(read(tree, "work/.envrc"), null);
  guard.close();
});

Deno.test("ProtectedPaths protects what is absent even where too much else is there to be kept", () => {
  using tree = new TempTree(FILES);
  for (let index = 0; index < 40; index++) addLargeRepository(tree, `work/${index}`);
  tree.add("work/late/.git/HEAD", "ref: refs/heads/main\n");
  const guard = protect(tree);
  guard.begin({ quiet: true });
  tree.add("work/late/.git/hooks/post-commit", HOOK);
  tree.add("work/late/.envrc", "x");
  guard.check({ all: true, walk: "whole" });
  assertEquals(read(tree, "work/late/.git/hooks/post-commit"), null);
  assertEquals(read(tree, "work/late/.envrc"), null);
  guard.close();
});

/** A git index (version 2) with one entry. */
function indexOf(name: string): Uint8Array {
  const size = (62 + name.length + 8) & ~7;
  const bytes = new Uint8Array(12 + size + 20);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode("DIRC"));
  view.setUint32(4, 2);
  view.setUint32(8, 1);
  view.setUint16(12 + 60, name.length);
  bytes.set(new TextEncoder().encode(name), 12 + 62);
  return bytes;
}

Deno.test("ProtectedPaths removes an index from which git would write where it never does", () => {
  const directories = ["", "nested/", "bare/"];
  const cases = [
    { in: "index", name: "src/file", want: true },
    { in: "index", name: ".git/hooks/post-checkout", want: false },
    { in: "index", name: "/etc/x", want: false },
    { in: `sharedindex.${"0".repeat(40)}`, name: "../x", want: false },
    { in: "indexes", name: "../x", want: true },
  ];
  for (const directory of directories) {
    for (const { in: file, name, want } of cases) {
      using tree = new TempTree(FILES);
      const guard = protect(tree);
      guard.begin({ quiet: true });
      const git = directory === "bare/" ? "work/bare" : `work/${directory}.git`;
      for (const part of ["objects", "refs"]) tree.add(`${git}/${part}`, { directory: true });
      tree.add(`${git}/HEAD`, "ref: refs/heads/main\n");
      Deno.writeFileSync(tree.at(`${git}/${file}`), indexOf(name));
      const { restored } = guard.check({ all: false, walk: "whole" });
      const left = read(tree, `${git}/${file}`) !== null;
      assertEquals([left, restored.length], [want, want ? 0 : 1], `${git}/${file}: ${name}`);
      guard.close();
    }
  }
});

Deno.test("ProtectedPaths removes an index that is a link", () => {
  using tree = new TempTree(FILES);
  const guard = protect(tree);
  guard.begin({ quiet: true });
  Deno.writeFileSync(tree.at("work/other"), indexOf("/etc/x"));
  Deno.symlinkSync("../other", tree.at("work/.git/index"));
  const { restored } = guard.check({ all: false, walk: "whole" });
  assertEquals(reported(tree, restored), [".git/index (it is no file)"]);
  assertEquals(read(tree, "work/.git/index"), null);
  guard.close();
});

Deno.test("ProtectedPaths knows the hooks of the user's configuration through links and includes", () => {
  const home = {
    "home/.gitconfig": { link: "@/home/dotfiles/gitconfig" },
    "home/dotfiles/gitconfig": "[include]\n\tpath = ~/work.config\n[include]\n\tpath = loop\n",
    "home/loop": "[include]\n\tpath = loop\n",
    "home/work.config": "[core]\n\thooksPath = .shared-hooks\n",
  };
  using tree = new TempTree({ ...FILES, ...home });
  const guard = protect(tree);
  guard.begin({ quiet: true });
  tree.add("work/.shared-hooks/pre-commit", HOOK);
  const { restored } = guard.check({ all: false, walk: "whole" });
  assertEquals(reported(tree, restored), [".shared-hooks"]);
  guard.close();
});

Deno.test("ProtectedPaths protects what the user's own links among hooks and settings lead to", () => {
  using tree = new TempTree(FILES);
  tree.add("work/scripts/hook", HOOK);
  tree.add("work/kept", CONFIG);
  tree.add("work/free", "x");
  Deno.symlinkSync("../../../scripts/hook", `${tree.path}/work/nested/.git/hooks/post-merge`);
  Deno.removeSync(`${tree.path}/work/nested/.git/config`);
  Deno.symlinkSync("../../kept", `${tree.path}/work/nested/.git/config`);
  const guard = protect(tree);
  guard.begin({ quiet: true });
  tree.add("work/scripts/hook", "evil");
  tree.add("work/kept", `${CONFIG}[core]\n\tfsmonitor = x\n`);
  tree.add("work/free", "y");
  guard.check({ all: true, walk: "whole" });
  assertEquals(read(tree, "work/scripts/hook"), HOOK);
  assertEquals(read(tree, "work/kept"), CONFIG);
  assertEquals(read(tree, "work/free"), "y");
  guard.close();
});

Deno.test("ProtectedPaths removes an index that commands have made too large to be looked at, not the user's own", () => {
  const size = (1 << 26) + 1;
  const cases = [{ before: 0, want: null }, { before: size, want: size }];
  for (const { before, want } of cases) {
    using tree = new TempTree(FILES);
    tree.add("work/nested/.git/index", "");
    const path = tree.at("work/nested/.git/index");
    Deno.truncateSync(path, before);
    const guard = protect(tree);
    guard.begin({ quiet: true });
    Deno.truncateSync(path, size);
    Deno.utimeSync(path, 1, 1);
    const { notices } = guard.check({ all: true, walk: "whole" });
    const left = [...Deno.readDirSync(tree.at("work/nested/.git"))]
      .some(({ name }) => name === "index");
    assertEquals(left ? Deno.statSync(path).size : null, want);
    assertEquals(notices.some((notice) => notice.includes("too large")), want !== null);
    guard.close();
  }
});
