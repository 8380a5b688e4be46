import { assertEquals } from "@std/assert";
import { LOOKUP, openBeneath, toByteText } from "../../../src/sandbox/linux/beneath.ts";
import { close, open } from "../../../src/sandbox/linux/ffi.ts";
import { captureState, sameState } from "../../../src/sandbox/protect/file_state.ts";
import { DOOMED, putBack } from "../../../src/sandbox/protect/put_back.ts";
import { TempTree } from "../temp_tree.ts";

const BUDGET = 1 << 24;
const FILES = {
  "root/a/.git/hooks/pre-commit": "#!/bin/sh\n",
  "root/a/.git/hooks/x.sample": "sample\n",
  "root/a/.git/config": "[core]\n",
  "root/a/link": { link: "config" },
  "outside/victim": "unharmed\n",
} as const;

/** Everything beneath a directory, by name. */
function picture(path: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, isDirectory, isSymlink } of Deno.readDirSync(path)) {
    const full = `${path}/${name}`;
    const shown = name.startsWith(DOOMED) ? DOOMED : name;
    if (isSymlink) found[shown] = `-> ${Deno.readLinkSync(full)}`;
    else if (!isDirectory) {
      const mode = (Deno.lstatSync(full).mode! & 0o777).toString(8);
      found[shown] = `${mode} ${Deno.readTextFileSync(full)}`;
    } else {
      for (const [inner, what] of Object.entries(picture(full))) found[`${shown}/${inner}`] = what;
    }
  }
  return found;
}

/** Ways to change `a/.git/hooks`, and what is left to remove. */
const CHANGES: readonly {
  readonly in: string;
  readonly change: (at: (name: string) => string) => void;
  readonly doomed?: number;
}[] = [
  { in: "nothing", change: () => {} },
  { in: "content", change: (at) => Deno.writeTextFileSync(at("a/.git/hooks/pre-commit"), "evil") },
  { in: "mode", change: (at) => Deno.chmodSync(at("a/.git/hooks/pre-commit"), 0o755) },
  { in: "a new file", change: (at) => Deno.writeTextFileSync(at("a/.git/hooks/post-commit"), "") },
  { in: "deleted", change: (at) => Deno.removeSync(at("a/.git/hooks/pre-commit")) },
  { in: "all deleted", change: (at) => Deno.removeSync(at("a/.git"), { recursive: true }) },
  {
    in: "a link in its place",
    change: (at) => {
      Deno.removeSync(at("a/.git/hooks/pre-commit"));
      Deno.symlinkSync("../../../../outside/victim", at("a/.git/hooks/pre-commit"));
    },
  },
  {
    in: "a link instead of the directory",
    change: (at) => {
      Deno.renameSync(at("a/.git/hooks"), at("a/.git/old"));
      Deno.symlinkSync("../../../outside", at("a/.git/hooks"));
    },
  },
  {
    in: "a link instead of a directory above",
    change: (at) => {
      Deno.renameSync(at("a/.git"), at("a/old"));
      Deno.symlinkSync("../../outside", at("a/.git"));
    },
  },
  {
    in: "a file instead of a directory above",
    change: (at) => {
      Deno.renameSync(at("a/.git"), at("old"));
      Deno.writeTextFileSync(at("a/.git"), "");
    },
  },
  {
    in: "a directory instead of a file",
    change: (at) => {
      Deno.removeSync(at("a/.git/hooks/pre-commit"));
      Deno.mkdirSync(at("a/.git/hooks/pre-commit/deep"), { recursive: true });
    },
    doomed: 1,
  },
  {
    in: "a new tree",
    change: (at) => Deno.mkdirSync(at("a/.git/hooks/t/deep"), { recursive: true }),
    doomed: 1,
  },
  { in: "an empty directory", change: (at) => Deno.mkdirSync(at("a/.git/hooks/t")) },
  {
    in: "rights of the directory",
    change: (at) => {
      Deno.writeTextFileSync(at("a/.git/hooks/new"), "");
      Deno.chmodSync(at("a/.git/hooks"), 0o000);
    },
  },
  {
    in: "rights of a directory above",
    change: (at) => {
      Deno.writeTextFileSync(at("a/.git/hooks/new"), "");
      Deno.chmodSync(at("a"), 0o000);
    },
  },
];

Deno.test("putBack undoes what captureState sees, through no link", () => {
  for (const { in: name, change, doomed = 0 } of CHANGES) {
    using tree = new TempTree(FILES);
    const at = (path: string) => tree.at(`root/${path}`);
    const before = picture(at("a/.git/hooks"));
    const root = open(tree.at("root"), LOOKUP);
    const path = toByteText("a/.git/hooks");
    const { state } = captureState(root, path, { budget: BUDGET });
    change(at);
    const changed = captureState(root, path, { budget: BUDGET }).state;
    assertEquals(sameState(state, changed), name === "nothing", name);
    const result = putBack(root, path, { state });
    close(root);
    assertEquals(result.problem, null, name);
    assertEquals(result.doomed.length, doomed, name);
    for (const left of result.doomed) Deno.removeSync(at(left), { recursive: true });
    assertEquals(picture(at("a/.git/hooks")), before, name);
    assertEquals(picture(tree.at("outside")), { victim: "644 unharmed\n" }, name);
  }
});

Deno.test("putBack removes what was absent, whatever it is, and makes nothing for it", () => {
  const cases: readonly ((at: (name: string) => string) => void)[] = [
    (at) => Deno.writeTextFileSync(at("new"), ""),
    (at) => Deno.symlinkSync("../outside/victim", at("new")),
    (at) => Deno.symlinkSync("nowhere", at("new")),
    (at) => Deno.mkdirSync(at("new")),
    () => {},
  ];
  for (const change of cases) {
    using tree = new TempTree(FILES);
    const before = picture(tree.path);
    const root = open(tree.at("root"), LOOKUP);
    change((name) => tree.at(`root/${name}`));
    assertEquals(putBack(root, "new", { state: { kind: "absent" } }), {
      problem: null,
      doomed: [],
    });
    assertEquals(putBack(root, "not/there", { state: { kind: "absent" } }).problem, null);
    close(root);
    assertEquals(picture(tree.path), before);
  }
});

Deno.test("putBack lets a directory keep the names that it may, and brings links back", () => {
  using tree = new TempTree(FILES);
  const root = open(tree.at("root"), LOOKUP);
  const ignores = (name: string) => name.endsWith(".sample");
  const { state } = captureState(root, "a/.git/hooks", { budget: BUDGET, ignores });
  tree.add("root/a/.git/hooks/y.sample", "new sample\n");
  Deno.removeSync(tree.at("root/a/.git/hooks/x.sample"));
  assertEquals(
    sameState(state, captureState(root, "a/.git/hooks", { budget: BUDGET, ignores }).state),
    true,
  );
  tree.add("root/a/.git/hooks/evil", "");
  assertEquals(putBack(root, "a/.git/hooks", { state, keeps: ignores }).problem, null);
  assertEquals(Object.keys(picture(tree.at("root/a/.git/hooks"))).sort(), [
    "pre-commit",
    "y.sample",
  ]);
  const link = captureState(root, "a/link", { budget: BUDGET }).state;
  Deno.removeSync(tree.at("root/a/link"));
  tree.add("root/a/link/x", "");
  assertEquals(putBack(root, "a/link", { state: link }).doomed.length, 1);
  assertEquals(Deno.readLinkSync(tree.at("root/a/link")), "config");
  close(root);
});

Deno.test("openBeneath leaves the directory neither by .. nor by a link nor by /", () => {
  using tree = new TempTree({ ...FILES, "root/out": { link: "../outside" } });
  const root = open(tree.at("root"), LOOKUP);
  for (
    const path of ["../outside", "out/victim", "out", "/", "a/../../outside", "a/.git/../link/x"]
  ) {
    const fd = openBeneath(root, path, LOOKUP);
    if (fd >= 0) close(fd);
    assertEquals(fd < 0, true, path);
  }
  const fd = openBeneath(root, "a/.git", LOOKUP);
  assertEquals(fd >= 0, true);
  close(fd);
  close(root);
});
