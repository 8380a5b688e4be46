import { assertEquals } from "@std/assert";
import { LOOKUP, openBeneath, toByteText } from "../../../src/sandbox/linux/beneath.ts";
import { close, cString, open, syscall } from "../../../src/sandbox/linux/ffi.ts";
import { AT } from "../../../src/sandbox/linux/uapi.ts";
import { ProtectedPaths } from "../../../src/sandbox/protect/protected_paths.ts";
import { type Findings, RepositoryWalk } from "../../../src/sandbox/protect/repository_walk.ts";
import { TempTree } from "../temp_tree.ts";

const REPOSITORY = { "work/.git/HEAD": "ref: refs/heads/main\n" } as const;

function need(result: number): number {
  if (result < 0) throw new Error(`errno ${-result}`);
  return result;
}

/** A chain of directories that is deeper than any path; with `using` it is gone again, level by level from the top. */
class Chain implements Disposable {
  readonly #top: number;

  constructor(top: string, levels: number) {
    this.#top = need(open(top, LOOKUP));
    let at = need(openBeneath(this.#top, "", LOOKUP));
    for (let level = 0; level < levels; level++) {
      need(syscall("mkdirat", at, cString("d"), 0o755));
      const next = need(openBeneath(at, "d", LOOKUP));
      close(at);
      at = next;
    }
    close(at);
  }

  [Symbol.dispose](): void {
    const [name, other, inner] = [cString("d"), cString("e"), cString("e/d")];
    while (syscall("renameat", this.#top, name, this.#top, other) === 0) {
      syscall("renameat", this.#top, inner, this.#top, name);
      need(syscall("unlinkat", this.#top, other, AT.REMOVEDIR));
    }
    close(this.#top);
  }
}

function walked(
  path: string,
  most?: number,
): { readonly findings: Findings; readonly gaps: readonly string[] } {
  const root = need(open(path, LOOKUP));
  const walk = new RepositoryWalk(root, () => false, most);
  const findings: Findings = { holders: [], gitDirectories: [] };
  assertEquals(walk.advance(findings, Infinity), true);
  close(root);
  return { findings, gaps: walk.gaps };
}

function protect(tree: TempTree): ProtectedPaths {
  const work = tree.at("work");
  return new ProtectedPaths({
    roots: [work],
    anchors: [work],
    paths: [],
    excepted: [],
    isWritable: (path) => path.startsWith(work),
    home: tree.at("home"),
  });
}

Deno.test("RepositoryWalk ends in a tree that is deeper than any path, says so, and the rest stays protected", () => {
  using tree = new TempTree(REPOSITORY);
  const guard = protect(tree);
  guard.begin({ quiet: true });
  Deno.mkdirSync(tree.at("work/deep"));
  using _chain = new Chain(tree.at("work/deep"), 3000);
  tree.add("work/.git/hooks/pre-commit", "evil");
  tree.add("work/z/.git/hooks/pre-commit", "evil");
  const { restored, notices } = guard.check({ all: false, walk: "whole" });
  assertEquals(restored.toSorted(), [tree.at("work/.git/hooks"), tree.at("work/z/.git/hooks")]);
  assertEquals(notices, [
    `not every repository beneath ${tree.at("work")} is protected: ` +
    "there are directories more than 256 levels or 3840 bytes deep",
  ]);
  guard.close();
});

Deno.test("RepositoryWalk ends in a tree of too many directories, and says so", () => {
  using tree = new TempTree(REPOSITORY);
  for (let name = 0; name < 48; name++) Deno.mkdirSync(tree.at(`work/${name}`));
  // The root and `.git` count.
  assertEquals(walked(tree.at("work"), 50).gaps, []);
  Deno.mkdirSync(tree.at("work/more"));
  const { findings, gaps } = walked(tree.at("work"), 50);
  assertEquals(gaps, ["there are more than 50 directories"]);
  assertEquals(findings.holders, [""]);
});

Deno.test("RepositoryWalk finds repositories whatever their names are", () => {
  using tree = new TempTree(REPOSITORY);
  const names = ["a\nb", "-rf", "tab\t", "quo'te\"", "\u{1f600}", " "];
  for (const name of names) tree.add(`work/${name}/.git/HEAD`, "x");
  // What is no UTF-8 has no text: by its bytes.
  const root = need(open(tree.at("work"), LOOKUP));
  const raw = Uint8Array.of(0xff, 0xfe, 10, 0);
  need(syscall("mkdirat", root, raw, 0o755));
  need(syscall("mkdirat", root, Uint8Array.of(0xff, 0xfe, 10, 47, ...cString(".git")), 0o755));
  close(root);
  const { findings, gaps } = walked(tree.at("work"));
  assertEquals(gaps, []);
  const want = ["", "\xff\xfe\n", ...names.map(toByteText)].sort();
  assertEquals(findings.holders.toSorted(), want);
  const inside = (name: string) => name === "" ? ".git" : `${name}/.git`;
  assertEquals(findings.gitDirectories.toSorted(), want.map(inside).sort());
});

Deno.test("ProtectedPaths puts hooks back in repositories whatever their names are", () => {
  using tree = new TempTree(REPOSITORY);
  tree.add("work/a\nb/.git/hooks/pre-commit", "mine");
  const guard = protect(tree);
  guard.begin({ quiet: true });
  for (const name of ["a\nb", "new\n"]) tree.add(`work/${name}/.git/hooks/pre-commit`, "evil");
  assertEquals(guard.check({ all: false, walk: "whole" }).restored.length, 2);
  assertEquals(Deno.readTextFileSync(tree.at("work/a\nb/.git/hooks/pre-commit")), "mine");
  assertEquals([...Deno.readDirSync(tree.at("work/new\n/.git/hooks"))], []);
  guard.close();
});
