import { assert, assertEquals } from "@std/assert";
import { commandsFor, type RuleCase } from "./tree.ts";

const PACKAGE = { "/work/package.json": '{"scripts":{"build":"x","test":"y"}}' };
const NO_FILE = "No such file or directory";
const GIT = {
  "/work/.git/HEAD": "ref: refs/heads/topic\n",
  "/work/.git/refs/heads/topic": "1",
  "/work/.git/refs/heads/team/feature": "1",
  "/work/.git/packed-refs": `# pack-refs\n${"a".repeat(40)} refs/heads/release/1.2\n^${
    "b".repeat(40)
  }\n`,
};

const TABLE: readonly RuleCase[] = [
  {
    name: "a sub-command",
    command: ["git", "statsu"],
    err: "git: 'statsu' is not a git command. See 'git --help'.",
    want: ["git status", "git stash", "git --help"],
  },
  {
    name: "a sub-command that exists",
    command: ["git", "push"],
    err: "fatal: no",
    want: [],
  },
  {
    name: "a package script",
    command: ["npm", "run", "biuld"],
    err: 'npm error Missing script: "biuld"',
    files: PACKAGE,
    want: ["npm run build"],
  },
  {
    name: "a package script in a directory above, from below it",
    command: ["yarn", "biuld"],
    err: 'error Command "biuld" not found.',
    files: { ...PACKAGE, "/work/src/a": "" },
    with: { cwd: "/work/src", cwdAfter: "/work/src" },
    want: ["yarn build"],
  },
  {
    name: "a task",
    command: ["deno", "task", "tset"],
    err: "Task not found: tset",
    files: { "/work/deno.json": '{"tasks":{"test":"x"}}' },
    want: ["deno task test"],
  },
  {
    name: "a make target",
    command: ["make", "tset"],
    exit: 2,
    err: "make: *** No rule to make target 'tset'.  Stop.",
    files: { "/work/Makefile": "A := 1\n.PHONY: test\ntest: a\n\techo\n" },
    want: ["make test"],
  },
  {
    name: "a branch",
    command: ["git", "switch", "team/featrue"],
    exit: 128,
    err: "fatal: invalid reference: team/featrue",
    files: GIT,
    want: ["git switch team/feature"],
  },
  {
    name: "a packed branch",
    command: ["git", "checkout", "relase/1.2"],
    err: "error: pathspec 'relase/1.2' did not match any file(s) known to git",
    files: GIT,
    want: ["git checkout release/1.2"],
  },
  {
    name: "a branch without an upstream",
    command: ["git", "push"],
    exit: 128,
    err: "fatal: The current branch topic has no upstream branch.",
    files: GIT,
    want: ["git push --set-upstream origin topic"],
  },
  {
    name: "a path with a slip",
    command: ["cat", "src/confg.json"],
    err: `cat: src/confg.json: ${NO_FILE}`,
    files: { "/work/src/config.json": "" },
    want: ["cat src/config.json"],
  },
  {
    name: "a path in another directory, by the goal first",
    command: ["cat", "a.json"],
    err: `cat: a.json: ${NO_FILE}`,
    files: { "/work/x/y/a.json": "", "/work/x/b": "" },
    want: ["cat x/y/a.json"],
  },
  {
    name: "another case and another extension",
    command: ["head", "readme"],
    err: `head: cannot open 'readme' for reading: ${NO_FILE}`,
    files: { "/work/README": "" },
    want: ["head README"],
  },
  {
    name: "a module that node does not find by its whole path",
    command: ["node", "main.js"],
    err: "Error: Cannot find module '/work/main.js'",
    files: { "/work/main.mjs": "" },
    want: ["node main.mjs"],
  },
  {
    name: "a pattern that matched nothing",
    command: ["cat *.log"],
    programs: ["cat"],
    err: `cat: '*.log': ${NO_FILE}`,
    files: { "/work/logs/app.log": "" },
    want: ["cat logs/app.log"],
  },
  {
    name: "a path that stands twice in the line",
    command: ["cat x.txt; wc x.txt"],
    programs: ["cat x.txt", "wc x.txt"],
    err: `cat: x.txt: ${NO_FILE}`,
    files: { "/work/y.txt": "" },
    want: [],
  },
  {
    name: "a program of the project",
    command: ["jest", "a"],
    exit: 127,
    err: "bash: line 1: jest: command not found",
    files: { "/work/node_modules/.bin/jest": "" },
    want: ["node_modules/.bin/jest a"],
  },
  {
    name: "a makefile below",
    command: ["make"],
    exit: 2,
    err: "make: *** No targets specified and no makefile found.  Stop.",
    files: { "/work/build/Makefile": "" },
    want: ["make -C build"],
  },
  {
    name: "a redirection into no directory",
    command: ["echo x > out/a.txt"],
    programs: ["echo x"],
    rest: { redirected: true },
    err: `bash: line 1: out/a.txt: ${NO_FILE}`,
    files: { "/work/a": "" },
    want: ["mkdir -p out && echo x > out/a.txt"],
  },
];

for (const one of TABLE) {
  Deno.test(`suggest names what was meant by ${one.name}`, () => {
    assertEquals(commandsFor(one), one.want);
  });
}

Deno.test("suggest names nothing where a file may not be read or what is near could not run", () => {
  const [first] = TABLE;
  const path = TABLE.find(({ name }) => name === "a path with a slip");
  assert(first && path);
  assertEquals(commandsFor({ ...path, files: {} }), []);
  assertEquals(commandsFor({ ...first, with: { runnable: () => false } }), []);
  const failed = { command: ["git", "status"], exit_code: 1 };
  assertEquals(commandsFor({ ...first, history: [failed] }), ["git stash", "git --help"]);
});

Deno.test("suggest stays small among many files, and on names that would break a line", () => {
  const many = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [`/work/d${at % 300}/e${at}/confg.jso\n${at}`, ""]),
  );
  const made = commandsFor({
    name: "",
    command: ["cat", "confg.json"],
    err: `cat: confg.json: ${NO_FILE}`,
    files: { ...many, "/work/confg\n.json": "", "/work/config.json": "" },
    want: [],
  });
  assertEquals(made, ["cat config.json"]);
});
