import { assertEquals } from "@std/assert";
import { parseGitConfig } from "../../../src/sandbox/protect/git_config.ts";
import { isInert } from "../../../src/sandbox/protect/git_keys.ts";
import { judgeConfig } from "../../../src/sandbox/protect/judge_config.ts";

const context = {
  gitDirectory: "/work/.git",
  isWritable: (path: string) => path === "/work" || path.startsWith("/work/"),
};

/** What commands change in everyday work. */
const INERT = [
  "[core]\nrepositoryformatversion = 0\nfilemode = true\nbare = false\nlogallrefupdates = true",
  '[remote "origin"]\nurl = https://example.org/x.git\nfetch = +refs/heads/*:refs/remotes/origin/*',
  '[remote "up"]\nurl = ../other.git\npushurl = git@example.org:x.git\ntagopt = --no-tags',
  '[branch "main"]\nremote = origin\nmerge = refs/heads/main\nrebase = true\nvscode-merge-base = origin/main',
  "[user]\nname = A\nemail = a@example.org\nsigningkey = 0x1",
  '[submodule "sub"]\nurl = ../sub.git\nactive = true\nupdate = checkout',
  "[submodule]\nactive = .",
  "[core]\nsparseCheckout = true\n[extensions]\nworktreeConfig = true\n[index]\nsparse = true",
  "[pull]\nrebase = true\n[gc]\nauto = 0\n[rerere]\nenabled\n[diff]\nalgorithm = histogram",
];

/** What runs a program, or makes git act elsewhere. */
const ACTIVE = [
  "[core]\nfsmonitor = x",
  "[core]\nhooksPath = x",
  "[core]\nsshCommand = x",
  "[core]\npager = x",
  "[core]\neditor = x",
  "[core]\naskPass = x",
  "[core]\ngitProxy = x",
  "[core]\nattributesFile = x",
  "[core]\nalternateRefsCommand = x",
  "[core]\nworktree = /home/user",
  "[core]\nworktree = ../.git",
  "[core]\nworktree = ../sub",
  "[core]\nworktree = ../../x",
  "[core]\nworktree",
  "[core]\nprotectNTFS = false",
  "[core]\nfsmonitorHookVersion = 1",
  "[diff]\nexternal = x",
  '[diff "x"]\ncommand = x',
  '[diff "x"]\ntextconv = x',
  '[filter "x"]\nclean = x',
  '[filter "x"]\nsmudge = x',
  '[filter "x"]\nprocess = x',
  '[filter "lfs"]\nrequired = true',
  '[merge "x"]\ndriver = x',
  "[merge]\ntool = x",
  '[mergetool "x"]\ncmd = x',
  '[difftool "x"]\npath = x',
  "[alias]\nst = !x",
  "[alias]\nst = status",
  "[credential]\nhelper = x",
  '[credential "https://x"]\nhelper = x',
  "[gpg]\nprogram = x",
  '[gpg "ssh"]\ndefaultKeyCommand = x',
  '[gpg "ssh"]\nprogram = x',
  "[include]\npath = x",
  '[includeIf "gitdir:/"]\npath = x',
  '[url "x"]\ninsteadOf = y',
  '[url "x"]\npushInsteadOf = y',
  "[sequence]\neditor = x",
  "[uploadpack]\npackObjectsHook = x",
  "[protocol]\nallow = always",
  '[protocol "ext"]\nallow = always',
  "[http]\nproxy = x",
  "[http]\nsslVerify = false",
  '[http "https://x"]\nextraHeader = x',
  '[submodule "x"]\nupdate = !x',
  '[submodule "x"]\nurl = ext::x',
  '[remote "x"]\nurl = ext::sh -c x',
  '[remote "x"]\npushurl = fd::7',
  '[branch "x"]\nremote = ext::sh -c x',
  '[branch "x"]\npushRemote = ext::sh -c x',
  "[remote]\npushDefault = ext::sh -c x",
  '[remote "x"]\nuploadpack = x',
  '[remote "x"]\nreceivepack = x',
  '[remote "x"]\nvcs = x',
  '[remote "x"]\nproxy = x',
  '[branch "x"]\nmergeOptions = -s x',
  "[gc]\nrecentObjectsHook = x",
  "[pager]\nlog = x",
  '[man "x"]\ncmd = x',
  '[browser "x"]\ncmd = x',
  "[init]\ntemplateDir = x",
  "[commit]\ntemplate = x",
  "[trailer]\nx = y",
  '[trailer "x"]\ncmd = x',
  "[sendemail]\nsmtpServer = /x",
  '[lfs "customtransfer.x"]\npath = x',
  "[interactive]\ndiffFilter = x",
  "[receive]\nprocReceiveRefs = x",
  "[safe]\ndirectory = *",
  '[hook "x"]\ncommand = x',
  "[web]\nbrowser = x",
  "[core.x]\nbare = true",
  "[user.x]\nname = y",
];

Deno.test("isInert knows everyday keys, and no key that runs code or leads elsewhere", () => {
  const inert = (text: string) => parseGitConfig(text)!.map((entry) => isInert(entry, context));
  for (const text of INERT) assertEquals(inert(text).includes(false), false, text);
  for (const text of ACTIVE) assertEquals(inert(text), [false], text);
});

Deno.test("isInert lets a submodule's core.worktree lead into the working tree above, and nowhere else", () => {
  const submodule = { ...context, gitDirectory: "/work/.git/modules/sub" };
  const inWorktree = { ...context, gitDirectory: "/work/.git/worktrees/w/modules/sub" };
  const cases = [
    { in: "../../../sub", of: submodule, want: true },
    { in: "../../../../../w/sub", of: inWorktree, want: true },
    { in: "../..", of: submodule, want: false },
    { in: "../../../.git/hooks", of: submodule, want: false },
    { in: "../../../nested/.GIT", of: submodule, want: false },
    { in: "../../..", of: submodule, want: false },
    { in: "/home/user", of: submodule, want: false },
    { in: "/home/user", of: inWorktree, want: false },
    { in: "../../../sub", of: context, want: false },
  ];
  for (const { in: value, of, want } of cases) {
    const [entry] = parseGitConfig(`[core]\nworktree = ${value}`)!;
    assertEquals(isInert(entry!, of), want, value);
  }
});

Deno.test("judgeConfig accepts changes of inert keys, whatever the order and form", () => {
  const before = "[core]\n\tbare = false\n[alias]\n\tst = status\n";
  const cases = [
    before + "[user]\n\tname = x\n",
    "[alias]\nST=status\n[core]\nbare",
    '[core]\n[alias] # c\n\tst = "status"\n',
  ];
  for (const after of cases) {
    assertEquals(judgeConfig({ before, after, context }), { kind: "accepted" }, after);
  }
  for (const after of INERT) {
    assertEquals(judgeConfig({ before: null, after, context }), { kind: "accepted" }, after);
  }
});

Deno.test("judgeConfig puts back what is not inert, and keeps the rest of the change", () => {
  const before = "[core]\n\tbare = false\n\tpager = less\n[alias]\n\tst = status\n";
  const cases = [
    {
      in: before + "[user]\n\tname = x\n[core]\n\tfsmonitor = evil \\\n more\n",
      want: "[core]\n\tbare = false\n[alias]\n[user]\n\tname = x\n[core]\n" +
        '[core]\n\tpager = "less"\n[alias]\n\tst = "status"\n',
      keys: ["core.fsmonitor"],
    },
    {
      in: "[core]\n\tbare = false\n\tpager = evil\n[alias]\n\tst = status\n",
      want: '[core]\n\tbare = false\n[alias]\n[core]\n\tpager = "less"\n[alias]\n\tst = "status"\n',
      keys: ["core.pager"],
    },
    {
      in: "",
      want: '[core]\n\tpager = "less"\n[alias]\n\tst = "status"\n',
      keys: ["core.pager", "alias.st"],
    },
    {
      in: "[alias]\nst = status\n[core]\npager = less\n",
      want: '[alias]\n[core]\n[core]\n\tpager = "less"\n[alias]\n\tst = "status"\n',
      keys: ["alias.st", "core.pager"],
    },
  ];
  for (const { in: after, want, keys } of cases) {
    const verdict = judgeConfig({ before, after, context });
    assertEquals(verdict, { kind: "reverted", text: want, keys });
  }
  for (const after of ACTIVE) {
    const verdict = judgeConfig({ before: null, after: `${after}\n`, context });
    if (verdict.kind === "accepted") throw new Error(after);
    const kept = parseGitConfig(verdict.text ?? "");
    assertEquals(kept, [], after);
  }
});

Deno.test("judgeConfig puts a file back as a whole that is gone or does not parse", () => {
  const before = "[core]\n\tbare = false\n";
  for (const after of [null, "[core", "k = v", "[a]\nk = \\q\n", "[a]\nk = v\0"]) {
    assertEquals(judgeConfig({ before, after, context }), {
      kind: "reverted",
      text: before,
      keys: [],
    });
  }
  assertEquals(judgeConfig({ before: null, after: "[core", context }), {
    kind: "reverted",
    text: null,
    keys: [],
  });
  // What git could not read before is nothing that a change could be judged against.
  assertEquals(judgeConfig({ before: "[core", after: before, context }), {
    kind: "reverted",
    text: "[core",
    keys: [],
  });
});
