import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  configName,
  formatEntry,
  parseGitConfig,
} from "../../../src/sandbox/protect/git_config.ts";
import { TempTree } from "../temp_tree.ts";

function names(text: string): string[] | null {
  return parseGitConfig(text)?.map((entry) =>
    entry.value === null ? configName(entry) : `${configName(entry)}\n${entry.value}`
  ) ?? null;
}

/** What git makes of a file: `git config --list -z`, null when it refuses it. */
function byGit(tree: TempTree, text: string): string[] | null {
  Deno.writeFileSync(tree.at("config"), new TextEncoder().encode(text));
  const { success, stdout } = new Deno.Command("git", {
    args: ["config", "--file", tree.at("config"), "--no-includes", "--list", "-z"],
    cwd: tree.path,
    env: { GIT_CEILING_DIRECTORIES: "/", GIT_CONFIG_NOSYSTEM: "1", HOME: tree.path },
  }).outputSync();
  if (!success) return null;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(stdout).split("\0").slice(0, -1);
}

/** Files that both read, with the same result. */
const READ = [
  "",
  "\n\n# c\n; c\n",
  "[core]\n\tbare = false\n",
  "[core]\nbare=false\nfilemode",
  '[remote "Or\\"i\\\\gin"]\n  URL = x\n',
  "[Section.SubSection]\nKey = V\n",
  "[a-b.c.d]\nk = v # c\n",
  '[a]\nk = v ; c\n[b]\nk = "v ; # c" ; d\n',
  '[a]\nk = a"b c"d  \n',
  '[a]\nk = "  a  "\n',
  '[a]\nk = ""\n[a]\nk =\n',
  "[a]\nk = one \\\n two\n",
  '[a]\nk = "one \\\n two"\n',
  "[a]\nk = one # \\\nl = two\n",
  '[a]\nk = \\"x\\" \\\\ \\t \\n \\b\n',
  "[a]\r\n\tk = v\r\n\tl\r\n",
  "\ufeff[a]\nk = v\n",
  '[a ""]\nk = v\n',
  "[a] # c\nk = v\n",
  "  [a]\n  k = v",
  "[a]\nk1-x = v\n",
  "[include]\n\tpath = other\n",
  '[a "\u00e4\u00f6"]\nk = \u00fc\n',
];

/** Files that are refused; `git` where git reads them nevertheless, with the reason. */
const REFUSED: readonly { readonly in: string; readonly git?: string }[] = [
  { in: "k = v\n", git: "a key that no section holds" },
  { in: "[a\nk = v\n" },
  { in: "[]\nk = v\n" },
  { in: "[a_b]\nk = v\n" },
  { in: '[a "b\nc"]\nk = v\n' },
  { in: "[a]\nk v\n" },
  { in: "[a]\n1k = v\n" },
  { in: "[a]\nk_l = v\n" },
  { in: '[a]\nk = "v\n' },
  { in: "[a]\nk = \\q\n" },
  { in: "[a]\nk # c\n" },
  { in: "[a]\n= v\n" },
  { in: "[a] k = v\n", git: "header and key on one line: nobody writes it" },
  { in: '[a.b "c"]\nk = v\n', git: "both forms of a subsection at once" },
  { in: "[a]\nk = v\\", git: "a backslash that continues nothing" },
  { in: "[a]\nk = v\rw\n", git: "a carriage return within a value" },
];

Deno.test("parseGitConfig reads what git reads, and as git reads it", () => {
  using tree = new TempTree();
  for (const text of READ) {
    const got = names(text);
    assertEquals(got === null, false, text);
    assertEquals(got, byGit(tree, text), text);
  }
  for (const { in: text, git } of REFUSED) {
    assertEquals(names(text), null, text);
    assertEquals(byGit(tree, text) !== null, git !== undefined, text);
  }
  assertEquals(names("[a]\nk = v\0\n"), null);
});

Deno.test("parseGitConfig never reads anything else than git does", () => {
  using tree = new TempTree();
  const piece = fc.constantFrom(
    ...'[]"\\\n\r\t =#;.kKa1-_é'.split(""),
    "[a]\n",
    '[a "b"]\n',
    "key",
    " = ",
    "value",
    "\\\n",
    "\\n",
  );
  const texts = fc.sample(fc.array(piece, { maxLength: 16 }).map((parts) => parts.join("")), {
    numRuns: 400,
    seed: 1,
  }).concat(
    fc.sample(
      fc.array(piece, { maxLength: 12 }).map((parts) => `[a]\nk = ${parts.join("")}\n`),
      { numRuns: 400, seed: 2 },
    ),
  );
  let read = 0;
  for (const text of texts) {
    const got = names(text);
    if (got === null) continue;
    read++;
    // Git before 2.45 makes a blank of a tab between words.
    const plain = (list: string[] | null) => list?.map((one) => one.replaceAll("\t", " "));
    assertEquals(plain(got), plain(byGit(tree, text)), JSON.stringify(text));
  }
  assertEquals(read > 100, true, String(read));
});

Deno.test("formatEntry writes what git reads back as the same entry", () => {
  using tree = new TempTree();
  const text = fc.string({
    unit: fc.constantFrom(...'ab \t\n\b"\\#;=[]é'.split("")),
    maxLength: 12,
  });
  const sub = text.filter((value) => !/[\n]/.test(value));
  for (
    const [value, subsection] of fc.sample(
      fc.tuple(fc.option(text), fc.option(sub)),
      { numRuns: 200, seed: 3 },
    )
  ) {
    const entry = { section: "a", subsection, key: "k", value, start: 0, end: 0 };
    const name = configName(entry);
    const want = [value === null ? name : `${name}\n${value}`];
    const written = formatEntry(entry);
    assertEquals(byGit(tree, written), want, written);
    assertEquals(names(written), want, written);
  }
});

Deno.test("parseGitConfig says on which lines an entry stands", () => {
  const text = "\ufeff[a]\r\n\tk = v\r\n# c\n\tl = x\\\ny\n[b]\nm";
  const spans = parseGitConfig(text)!.map(({ start, end }) => text.slice(start, end));
  assertEquals(spans, ["\tk = v\r\n", "\tl = x\\\ny\n", "m"]);
});
