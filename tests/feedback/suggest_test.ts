import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { editDistance, nearNames } from "../../src/feedback/near_names.ts";
import { suggest, type SuggestContext } from "../../src/feedback/suggest.ts";
import { stream } from "../record/sample.ts";
import { type Case, context, POLICY_DENIAL, SANDBOX_DENIAL } from "./observed.ts";

const MISSING: Case = {
  command: ["gti", "status"],
  ending: { exitCode: 127 },
  err: "bash: line 1: gti: command not found",
};
const PATH = { programs: () => ["git", "gta", "gtk", "ls", "g"] };
const CUT: Case = {
  ending: {
    exitCode: 0,
    summary: { stdout: stream({ bytes: 9e5, lines: 900, truncated: { lines: 860, bytes: 8e5 } }) },
  },
};

const TABLE: readonly { name: string; in: Case; with?: Partial<SuggestContext>; want: string[] }[] =
  [
    { name: "plain success", in: { out: "hello" }, want: [] },
    { name: "plain failure", in: { ending: { exitCode: 1 }, out: "x" }, want: [] },
    {
      name: "a policy denial",
      in: {
        command: ["git", "push", "--force"],
        ending: { exitCode: null },
        rest: { denials: [POLICY_DENIAL] },
      },
      want: [
        "`git push`: without --force it is allowed",
        "`debrief policy show` lists all grants; only the policy's owner can add one (run.allow in /home/u/policy.jsonc)",
      ],
    },
    {
      name: "a sandbox denial",
      in: { ending: { exitCode: 1 }, rest: { denials: [SANDBOX_DENIAL] } },
      want: [
        '`debrief policy show` lists all grants; only the policy\'s owner can add one (write.allow in ~/.config/debrief/policy.jsonc with "extends": "default")',
      ],
    },
    {
      name: "a typo",
      in: MISSING,
      with: PATH,
      want: [
        "`gta status`: gta is on PATH and allowed",
        "`gtk status`: gtk is on PATH and allowed",
        "`git status`: git is on PATH and allowed",
      ].sort(),
    },
    {
      name: "text without a shell",
      in: {
        ending: { exitCode: null, error: 'Cannot start "bash": no such file', errno: 2 },
        command: ["gti status > x"],
      },
      with: PATH,
      want: ["bash carries out text and has to be installed; `debrief -- PROGRAM` needs none"],
    },
    {
      name: "a typo where the policy allows one name",
      in: MISSING,
      with: { ...PATH, allowed: (name) => name === "git" },
      want: ["`git status`: git is on PATH and allowed"],
    },
    {
      name: "a typo whose correction failed before",
      in: MISSING,
      with: {
        ...PATH,
        allowed: (name) => name === "git",
        history: [{ command: ["git", "status"], exit_code: 128 }],
      },
      want: [],
    },
    {
      name: "a typo whose correction succeeded before",
      in: MISSING,
      with: {
        ...PATH,
        allowed: (name) => name === "git",
        history: [{ command: ["git", "status"], exit_code: 0 }],
      },
      want: ["`git status`: git is on PATH and allowed"],
    },
    {
      name: "a typo inside a script",
      in: { ...MISSING, command: ["cd x && gti status"] },
      with: { ...PATH, allowed: (name) => name === "git" },
      want: ["`cd x && git status`: git is on PATH and allowed"],
    },
    {
      name: "a missing program without near names",
      in: MISSING,
      with: { programs: () => ["ls"] },
      want: [],
    },
    {
      name: "a script without execute permission",
      in: {
        command: ["./run it.sh"],
        ending: { exitCode: 126 },
        err: "bash: line 1: ./run it.sh: Permission denied",
      },
      want: [
        "`bash './run it.sh'` needs no execute permission",
        "`chmod +x './run it.sh'` sets the execute permission",
      ],
    },
    {
      name: "a file that is no script",
      in: {
        command: ["./README.md"],
        ending: { exitCode: 126 },
        err: "bash: line 1: ./README.md: Permission denied",
      },
      with: { allowed: (name) => name !== "chmod" },
      want: [],
    },
    {
      name: "a timeout",
      in: { out: "a\nb", ending: { exitCode: null, timedOut: true, error: "timeout" } },
      want: [
        "the limit was 2m00s; `--timeout 240s` sets another for one command",
        "`debrief output c1f7abcd` has the 2 lines that came before the end",
      ],
    },
    {
      name: "a timeout without output",
      in: { ending: { exitCode: null, timedOut: true } },
      with: { timeoutMs: 1_500 },
      want: ["the limit was 1.5s; `--timeout 3s` sets another for one command"],
    },
    {
      name: "truncated output of a success",
      in: CUT,
      want: ["`debrief output c1f7abcd --lines 21:220` shows more of 900 lines"],
    },
    {
      name: "truncated output of a failure",
      in: { ...CUT, ending: { ...CUT.ending, exitCode: 1 } },
      want: [
        "`debrief output c1f7abcd --lines 11:210` shows more of 900 lines",
        "`debrief output c1f7abcd --grep 'error|fail'` shows the lines that match",
      ],
    },
    { name: "truncated output that was not spooled", in: CUT, with: { outputId: null }, want: [] },
    {
      name: "a syntax error",
      in: {
        ending: { exitCode: null },
        rest: {
          syntaxError: {
            message: "unexpected )",
            line: 2,
            column: 8,
            text: "echo a\necho\tb )\necho c",
          },
        },
      },
      want: ["line 2, column 8; nothing was executed\necho\\tb )\n        ^"],
    },
    {
      name: "a kill",
      in: { out: "x", ending: { exitCode: null, signal: "SIGKILL" } },
      want: [
        "the kernel sends SIGKILL also when memory runs out",
        "`debrief output c1f7abcd` has the 1 line that came before the end",
      ],
    },
    { name: "a crash without output", in: { ending: { exitCode: 139 } }, want: [] },
    {
      name: "no exit",
      in: { ending: { exitCode: null, error: "runner fault" } },
      want: [
        "without an exit status nothing is verified; `debrief show c1f7abcd` prints the record",
      ],
    },
    {
      name: "wrong usage",
      in: { command: ["tar", "-Q"], ending: { exitCode: 64 } },
      want: ["`tar --help` prints its usage"],
    },
    {
      name: "wrong usage of --help itself",
      in: { command: ["tar", "--help"], ending: { exitCode: 64 } },
      want: [],
    },
  ];

for (const { name, in: given, with: fields, want } of TABLE) {
  Deno.test(`suggest for ${name}`, () => {
    const texts = suggest(context(given, fields)).map(({ text }) => text);
    assertEquals(texts, want);
  });
}

Deno.test("suggest looks at PATH only when a name was not found", () => {
  const programs = () => {
    throw new Error("asked");
  };
  assertEquals(suggest(context({ ending: { exitCode: 1 } }, { programs })), []);
});

Deno.test("suggest gives at most five bounded suggestions for any command", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("x".repeat(9_000), "\n".repeat(9_000)),
  );
  fc.assert(fc.property(text, text, fc.integer({ min: 0, max: 140 }), (one, two, exitCode) => {
    const given: Case = {
      command: [one, two],
      programs: [one],
      ending: {
        exitCode,
        summary: {
          stderr: stream({
            bytes: 1,
            lines: 9,
            tail: `${two}: not found`,
            truncated: { lines: 1, bytes: 1 },
          }),
        },
      },
      rest: {
        denials: [{ ...SANDBOX_DENIAL, resource: one, rule: two, at: one, accepted: two }],
        syntaxError: { message: one, line: 1, column: 5_000, text: two },
      },
    };
    const made = suggest(context(given, { programs: () => [one, two] }));
    assert(made.length <= 5);
    for (const { text } of made) assert(text.length <= 800, text);
  }));
});

Deno.test("editDistance counts insertions, deletions, substitutions and swaps", () => {
  const cases = [
    { in: ["", ""], want: 0 },
    { in: ["git", "git"], want: 0 },
    { in: ["gti", "git"], want: 1 },
    { in: ["grpe", "grep"], want: 1 },
    { in: ["pyhton3", "python3"], want: 1 },
    { in: ["lss", "ls"], want: 1 },
    { in: ["kitten", "sitting"], want: 3 },
    // No part is edited twice, so this is not 2.
    { in: ["ca", "abc"], want: 3 },
  ];
  for (const { in: [from = "", to = ""], want } of cases) {
    assertEquals(editDistance(from, to), want, from);
    assertEquals(editDistance(to, from), want, to);
  }
});

Deno.test("nearNames offers the nearest three, farther ones only if they begin alike", () => {
  const offer = (name: string, candidates: string[]) =>
    nearNames(name, { candidates, accept: () => true });
  assertEquals(offer("pyhton", ["python", "pylon", "pytho", "ython", "perl"]), [
    "python",
    "pylon",
    "pytho",
  ]);
  assertEquals(offer("sl", ["sa", "ls"]), ["ls"]);
  assertEquals(offer("gti", ["git", "get", "rti", "gta", "tig"]), ["git", "gta", "rti"]);
  assertEquals(offer("nosuch", ["touch", "nosuchx", "noschu"]), ["nosuchx", "noschu"]);
  assertEquals(offer("x".repeat(65), ["x".repeat(65) + "y"]), []);
});

Deno.test("suggest does not repeat itself until the situation has changed", () => {
  const want = ["`git status`: git is on PATH and allowed"];
  const texts = (history: SuggestContext["history"]) =>
    suggest(context(MISSING, { ...PATH, allowed: (name) => name === "git", history }))
      .map(({ text }) => text);
  const earlier = {
    command: ["gti", "status"],
    exit_code: 127,
    outcome: { kind: "not-found", reason: "" },
    suggestions: [{ rule: "near-name", text: want[0]! }],
  } as const;
  assertEquals(texts([]), want);
  assertEquals(texts([earlier]), []);
  assertEquals(texts([earlier, { command: ["make"], exit_code: 2 }]), []);
  assertEquals(texts([earlier, { command: ["make"], exit_code: 0 }]), want, "something succeeded");
  assertEquals(texts([{ ...earlier, command: ["gti", "log"] }]), want, "another command");
  assertEquals(
    texts([{ ...earlier, outcome: { kind: "failed", reason: "" } }]),
    want,
    "another end",
  );
});

Deno.test("suggest makes one suggestion when brief, and several otherwise", () => {
  const made = (verbosity: SuggestContext["verbosity"]) =>
    suggest(context(MISSING, { ...PATH, verbosity })).length;
  assertEquals([made("brief"), made("normal"), made("full")], [1, 3, 3]);
});
