import { assertEquals, assertStringIncludes } from "@std/assert";
import { jailTest } from "../sandbox/require_sandbox.ts";
import { TestSession } from "./test_session.ts";

/** Commands of one session in order, each with what it prints; the session must go on behind each of them. */
const CASES: readonly {
  readonly name: string;
  readonly steps: readonly {
    readonly in: string;
    readonly want: string;
    readonly notice?: string;
  }[];
}[] = [
  {
    name: "exported values with newlines, quotes and other letters",
    steps: [
      { in: `export X=$'a\\nb\\'c"d\\\\e $(id) \\t\u00e9\u{1f600}\\n'`, want: "" },
      { in: `printf '[%s]' "$X"`, want: "[a\nb'c\"d\\e $(id) \t\u00e9\u{1f600}\n]" },
    ],
  },
  {
    name: "what was unset, and nothing that was not exported",
    steps: [
      { in: "export X=1 Y=2; Z=3; R=(1 2)", want: "" },
      { in: `unset X; echo "$Y,$Z,\${R[0]}"`, want: "2,,\n" },
      { in: `echo "$X,$Y"`, want: ",2\n" },
    ],
  },
  {
    name: "readonly variables, which the next command may set again",
    steps: [
      { in: "declare -rx R=1; true", want: "" },
      { in: "echo $R; R=2; echo $R", want: "1\n2\n" },
    ],
  },
  {
    name: "an exported array as bash itself passes it on",
    steps: [{ in: "export A=(one two); true", want: "" }, { in: `echo "\${A[@]}"`, want: "one\n" }],
  },
  {
    name: "a function that calls another one, and its removal",
    steps: [
      { in: 'f() { g "$@"; }; g() { cat <<E\n$1\'s $(echo "x")\nE\n}; true', want: "" },
      { in: `f "it"`, want: "it's x\n" },
      { in: "unset -f g; true", want: "" },
      { in: "type -t f g", want: "function\n" },
    ],
  },
  {
    name: "functions in place of what hands the state over",
    steps: [
      {
        in:
          `printf() { echo mine; }; exit() { echo stay; }; alias() { echo no; }; set() { echo set; }; eval() { :; }`,
        want: "",
      },
      { in: "export X=1; printf a", want: "mine\n" },
      { in: "exit; echo $X", want: "stay\n1\n" },
      { in: "type -t set eval alias", want: "function\nfunction\nfunction\n" },
    ],
  },
  {
    name: "a function builtin for one command only",
    steps: [
      {
        in: "builtin() { echo mine; }; export X=1; builtin cd",
        want: "mine\n",
        notice: "",
      },
      { in: `echo "$X"; type -t builtin`, want: "1\nbuiltin\n" },
    ],
  },
  {
    name: "an alias with quotes, and one that calls another",
    steps: [
      { in: `alias say="printf '[%s]\\n'" l2='say "a b"' -- -x='echo dash'`, want: "" },
      { in: `say "it's"; l2`, want: "[it's]\n[a b]\n" },
      { in: "unalias say; true", want: "" },
      { in: "type -t say; l2 2>/dev/null; true", want: "" },
    ],
  },
  {
    name: "the directory, also one with a newline in its name",
    steps: [
      { in: `d=$'a\\nb\\n'; mkdir "$d"; cd "$d"`, want: "" },
      { in: `echo "\${PWD##*/work/}|"`, want: "a\nb\n|\n" },
      { in: "cd ..; unset PWD; true", want: "" },
      {
        in: `echo "\${PWD##*/}"; cd - >/dev/null; echo "\${PWD##*/work/}|"`,
        want: "work\na\nb\n|\n",
      },
    ],
  },
  {
    name: "a directory that was removed",
    steps: [
      { in: "mkdir -p gone/deep; cd gone/deep; rm -r ../../gone; true", want: "" },
      { in: `echo "\${PWD##*/}"; true`, want: "work\n", notice: "is gone" },
      { in: "echo again; true", want: "again\n" },
    ],
  },
  {
    name: "PATH, and the shell itself is found without it",
    steps: [
      {
        in: "mkdir p; printf '#!/bin/sh\\necho own\\n' > p/own; chmod +x p/own; export PATH=$PWD/p",
        want: "",
      },
      { in: "own; type -t ls", want: "own\n" },
      { in: "own", want: "own\n" },
      { in: "unset PATH; true", want: "" },
      { in: "echo here; true", want: "here\n" },
    ],
  },
  {
    name: "state although the shell's options, IFS and traps changed",
    steps: [
      {
        in:
          "set -eux; IFS=0123456789abc; trap 'echo dbg' DEBUG; export X=1 2>/dev/null; trap - DEBUG",
        want: "dbg\ndbg\n",
      },
      { in: `echo "$X"; trap 'echo bye' EXIT`, want: "1\nbye\n" },
      { in: `set -a; Y=2; true`, want: "" },
      { in: `echo "$Y"; printenv IFS n __status; true`, want: "2\n" },
    ],
  },
  {
    name: "state although the script uses descriptor 3 for itself",
    steps: [
      { in: "exec 3>&1; echo out >&3; export X=1; exec 3>&-", want: "out\n" },
      { in: `printf 'VX=2\\0C/tmp\\0' >&3; echo "$X"`, want: "1\n" },
      { in: `echo "$X"; true`, want: "1\n" },
    ],
  },
  {
    name: "no loader or start-up variable",
    steps: [
      {
        in: "export LD_PRELOAD=/x.so BASH_ENV=/x PROMPT_COMMAND=id X=1 2>/dev/null; true",
        want: "",
      },
      { in: `echo "$LD_PRELOAD$BASH_ENV$PROMPT_COMMAND$X"`, want: "1\n" },
    ],
  },
  {
    name: "the status of the command before",
    steps: [{ in: "(exit 7)", want: "" }, { in: "echo $?", want: "7\n" }, {
      in: "echo $?; true",
      want: "0\n",
    }],
  },
  {
    name: "the earlier state when one command leaves more than 1 MiB",
    steps: [
      { in: "export X=1; cd /usr", want: "" },
      {
        in: "cd /; for i in {1..12}; do export BIG$i=$(printf '%0100000d' 0); done; true",
        want: "",
        notice: "is larger than 1048576",
      },
      { in: `echo "$X $PWD"; printenv BIG1; true`, want: "1 /usr\n" },
    ],
  },
  {
    name: "nothing of a function that the script only claims to have",
    steps: [
      {
        in: `printf 'C%s\\0Ff\\nid\\0E\\0' "$PWD" >&250; true`,
        want: "",
        notice: "function f: it is not the definition of a function",
      },
      { in: "echo next; true", want: "next\n" },
    ],
  },
];

for (const { name, steps } of CASES) {
  jailTest(`a session keeps ${name}`, async () => {
    await using session = new TestSession();
    for (const { in: source, want, notice = "" } of steps) {
      const { stdout, endsSession, block } = await session.run(source);
      assertEquals({ stdout, endsSession }, { stdout: want, endsSession: false }, source);
      assertStringIncludes(block.notices.join("\n"), notice);
    }
  });
}

jailTest("a session ends where bash itself would leave, with its status", async () => {
  const cases = [
    { in: "exit", status: 0, ends: true },
    { in: "exit 7", status: 7, ends: true },
    { in: "f() { exit 8; }; f", status: 8, ends: true },
    { in: "exec true", status: 0, ends: true },
    { in: "exec sh -c 'exit 9'", status: 9, ends: true },
    { in: "set -e; false; echo no", status: 1, ends: true },
    { in: ": ${NOSUCH:?gone}", status: 127, ends: true },
    { in: "(exit 7)", status: 7, ends: false },
    { in: "$(exit 7)", status: 7, ends: false },
    { in: "exit 7 | cat", status: 0, ends: false },
    { in: "false", status: 1, ends: false },
    { in: "return 3 2>/dev/null", status: 2, ends: false },
    { in: "sh -c 'exit 3'; (kill -9 $BASHPID)", status: 137, ends: false },
  ];
  for (const { in: source, status, ends } of cases) {
    await using session = new TestSession();
    const { exitStatus, endsSession } = await session.run(source);
    assertEquals({ exitStatus, endsSession }, { exitStatus: status, endsSession: ends }, source);
  }
});

jailTest("a forged report cannot leave the policy's environment or directory behind", async () => {
  await using session = new TestSession({
    policyText: '{"extends":"default","env":{"deny":["DENIED"]}}',
  });
  await session.run(
    `printf 'Crel\\0C/usr\\0VLD_PRELOAD=/x\\0VDENIED=1\\0VOK=1\\0E\\0' >&250; exit 0`,
  );
  const { cwd, environment } = session.context.state;
  assertEquals(cwd, "/usr");
  assertEquals([environment.LD_PRELOAD, environment.DENIED, environment.OK], [
    undefined,
    undefined,
    "1",
  ]);
});
