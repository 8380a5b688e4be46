/** What a command leaves in a workspace does not run when the user next uses git, a shell, an editor or an agent there. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import type { Place } from "./place.ts";
import { runnerTest } from "./runner.ts";

/** A way to have code run later. */
interface Attack {
  readonly in: string;
  /** Bash, in the workspace; `$EVIL` is a command that leaves `ran` there. */
  readonly try: string;
  /** What the user does next, outside of the jail. Without it everyday git in all repositories. */
  readonly next?: string;
}

/** A workspace. It is made once and copied: with git it takes as long as all else together. */
const SET_UP = `
rm -rf work
[ -e new ] && exec cp -a new work
mkdir work && cd work
git init -q -b main . && git config user.name A && git config user.email a@example.org
git config filter.own.clean cat && git commit -q --allow-empty -m one
git init -q -b main nested && git -C nested config user.name A && git -C nested config user.email a@example.org
git -C nested commit -q --allow-empty -m one
git init -q --bare -b main bare.git
mkdir .vscode && echo '{}' >.vscode/settings.json
cp -a . ../new`;

const EVERYDAY = `
for d in . nested moved w new sub deep/er; do
  [ -d $d ] && (cd $d && git status; git commit --allow-empty -m x; git checkout -b b$RANDOM; git log -1; git config --get-regexp .) </dev/null
done >/dev/null 2>&1
for d in bare.git fake; do [ -d $d ] && (cd $d && git status; git log -1; sh hooks/post-receive); done >/dev/null 2>&1
[ -e ran ]`;

const HOOK =
  'hook() { mkdir -p "${1%/*}" && printf "#!/bin/sh\\n$EVIL\\n" >"$1" && chmod +x "$1"; };';

/** Git checks names when it adds them, not when it reads them. */
const INDEX = `python3 -c 'import hashlib
d = bytearray(open(".git/index", "rb").read())
d[d.find(b"Agit/hooks")] = ord(".")
open(".git/index", "wb").write(d[:-20] + hashlib.sha1(d[:-20]).digest())'`;

/** A commit that holds a hook under an innocent name, `$1`. */
const COMMIT =
  `hold() { o=$(printf "#!/bin/sh\\n$EVIL\\n" | git hash-object -w --stdin); git update-index --add --cacheinfo "100755,$o,$1"; git commit -q -m x; };`;
/** The user's next checkouts: in a repository, and then in the workspace. */
const CHECKOUT =
  "{ (cd nested; git checkout -f main); (cd x; git checkout -f main); git checkout -f .; git checkout -b other; (cd nested; git checkout -b more); } >/dev/null 2>&1; [ -e ran ]";

const ATTACKS: readonly Attack[] = [
  {
    in: "an index that names a hook",
    try: `o=$(printf "#!/bin/sh\\n$EVIL\\n" | git hash-object -w --stdin);
      git update-index --add --cacheinfo 100755,$o,Agit/hooks/post-checkout; ${INDEX}`,
    next: "{ git checkout .; git checkout -b other; } >/dev/null 2>&1; [ -e ran ]",
  },
  { in: "a hook", try: `${HOOK} hook .git/hooks/pre-commit` },
  {
    in: "a hook by renaming a sample",
    try:
      `${HOOK} hook ./x; cp x .git/hooks/s.sample; mv .git/hooks/s.sample .git/hooks/post-checkout`,
  },
  { in: "a hook in a nested repository", try: `${HOOK} hook nested/.git/hooks/pre-commit` },
  {
    in: "a hook by a link",
    try: `${HOOK} hook h/pre-commit; rm -rf .git/hooks; ln -s ../h .git/hooks`,
  },
  { in: "a hook by a hard link", try: `${HOOK} hook ./x; ln x .git/hooks/pre-commit` },
  {
    in: "a hook in a directory that was moved away and back",
    try: `${HOOK} mv .git g; hook g/hooks/pre-commit; mv g .git`,
  },
  {
    in: "a hook in a repository in another one's place",
    try: `${HOOK} mv nested moved; cp -r moved nested; hook nested/.git/hooks/pre-commit`,
  },
  {
    in: "a hook in a new repository",
    try:
      `${HOOK} git init -q -b main new; hook new/.git/hooks/post-checkout; cp .git/config new/.git/`,
  },
  { in: "a hook in a bare repository", try: `${HOOK} hook bare.git/hooks/post-receive` },
  {
    in: "a hook through a worktree",
    try: `${HOOK} git worktree add -q w; cd w; hook "$(git rev-parse --git-path hooks)/pre-commit"`,
  },
  { in: "git config core.fsmonitor", try: 'git config core.fsmonitor "$EVIL;"' },
  { in: "git config --file", try: 'git config --file .git/config core.fsmonitor "$EVIL;"' },
  { in: "git config in a nested repository", try: 'git -C nested config core.fsmonitor "$EVIL;"' },
  { in: "core.hooksPath", try: `${HOOK} hook h/pre-commit; git config core.hooksPath "$PWD/h"` },
  {
    in: "an include",
    try: 'git config --file i core.fsmonitor "$EVIL;"; git config include.path ../i',
  },
  {
    in: "a worktree's configuration",
    try: 'git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$EVIL;"',
  },
  {
    in: "a replaced configuration",
    try: 'cp .git/config c; git config --file c core.fsmonitor "$EVIL;"; ln -sf ../c .git/config',
  },
  {
    in: "a .git file",
    try:
      'cp -r .git own; git config --file own/config core.fsmonitor "$EVIL;"; rm -rf nested/.git; echo "gitdir: ../own" >nested/.git',
  },
  {
    in: "a commondir",
    try:
      'cp -r .git own; git config --file own/config core.fsmonitor "$EVIL;"; echo ../own >.git/commondir',
  },
  {
    in: "a directory that looks like a repository",
    try:
      'mkdir -p fake/objects fake/refs; echo "ref: refs/heads/main" >fake/HEAD; git config --file fake/config core.fsmonitor "$EVIL;"; git config --file fake/config core.bare false; git config --file fake/config core.worktree "$PWD"',
    next: '[ "$(git -C fake config core.fsmonitor)" ]',
  },
  {
    in: "a repository deep down",
    try:
      'mkdir -p deep; git init -q -b main deep/er; git -C deep/er config core.fsmonitor "$EVIL;"',
  },
  {
    in: "rights that keep Debrief out",
    try: `${HOOK} hook .git/hooks/pre-commit; chmod 100 .git/hooks .git`,
    next: "chmod 700 .git .git/hooks; git commit --allow-empty -m x >/dev/null 2>&1; [ -e ran ]",
  },
  {
    in: "a working tree that is another's own directory",
    try: `${COMMIT} cd nested; hold hooks/post-checkout; git config core.worktree ../../.git`,
    next: CHECKOUT,
  },
  {
    in: "a repository in a repository's own directory",
    try:
      `${COMMIT} cp -r nested/.git .git/.git; cd .git; hold hooks/post-checkout; rm -rf ../nested; ln -s .git ../nested`,
    next: CHECKOUT,
  },
  {
    in: "a repository below a repository's own directory",
    try: 'mv nested .git/x; ln -s .git/x nested; git -C nested config core.fsmonitor "$EVIL;"',
  },
  {
    in: "a repository among objects",
    try:
      'mkdir -p .git/objects/ab; mv nested .git/objects/ab; ln -s .git/objects/ab/nested .; git -C nested config core.fsmonitor "$EVIL;"',
  },
  {
    in: "a repository's own directory under a name that is checked out",
    try: `${COMMIT} mv nested/.git g; echo "gitdir: ../g" >nested/.git; hold g/hooks/post-checkout`,
    next: CHECKOUT,
  },
  {
    in: "a link in the place of a submodule",
    try: `${COMMIT} cp -r nested/.git .git/modules; mkdir x; mv .git/modules m; mkdir .git/modules;
      mv m .git/modules/n; echo "gitdir: ../.git/modules/n" >x/.git; cd x; hold hooks/post-checkout;
      git config core.worktree ../../../nested; cd ..; rm -rf nested; ln -s .git nested`,
    next: CHECKOUT,
  },
  { in: "direnv's file", try: "echo x >.envrc", next: "[ -e .envrc ]" },
  {
    in: "an editor's settings",
    try: "echo evil >.vscode/settings.json",
    next: "grep -q evil .vscode/settings.json",
  },
  {
    in: "an editor's settings by a link",
    try: "mkdir e; echo evil >e/tasks.json; mv .vscode v; ln -s e .vscode",
    next: "cat .vscode/* | grep -q evil",
  },
  {
    in: "an agent's settings",
    try: "mkdir -p .claude; echo evil >.claude/settings.json",
    next: "[ -e .claude/settings.json ]",
  },
];

async function next(place: Place, attack: Attack): Promise<number> {
  const { code } = await place.bare(["timeout", "60", "bash", "-c", attack.next ?? EVERYDAY]);
  return code;
}

async function setUp(place: Place): Promise<void> {
  const { code, stderr } = await place.bare(["bash", "-ec", SET_UP], { cwd: place.root });
  assertEquals(code, 0, stderr);
}

async function tryAll(
  place: Place,
  { flags, reported, hasControl }: {
    readonly flags: readonly string[];
    readonly reported: RegExp;
    /** Once is enough: without a jail it does not matter whose it would be. */
    readonly hasControl: boolean;
  },
): Promise<void> {
  const evil = `touch ${join(place.workspace, "ran")}`;
  const problems: string[] = [];
  for (const attack of ATTACKS) {
    const script = `EVIL='${evil}'\n${attack.try}`;
    await setUp(place);
    const { stderr } = await place.debrief([...flags, "-c", script]);
    const note = (what: string) => problems.push(`${attack.in}: ${what}\n${stderr}`);
    if (await next(place, attack) !== 1) note("it worked");
    if (!reported.test(stderr)) note("nothing was reported");
    const kept = await place.bare(["git", "config", "filter.own.clean"]);
    if (kept.stdout !== "cat\n") note("the user's own configuration is gone");
    if (!hasControl) continue;
    await setUp(place);
    await place.bare(["bash", "-c", script]);
    if (await next(place, attack) !== 0) note("it does not work without a jail either");
  }
  assertEquals(problems, []);
}

runnerTest("nothing that a command leaves in a workspace runs later", async (place) => {
  await tryAll(place, { flags: [], reported: /^restored:/m, hasControl: true });
}, { programs: ["git", "python3"] });

runnerTest(
  "nothing that a command of bubblewrap's leaves in a workspace runs later",
  async (place) => {
    await place.write("policy.jsonc", '{ "extends": "default", "backend": "bubblewrap" }\n');
    await place.own();
    await tryAll(place, {
      flags: ["--policy", join(place.root, "policy.jsonc")],
      // What is there is a mount: it cannot be written, and what holds it cannot be moved.
      reported: /^restored:|\(protected: |Device or resource busy/m,
      hasControl: false,
    });
  },
  { programs: ["git", "python3", "bwrap"] },
);

runnerTest(
  "what a background process leaves after its command is put back at the end",
  async (place) => {
    await setUp(place);
    const hook = ".git/hooks/pre-commit";
    const text =
      `(sleep 1; echo x >${hook}; mkdir -p q; git init -q q; git -C q config core.pager x; sleep 60) >/dev/null 2>&1 &
sleep 0.1
sleep 3; test -e ${hook} && echo there
`;
    const { stdout, stderr } = await place.debrief(["--block", "off"], { stdin: text });
    assertEquals(stdout, "there\n", stderr);
    assertEquals((await place.bare(["test", "-e", hook])).code, 1);
    assertEquals((await place.bare(["git", "-C", "q", "config", "core.pager"])).code, 1);
  },
  { programs: ["git"] },
);

const ORDINARY = `
echo a >a && git add a && git commit -q -m two && git checkout -q -b side && echo s >s && git add s && git commit -q -m side
git checkout -q main && git rebase -q side && echo t >>s && git stash -q && git stash pop -q && git commit -qam three
git worktree add -q ../work/w -b w && (cd w && echo w >w && git add w && git commit -q -m w) && git worktree remove w
git clone -q . c && (cd c && git config user.name B && git checkout -q --track origin/side && git branch -m renamed)
git remote add up ../bare.git && git push -q -u bare.git main && git remote set-url up bare.git && git remote rename up down
git -c protocol.file.allow=always submodule --quiet add "$PWD/bare.git" sub && git commit -q -m sub
git config user.name C && git config branch.main.description d && git branch -m side other && git sparse-checkout set --no-cone "/*"
git sparse-checkout disable && git gc -q && git fsck && git worktree prune && git init -q fresh && git init -q --bare fresh.git
rm -rf c fresh && mv nested elsewhere && rm -rf elsewhere && echo done`;

for (const backend of ["kernel", "bubblewrap"]) {
  runnerTest(`everyday git is left alone by ${backend}`, async (place) => {
    await place.write("policy.jsonc", `{ "extends": "default", "backend": "${backend}" }\n`);
    await place.own();
    await setUp(place);
    const policy = join(place.root, "policy.jsonc");
    const { code, stdout, stderr } = await place.debrief(
      ["--policy", policy, "--pass-through", "-c", `set -e${ORDINARY}`],
    );
    assertEquals(code, 0, stderr);
    assert(stdout.endsWith("done\n"), stdout);
    assert(!stderr.includes("restored"), stderr);
    assert(!stderr.includes("protected"), stderr);
  }, { programs: backend === "kernel" ? ["git", "python3"] : ["git", "python3", "bwrap"] });
}
