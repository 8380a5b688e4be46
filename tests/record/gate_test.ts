import { assertEquals } from "@std/assert";
import { classify } from "../../src/feedback/outcome.ts";
import { type GateRules, judge } from "../../src/record/gate.ts";
import type { CommandRecord, OutcomeKind } from "../../src/record/record.ts";
import { observed } from "../feedback/observed.ts";
import { stream } from "./sample.ts";
import { sample } from "./sample.ts";

const RULES: GateRules = { required: ["deno test"], strict: false, acceptRetried: false };

/** `c1 deno test=0`, `c2<c1 deno test=null`, `c3<!c2 true=0` (linked by the caller), `grep x=1:no-results`. */
function history(...lines: readonly string[]): readonly CommandRecord[] {
  return lines.map((line) => {
    const [, id = "", caller, parent, text = "", status, kind] =
      /^(c\w)(?:<(!?)(c\w))? (.*)=(\w+)(?::([\w-]+))?$/.exec(line) ?? [];
    const exit_code = status === "null" ? null : Number(status);
    return {
      ...sample(),
      prev: null,
      command_id: id,
      parent_command_id: parent ?? null,
      parent_by: parent === undefined ? null : caller === "!" ? "caller" : "linked",
      command: text.split(" "),
      exit_code,
      error: exit_code === null ? "timed out" : null,
      outcome: {
        kind: (kind ?? (exit_code === 0 ? "success" : "failed")) as OutcomeKind,
        reason: "why",
      },
    };
  });
}

function decide(records: readonly CommandRecord[], rules: Partial<GateRules> = {}) {
  const { passed, findings } = judge(records, { rules: { ...RULES, ...rules }, others: [] });
  const found = findings.map(({ name, level, command_id }) =>
    `${level === "error" ? "" : "~"}${name}${command_id === null ? "" : ` ${command_id}`}`
  );
  return { passed, found };
}

const CASES: readonly {
  readonly name: string;
  readonly in: readonly string[];
  readonly rules?: Partial<GateRules>;
  readonly passed: boolean;
  readonly found: readonly string[];
}[] = [
  { name: "a command that ran", in: ["c1 deno test=0"], passed: true, found: [] },
  {
    name: "no records",
    in: [],
    passed: false,
    found: ["feedback.missing", "acceptance.missing"],
  },
  {
    name: "no records and no requirements",
    in: [],
    rules: { required: [] },
    passed: false,
    found: ["feedback.missing"],
  },
  {
    name: "a command like it",
    in: ["c1 deno test x=0", "c2 deno=0"],
    passed: false,
    found: ["acceptance.missing"],
  },
  {
    name: "a failure",
    in: ["c1 deno test=1"],
    passed: false,
    found: ["acceptance.failed c1"],
  },
  {
    name: "a failure after a success",
    in: ["c1 deno test=0", "c2 deno test=1"],
    passed: false,
    found: ["acceptance.failed c2"],
  },
  {
    name: "a success after a failure",
    in: ["c1 deno test=1", "c2<c1 deno test=0"],
    passed: true,
    found: [],
  },
  {
    name: "a plain no of the required command",
    in: ["c1 deno test=1:false"],
    passed: false,
    found: ["acceptance.failed c1"],
  },
  {
    name: "a success with a later attempt that failed",
    in: ["c1 deno test=0", "c2<!c1 deno test --all=1"],
    passed: false,
    found: ["acceptance.failed c2"],
  },
  {
    name: "no exit status, whatever the outcome says",
    in: ["c1 deno test=null:success"],
    passed: false,
    found: ["acceptance.failed c1", "feedback.null_exit c1"],
  },
  {
    name: "a missing exit status that was retried",
    in: ["c1 deno test=null", "c2<c1 deno test=0"],
    passed: false,
    found: ["feedback.null_exit c1"],
  },
  {
    name: "a missing exit status that was retried, where that is accepted",
    in: ["c1 deno test=null", "c2<c1 deno test=0"],
    rules: { acceptRetried: true },
    passed: true,
    found: ["~feedback.null_exit c1"],
  },
  {
    name: "the same under strict rules",
    in: ["c1 deno test=null", "c2<c1 deno test=0"],
    rules: { acceptRetried: true, strict: true },
    passed: false,
    found: ["~feedback.null_exit c1"],
  },
  {
    name: "a missing exit status that was not retried, where retries are accepted",
    in: ["c1 deno test=0", "c2 ls=null:success"],
    rules: { acceptRetried: true },
    passed: false,
    found: ["feedback.null_exit c2"],
  },
  {
    name: "a missing exit status at the end of a chain",
    in: ["c1 deno test=0", "c2 ls=1", "c3<c2 ls=null"],
    rules: { acceptRetried: true },
    passed: false,
    found: ["feedback.null_exit c3"],
  },
  {
    name: "a failure of something else",
    in: ["c1 deno test=0", "c2 make=2"],
    passed: false,
    found: ["feedback.failed c2"],
  },
  {
    name: "a failure of something else that was retried",
    in: ["c1 make=2", "c2<c1 make=0", "c3 deno test=0"],
    rules: { strict: true },
    passed: true,
    found: [],
  },
  {
    name: "a plain no",
    in: ["c1 deno test=0", "c2 grep x=1:no-results"],
    passed: true,
    found: ["~feedback.failed c2"],
  },
  {
    name: "a plain no under strict rules",
    in: ["c1 deno test=0", "c2 grep x=1:no-results"],
    rules: { strict: true },
    passed: false,
    found: ["~feedback.failed c2"],
  },
  {
    name: "a failure that the caller connects with another program",
    in: ["c1 deno test=0", "c2 make=2", "c3<!c2 true=0"],
    passed: true,
    found: ["~feedback.failed c2"],
  },
  {
    name: "a failed requirement that the caller connects with another program",
    in: ["c1 deno test=1", "c2<!c1 true=0"],
    passed: false,
    found: ["acceptance.failed c1", "~feedback.failed c1"],
  },
  {
    name: "parents in a circle",
    in: ["c1<c2 deno test=0", "c2<c1 deno test=0"],
    passed: true,
    found: [],
  },
  {
    name: "status 0 with an output that says otherwise",
    in: ["c1 deno test=0:partial"],
    passed: true,
    found: ["~acceptance.failed c1"],
  },
];

for (const { name, in: lines, rules, passed, found } of CASES) {
  Deno.test(`judge() decides about ${name}`, () => {
    assertEquals(decide(history(...lines), rules), { passed, found });
  });
}

Deno.test("judge() accepts exactly the text that joining by single blanks gives", () => {
  const forms: readonly (readonly string[])[] = [["deno", "test"], ["deno test"]];
  for (const command of forms) {
    const [one] = history("c1 x=0");
    assertEquals(decide([{ ...one!, command }]).passed, true);
  }
  const others = [["deno", "", "test"], ["deno", "test", ""], ["'deno test'"], ["deno\ttest"]];
  for (const command of others) {
    const [one] = history("c1 x=0");
    assertEquals(decide([{ ...one!, command }]).passed, false, JSON.stringify(command));
  }
});

Deno.test("judge() does not hold shortened output against a command", () => {
  const [one] = history("c1 deno test=0");
  const cut = stream({ bytes: 9, lines: 9, tail: "x", truncated: { lines: 5, bytes: 5 } });
  const base = observed({});
  const outcome = classify({
    ...base,
    ending: { ...base.ending, summary: { ...base.ending.summary, stdout: cut } },
  });
  assertEquals(outcome.kind, "partial");
  assertEquals(decide([{ ...one!, outcome }]).found, []);
});

Deno.test("judge() keeps history visible and puts errors first", () => {
  const records = history("c1 deno test=1", "c2<c1 deno test=null", "c3<c2 deno test=0", "c4 x=2");
  const { required, findings, records: count } = judge(records, { rules: RULES, others: [] });
  assertEquals(count, 4);
  assertEquals(
    required.map(({ command, state, attempts }) => [
      command,
      state,
      ...attempts.map(({ exit_code }) => exit_code),
    ]),
    [["deno test", "passed", 1, null, 0]],
  );
  const levels = findings.map(({ level }) => level);
  assertEquals(levels, levels.toSorted());
});

Deno.test("judge() takes findings from elsewhere for its own", () => {
  const others = [
    { name: "scope.forbidden", level: "error", message: "x", command_id: null },
  ] as const;
  assertEquals(judge(history("c1 deno test=0"), { rules: RULES, others }).passed, false);
});
