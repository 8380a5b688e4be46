import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Exclusions } from "../../src/sandbox/exclusions.ts";
import { grantTree, isCurrent } from "../../src/sandbox/grants.ts";
import type { PathGrant } from "../../src/sandbox/restrict.ts";
import { TempTree, type TreeEntry } from "./temp_tree.ts";

const FILES: Readonly<Record<string, TreeEntry>> = {
  "a/one": "",
  "a/two.key": "",
  "a/deep/three": "",
  "b/four": "",
  "c": "",
  "empty": { directory: true },
};

function grant(tree: TempTree, deny: readonly string[], root = "") {
  const exclusions = new Exclusions(deny.map((name) => tree.at(name)));
  return grantTree(tree.at(root), { exclusions, read: true, write: false });
}

/** What is granted to be read, and what may only be listed (with a slash), relative to the tree. */
function shown(tree: TempTree, paths: readonly PathGrant[]): readonly string[] {
  return paths.map((entry) => {
    const name = entry.path.slice(tree.path.length + 1) || ".";
    assertEquals(entry.write, false);
    return entry.read ? name : `${name}/`;
  });
}

Deno.test("grantTree grants a directory whole, or entry by entry around what is denied", () => {
  const cases: readonly { deny: readonly string[]; root?: string; want: readonly string[] }[] = [
    { deny: [], want: ["."] },
    { deny: ["../elsewhere"], want: ["."] },
    { deny: ["a/one"], want: ["./", "a/", "a/deep", "a/two.key", "b", "c", "empty"] },
    {
      deny: ["a/deep/three"],
      want: ["./", "a/", "a/deep/", "a/one", "a/two.key", "b", "c", "empty"],
    },
    { deny: ["a"], want: ["./", "b", "c", "empty"] },
    { deny: ["a/absent"], want: ["./", "a/", "a/deep", "a/one", "a/two.key", "b", "c", "empty"] },
    { deny: ["a/*.key"], want: ["./", "a/", "a/deep", "a/one", "b", "c", "empty"] },
    { deny: ["a/*"], want: ["./", "a/", "b", "c", "empty"] },
    { deny: ["?"], want: ["./", "empty"] },
    { deny: ["a/one", "b"], root: "a", want: ["a/", "a/deep", "a/two.key"] },
    { deny: ["a"], root: "a/deep", want: [] },
    { deny: [""], want: [] },
    { deny: ["a"], root: "c", want: ["c"] },
    { deny: [], root: "absent", want: [] },
  ];
  for (const { deny, root, want } of cases) {
    using tree = new TempTree(FILES);
    assertEquals(shown(tree, grant(tree, deny, root).paths), want, `${deny} in ${root ?? "."}`);
  }
});

Deno.test("grantTree tells directories and devices from files", () => {
  using tree = new TempTree(FILES);
  const kinds = [
    { in: tree.path, directory: true, device: false },
    { in: tree.at("c"), directory: false, device: false },
    { in: "/dev/null", directory: false, device: true },
  ];
  for (const { in: path, directory, device } of kinds) {
    const { paths } = grantTree(path, { exclusions: new Exclusions([]), read: true, write: true });
    assertEquals(paths, [{ path, read: true, write: true, list: false, directory, device }]);
  }
  const exclusions = new Exclusions([tree.at("c")]);
  const write = grantTree(tree.path, { exclusions, read: false, write: true });
  const root = write.paths.find((entry) => entry.path === tree.path);
  assertEquals([root?.read, root?.write, root?.list ?? false], [false, false, false]);
});

Deno.test("grantTree follows no link inside a split directory", () => {
  using tree = new TempTree({
    ...FILES,
    "a/out": { link: "/etc" },
    "a/in": { link: "@/b" },
    "a/dangling": { link: "@/absent" },
  });
  assertEquals(shown(tree, grant(tree, ["a/one"], "a").paths), ["a/", "a/deep", "a/two.key"]);
  // A link as the root is not followed either: the caller resolves it first.
  assertEquals(grant(tree, [], "a/out").paths, []);
});

Deno.test("isCurrent sees what replaced a granted path or changed a split directory", () => {
  const changes: readonly {
    name: string;
    root: string;
    change: (tree: TempTree) => void;
    want: boolean;
  }[] = [
    { name: "nothing", root: "", change: () => {}, want: true },
    {
      name: "a file written in place",
      root: "c",
      change: (tree) => Deno.writeTextFileSync(tree.at("c"), "new"),
      want: true,
    },
    {
      name: "a file replaced by renaming over it",
      root: "c",
      change: (tree) => {
        tree.add("new", "");
        Deno.renameSync(tree.at("new"), tree.at("c"));
      },
      want: false,
    },
    {
      name: "a file removed",
      root: "c",
      change: (tree) => Deno.removeSync(tree.at("c")),
      want: false,
    },
    {
      name: "a directory replaced by a link to itself",
      root: "b",
      change: (tree) => {
        Deno.renameSync(tree.at("b"), tree.at("moved"));
        Deno.symlinkSync(tree.at("moved"), tree.at("b"));
      },
      want: false,
    },
    {
      name: "a file created in a split directory",
      root: "a",
      change: (tree) => tree.add("a/new", ""),
      want: false,
    },
    {
      name: "the denied file itself created in a split directory",
      root: "a",
      change: (tree) => tree.add("a/denied", ""),
      want: false,
    },
    {
      name: "an entry of a split directory replaced",
      root: "a",
      change: (tree) => Deno.renameSync(tree.at("a/two.key"), tree.at("a/one")),
      want: false,
    },
    {
      name: "a file created in a whole directory",
      root: "b",
      change: (tree) => tree.add("b/new", ""),
      want: true,
    },
    {
      name: "a file created outside",
      root: "a",
      change: (tree) => tree.add("new", ""),
      want: true,
    },
  ];
  for (const { name, root, change, want } of changes) {
    using tree = new TempTree(FILES);
    // Older kernels count changes in ticks: one within the same tick as the directory's creation could not be seen.
    for (const directory of ["", "a"]) Deno.utimeSync(tree.at(directory), 1, 1);
    const { watched } = grant(tree, ["a/denied"], root);
    assertEquals(watched.length > 0, true, name);
    assertEquals(isCurrent(watched), true, name);
    change(tree);
    assertEquals(isCurrent(watched), want, name);
  }
});

/** Names that collide often, so that denies, links and files meet. */
const NAME = fc.constantFrom("a", "b", "c", "ab", "k.pem");
const PATH = fc.array(NAME, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const GLOB = fc.tuple(fc.option(PATH, { nil: "" }), fc.constantFrom("*", "?", "a*", "*.pem", "??"))
  .map(([directory, glob]) => directory === "" ? glob : `${directory}/${glob}`);
const ENTRY = fc.oneof(
  { weight: 4, arbitrary: fc.constant<TreeEntry>("") },
  { weight: 1, arbitrary: PATH.map((target): TreeEntry => ({ link: `@/${target}` })) },
);

function build(entries: readonly (readonly [string, TreeEntry])[]): TempTree {
  const tree = new TempTree();
  for (const [name, entry] of entries) {
    try {
      tree.add(name, entry);
    } catch {
      // Something else stands there already: a file where a directory would have to be, or a link that leads nowhere.
    }
  }
  return tree;
}

/** Every file and directory below a path that is reached without a link. */
function* walk(path: string): Generator<{ readonly path: string; readonly leaf: boolean }> {
  const names = Deno.lstatSync(path).isDirectory ? [...Deno.readDirSync(path)] : [];
  yield { path, leaf: names.length === 0 };
  for (const { name, isSymlink } of names) if (!isSymlink) yield* walk(`${path}/${name}`);
}

Deno.test("grantTree covers exactly what is not denied, whatever the tree and the denies", () => {
  const covers = (entry: PathGrant, path: string) =>
    path === entry.path || (entry.directory && path.startsWith(`${entry.path}/`));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(PATH, ENTRY), { maxLength: 14 }),
      fc.array(fc.oneof(PATH, GLOB), { maxLength: 5 }),
      (entries, deny) => {
        using tree = build(entries);
        const exclusions = new Exclusions(deny.map((name) => tree.at(name)));
        const { paths, watched } = grantTree(tree.path, { exclusions, read: true, write: true });
        const granted = paths.filter((entry) => entry.read || entry.write);
        for (const { path, leaf } of walk(tree.path)) {
          const within = granted.some((entry) => covers(entry, path));
          if (exclusions.covers(path)) assert(!within, `${path} is denied and granted`);
          // A directory that is empty and split has nothing to grant.
          else if (leaf && !exclusions.liesBelow(path)) assert(within, `${path} is not granted`);
        }
        for (const name of deny.filter((name) => !/[*?]/.test(name))) {
          assert(!granted.some((entry) => covers(entry, tree.at(name))), `${name} could appear`);
        }
        assert(isCurrent(watched));
      },
    ),
    { numRuns: 120 },
  );
});
