/**
 * The failures of the replay, fixed before the rules were tuned. Every third was held aside while they were: `heldAside`.
 */
import { MORE_SCENARIOS } from "./more_scenarios.ts";
import { BEHIND, ONE_COMMIT, PACKAGE, type Scenario, TWO_BRANCHES } from "./scenario.ts";

/** Whether the scenario at an index of `SCENARIOS` was not played while rules were tuned. */
export function heldAside(index: number): boolean {
  return index % 3 === 2;
}

/** In a fixed order. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "typo of a program",
    setup: ONE_COMMIT,
    command: "gti status",
    done: { prints: /On branch/ },
  },
  {
    name: "typo of a program inside a script",
    files: { "src/a.txt": "alpha\n" },
    command: "cd src && grpe -n alpha a.txt",
    done: { prints: /1:alpha/ },
  },
  {
    name: "program under another name",
    files: { "main.py": "print('hello')\n" },
    command: "pyhton3 main.py",
    done: { prints: /hello/ },
  },
  {
    name: "typo of a sub-command",
    setup: ONE_COMMIT,
    command: "git statsu",
    done: { prints: /On branch/ },
  },
  {
    name: "typo of a package script",
    files: { "package.json": PACKAGE },
    command: "npm run biuld",
    done: { prints: /BUILT/ },
  },
  {
    name: "typo of a make target",
    files: { Makefile: "build:\n\t@echo BUILT\ntest:\n\t@echo TESTED\n" },
    command: "make tset",
    done: { prints: /TESTED/ },
  },
  {
    name: "typo in a file name",
    files: { "src/config.json": '{"port": 80}\n' },
    command: "cat src/confg.json",
    done: { prints: /port/ },
  },
  {
    name: "file in another directory",
    files: { "src/settings/config.json": '{"port": 80}\n' },
    command: "cat config.json",
    done: { prints: /port/ },
  },
  {
    name: "upper and lower case of a file name",
    files: { "README.md": "# Title\n" },
    command: "cat readme.md",
    done: { prints: /Title/ },
  },
  {
    name: "another extension",
    files: { "main.mjs": "console.log('ran')\n" },
    command: "node main.js",
    done: { prints: /ran/ },
  },
  {
    name: "typo in a directory name",
    files: { "packages/core/a.txt": "core\n" },
    command: "cd pakages/core && cat a.txt",
    done: { prints: /core/ },
  },
  {
    name: "typo of a branch",
    setup: TWO_BRANCHES,
    command: "git checkout featrue",
    done: { check: "grep -q feature .git/HEAD" },
  },
  {
    name: "typo of a packed branch",
    setup: `${TWO_BRANCHES}\ngit branch release/1.2 && git pack-refs --all`,
    command: "git switch relase/1.2",
    done: { check: "grep -q release/1.2 .git/HEAD" },
  },
  {
    name: "merge conflict",
    setup: TWO_BRANCHES,
    command: "git merge feature",
    done: { prints: /a\.txt/ },
  },
  {
    name: "local changes in the way of a checkout",
    setup: `${TWO_BRANCHES}\necho dirty >> a.txt`,
    command: "git checkout feature",
    done: { check: "grep -q feature .git/HEAD" },
  },
  {
    name: "push that is not a fast-forward",
    setup: BEHIND,
    prelude: ["cd mine"],
    command: "git push",
    done: { check: "git -C up.git log --format=%s main | grep -q three" },
  },
  {
    name: "stale index lock",
    files: { "a.txt": "one\n" },
    setup: `${ONE_COMMIT}\necho two > a.txt; touch .git/index.lock`,
    command: "git add a.txt",
    done: { check: "git diff --cached --name-only | grep -q a.txt" },
  },
  {
    name: "nothing staged",
    files: { "a.txt": "one\n" },
    setup: `${ONE_COMMIT}\necho two > a.txt`,
    command: "git commit -m change",
    done: { check: "git log --format=%s | grep -q change" },
  },
  {
    name: "no upstream branch",
    setup: `${BEHIND}\ngit -C mine checkout -qb topic`,
    prelude: ["cd mine"],
    command: "git push",
    done: { check: "git -C up.git rev-parse --verify topic" },
  },
  {
    name: "ignored path",
    files: { ".gitignore": "build\n", "build/x.txt": "x\n" },
    setup: ONE_COMMIT,
    command: "git add build/x.txt",
    done: { check: "git diff --cached --name-only | grep -q build/x.txt" },
  },
  {
    name: "divergent branches",
    setup: BEHIND,
    prelude: ["cd mine"],
    command: "git pull",
    done: { check: "test -f mine/b.txt" },
  },
  {
    name: "search with the wrong case",
    files: { "src/a.txt": "todo_list = 1\n" },
    command: "grep -rn TODO_LIST src",
    done: { prints: /todo_list/ },
  },
  {
    name: "search that leaves untracked files out",
    files: { "a.txt": "x\n" },
    setup: `${ONE_COMMIT}\necho needle > new.txt`,
    command: "git grep needle",
    done: { prints: /needle/ },
  },
  {
    name: "find with the wrong case",
    files: { "docs/notes.txt": "x\n" },
    command: "find . -name 'NOTES.TXT'",
    done: { prints: /notes\.txt/ },
  },
  {
    name: "wrong long option",
    files: { "a.txt": "x\n" },
    command: "ls --colr=never",
    done: { prints: /a\.txt/ },
  },
  {
    name: "wrong long option of grep",
    files: { "src/a.txt": "alpha\n" },
    command: "grep --recursve alpha src",
    done: { prints: /alpha/ },
  },
  {
    name: "script without execute permission",
    files: { "run.sh": "echo ran\n" },
    command: "./run.sh",
    done: { prints: /ran/ },
  },
  {
    name: "interpreter that is not there",
    files: { "tool.py": "#!/usr/bin/env python2.4\nprint('ran')\n" },
    setup: "chmod +x tool.py",
    command: "./tool.py",
    done: { prints: /ran/ },
  },
  {
    name: "module of the workspace's virtual environment",
    files: { "app.py": "import colours\nprint(colours.NAME)\n" },
    setup:
      "/usr/bin/python3 -m venv --without-pip .venv && echo 'NAME = \"green\"' > $(echo .venv/lib/python3*/site-packages)/colours.py",
    command: "python3 app.py",
    done: { prints: /green/ },
  },
  {
    name: "program of the workspace's packages",
    files: { "node_modules/.bin/mytool": "#!/bin/sh\necho tool 1.0\n", "package.json": PACKAGE },
    setup: "chmod +x node_modules/.bin/mytool",
    command: "mytool --version",
    done: { prints: /tool 1\.0/ },
  },
  {
    name: "failing test",
    files: {
      "package.json": PACKAGE,
      "test/sum.test.mjs":
        "import test from 'node:test';\nimport assert from 'node:assert';\nconst expected = 3; // marker\ntest('sums', () => {\n  assert.equal(1 + 1, expected);\n});\n",
    },
    command: "npm test",
    done: { prints: /marker/ },
  },
  {
    name: "compiler error",
    files: {
      Makefile: "app: app.c\n\tgcc -o app app.c\n",
      "app.c": "int main(void) {\n  /* marker */\n  return nosuch;\n}\n",
    },
    command: "make",
    done: { prints: /marker/ },
  },
  {
    name: "error in the middle of long output",
    files: {
      "long.sh":
        "for i in $(seq 1 3000); do echo \"step $i of the long work that prints much\"; [ $i = 1500 ] && printf 'error: bad key\\n\\n\\n\\nkey is detail-1501\\n'; done; exit 1\n",
    },
    command: "bash long.sh",
    done: { prints: /detail-1501/ },
  },
  ...MORE_SCENARIOS,
];
