import { assertEquals } from "@std/assert";
import { POLICY_DENIAL, SANDBOX_DENIAL } from "../observed.ts";
import { commandsFor, type RuleCase } from "./tree.ts";

const LIMIT = { name: "output", text: "output limit of 1 MB", at: null };

const TABLE: readonly RuleCase[] = [
  {
    name: "a merge conflict",
    command: ["git", "merge", "x"],
    out: "CONFLICT (content): Merge conflict in a.txt",
    want: ["git diff --name-only --diff-filter=U", "git merge --abort"],
  },
  {
    name: "a rebase that stopped",
    command: ["git", "rebase", "x"],
    out: "CONFLICT (content): Merge conflict in a.txt",
    want: ["git diff --name-only --diff-filter=U", "git rebase --abort"],
  },
  {
    name: "a push that is not a fast-forward",
    command: ["git", "push"],
    err: " ! [rejected]        main -> main (fetch first)",
    want: ["git pull --rebase && git push"],
  },
  {
    name: "nothing staged",
    command: ["git", "commit", "-m", "x y"],
    out: 'no changes added to commit (use "git add" and/or "git commit -a")',
    want: ["git commit -a -m 'x y'"],
  },
  { name: "a search without results", command: ["grep", "X", "f"], want: ["grep -i X f"] },
  { name: "a search that ignored case", command: ["grep", "-i", "X", "f"], want: [] },
  {
    name: "a find without results",
    command: ["find", ".", "-name", "X"],
    exit: 0,
    want: ["find . -iname X"],
  },
  {
    name: "an option that does not exist",
    command: ["ls", "--colr=never"],
    exit: 2,
    err: "ls: unrecognized option '--colr=never'",
    want: ["ls --help | grep -e '--col'", "ls --help"],
  },
  {
    name: "an option that does not exist, where help was printed before",
    command: ["ls", "--colr=never"],
    exit: 2,
    err: "ls: unrecognized option '--colr=never'",
    history: [{
      command: ["ls --help | grep -e '--col'"],
      exit_code: 0,
      stdout_tail: "      --color[=WHEN]  colour the output\n",
    }],
    want: ["ls '--color=never'", "ls --help"],
  },
  {
    name: "a copy of a directory",
    command: ["cp", "src", "copy"],
    err: "cp: -r not specified; omitting directory 'src'",
    want: ["cp -r src copy"],
  },
  {
    name: "a directory that was read",
    command: ["cat", "src"],
    err: "cat: src: Is a directory",
    want: ["ls src"],
  },
  {
    name: "a failure behind a pipe",
    command: ["pytest | tail -n 1"],
    programs: ["pytest", "tail -n 1"],
    exit: 0,
    out: "=== 1 failed in 0.1s ===",
    want: ["pytest"],
  },
  {
    name: "the place of a compiler's error",
    command: ["gcc", "a.c"],
    err: "a.c:9:1: error: expected expression",
    files: { "/work/a.c": "x\n".repeat(20) },
    want: ["sed -n '3,15p' a.c"],
  },
  {
    name: "a place beyond the end of the file",
    command: ["gcc", "a.c"],
    err: "a.c:900:1: error: expected expression",
    files: { "/work/a.c": "x\n" },
    want: [],
  },
  {
    name: "the first test that failed",
    command: ["pytest"],
    out: "FAILED tests/a.py::test_b - assert 0\n1 failed in 0.1s",
    want: ["pytest tests/a.py::test_b"],
  },
  {
    name: "a denied option",
    command: ["git", "push", "--force"],
    exit: null,
    rest: { denials: [POLICY_DENIAL] },
    want: ["git push"],
  },
  {
    name: "a write that is not granted",
    command: ["cp", "a", "/etc/hosts"],
    rest: { denials: [SANDBOX_DENIAL] },
    want: ['cp a "$TMPDIR"/hosts'],
  },
  {
    name: "a script with carriage returns",
    command: ["bash", "run.sh"],
    exit: 2,
    err: "run.sh: line 1: set: -: invalid option",
    files: { "/work/run.sh": "set -e\r\n" },
    want: ["tr -d '\\r' < run.sh | bash"],
  },
  {
    name: "a virtual environment",
    command: ["python3", "a.py"],
    err: "ModuleNotFoundError: No module named 'x'",
    files: { "/work/.venv/bin/python": "" },
    want: [".venv/bin/python a.py"],
  },
  {
    name: "a limit of a server that says how long",
    command: ["./get.sh"],
    err: "HTTP/1.1 429 Too Many Requests\nRetry-After: 7",
    want: ["sleep 7 && ./get.sh"],
  },
  {
    name: "a limit of a server that asks for too long",
    command: ["./get.sh"],
    err: "HTTP/1.1 429 Too Many Requests\nRetry-After: 700",
    want: [],
  },
  {
    name: "a second attempt after a limit",
    command: ["sleep 2 && ./get.sh"],
    programs: ["sleep 2", "./get.sh"],
    err: "HTTP/1.1 429 Too Many Requests",
    history: [{ command: ["./get.sh"], exit_code: 1 }],
    want: ["sleep 4 && ./get.sh"],
  },
  {
    name: "a name that does not resolve",
    command: ["curl", "https://x.invalid"],
    exit: 6,
    err: "curl: (6) Could not resolve host: x.invalid",
    want: [],
  },
  {
    name: "a service that an earlier command started",
    command: ["curl", "http://localhost:80/"],
    exit: 7,
    err: "curl: (7) Failed to connect to localhost port 80: Connection refused",
    history: [{ command: ["serve --port 80 &"], exit_code: 0 }],
    want: ["serve --port 80 & sleep 1; curl http://localhost:80/"],
  },
  {
    name: "a program that follows a file",
    command: ["tail", "-f", "a.log"],
    exit: null,
    ending: { timedOut: true },
    want: ["tail -n 100 a.log"],
  },
  {
    name: "too much output",
    command: ["yes"],
    exit: null,
    ending: { limit: LIMIT },
    want: ["yes | head -n 1000", "limits.output"],
  },
  {
    name: "a full disk",
    command: ["cp", "a", "b"],
    err: "cp: error writing 'b': No space left on device",
    want: ["df -h . /tmp", "du -xh --max-depth=1 . | sort -h | tail"],
  },
  {
    name: "a message that nobody writes",
    command: ["git", "commit"],
    err: "Please supply the message using either -m or -F option.",
    with: { goal: "correct a sum" },
    want: [
      "git commit -m 'correct a sum'",
      "git commit -m TEXT",
      "printf '%s\\n' ANSWER | COMMAND",
    ],
  },
  {
    name: "a question",
    command: ["./ask"],
    out: "Continue? [y/N] ",
    want: ["yes | ./ask", "printf '%s\\n' ANSWER | COMMAND"],
  },
];

for (const one of TABLE) {
  Deno.test(`suggest goes on after ${one.name}`, () => assertEquals(commandsFor(one), one.want));
}

Deno.test("suggest closes what is open in a script, where that parses", () => {
  const rest = {
    syntaxError: { message: "unexpected end: x", line: 1, column: 6, text: "echo 'a" },
  };
  const one = { name: "", command: ["echo 'a"], programs: [], exit: null, rest, want: [] };
  const runnable = (line: string) => line === "echo 'a'";
  assertEquals(commandsFor({ ...one, with: { runnable } }), ["echo 'a'"]);
  assertEquals(commandsFor({ ...one, with: { runnable: () => false } }), []);
});

Deno.test("suggest leaves out a cd that the session has followed already", () => {
  const one = {
    name: "",
    command: ["cd src && gti status"],
    programs: ["cd src", "gti status"],
    exit: 127,
    err: "bash: line 1: gti: command not found",
    want: [],
  };
  const programs = () => ["git"];
  assertEquals(commandsFor({ ...one, with: { programs, cwdAfter: "/work/src" } }), ["git status"]);
  assertEquals(commandsFor({ ...one, with: { programs } }), ["cd src && git status"]);
});
