import { assertEquals, assertThrows } from "@std/assert";
import { UsageError } from "../../src/errors.ts";
import { checkWorkspace, findWorkspace } from "../../src/sandbox/workspace.ts";
import { TempTree } from "./temp_tree.ts";

const FILES = {
  "home/project/.git/HEAD": "",
  "home/project/src/deep/file": "",
  "home/worktree/.git": "gitdir: elsewhere",
  "home/worktree/src/file": "",
  "home/plain/sub/file": "",
  "home/.local/state/debrief/journal": "",
  "link": { link: "@/home/project/src" },
  "homelink": { link: "@/home" },
} as const;

function context(tree: TempTree, home = "home", state = "home/.local/state/debrief") {
  return { home: tree.at(home), state: tree.at(state) };
}

Deno.test("findWorkspace finds the nearest directory with .git, else takes the current one", () => {
  using tree = new TempTree(FILES);
  const cases = [
    { in: "home/project", want: "home/project" },
    { in: "home/project/src/deep", want: "home/project" },
    { in: "home/worktree/src", want: "home/worktree" },
    { in: "home/plain/sub", want: "home/plain/sub" },
    { in: "link/deep", want: "home/project" },
    { in: "link", want: "home/project" },
  ];
  for (const { in: cwd, want } of cases) {
    assertEquals(findWorkspace({ cwd: tree.at(cwd), ...context(tree) }), tree.at(want), cwd);
  }
});

/** What a workspace must not be, with the words of the refusal. */
const REFUSED = [
  { in: "/", want: "it is the whole file system" },
  { in: "/proc/self/root", want: "it is the whole file system" },
  { in: "home", want: "it is the home directory" },
  { in: "homelink", want: "it is the home directory" },
  { in: "", want: "it holds the home directory" },
  { in: "home/.local/state", want: "it holds Debrief's own state" },
  { in: "home/.local/state/debrief", want: "it holds Debrief's own state" },
];

Deno.test("findWorkspace and checkWorkspace refuse what would hand over the user's files", () => {
  using tree = new TempTree(FILES);
  for (const { in: name, want } of REFUSED) {
    const path = name.startsWith("/") ? name : tree.at(name);
    const message = `as the workspace: ${want}`;
    assertThrows(() => findWorkspace({ cwd: path, ...context(tree) }), UsageError, message);
    assertThrows(() => checkWorkspace(path, context(tree)), UsageError, message);
  }
  assertEquals(checkWorkspace(tree.at("link"), context(tree)), tree.at("home/project/src"));
});

Deno.test("findWorkspace takes no directory of the system, checkWorkspace the one that is named", () => {
  using tree = new TempTree(FILES);
  for (const path of ["/usr", "/usr/bin", "/usr/share/doc", "/etc", "/proc/self/fd", "/var/lib"]) {
    assertThrows(
      () => findWorkspace({ cwd: path, ...context(tree) }),
      UsageError,
      "it belongs to the system",
    );
  }
  assertEquals(checkWorkspace("/usr/share", context(tree)), "/usr/share");
});

Deno.test("findWorkspace refuses a repository that is the home directory, also from below it", () => {
  using tree = new TempTree({ ...FILES, "home/.git/HEAD": "" });
  const cwd = tree.at("home/plain/sub");
  assertThrows(
    () => findWorkspace({ cwd, ...context(tree) }),
    UsageError,
    "it is the home directory",
  );
  assertEquals(
    findWorkspace({ cwd: tree.at("home/project/src"), ...context(tree) }),
    tree.at("home/project"),
  );
});

Deno.test("checkWorkspace sees the home directory and the state through links", () => {
  using tree = new TempTree({ ...FILES, "statelink": { link: "@/home/plain/sub" } });
  const home = context(tree, "homelink");
  assertThrows(() => checkWorkspace(tree.at("home"), home), UsageError, "it is the home directory");
  assertThrows(() => checkWorkspace(tree.path, home), UsageError, "it holds the home directory");
  const state = context(tree, "home", "statelink/debrief");
  assertThrows(
    () => checkWorkspace(tree.at("home/plain"), state),
    UsageError,
    "it holds Debrief's own state",
  );
});

Deno.test("findWorkspace and checkWorkspace refuse what is no directory", () => {
  using tree = new TempTree(FILES);
  for (const name of ["absent", "home/project/src/deep/file"]) {
    const path = tree.at(name);
    assertThrows(() => checkWorkspace(path, context(tree)), UsageError, "it is not a directory");
    assertThrows(
      () => findWorkspace({ cwd: path, ...context(tree) }),
      UsageError,
      `Cannot work in "${path}": it is not a directory`,
    );
  }
});
