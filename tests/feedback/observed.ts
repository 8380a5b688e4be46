/** Observed facts and suggestion contexts to start from. */
import type { Observed, ProgramUse } from "../../src/feedback/observed.ts";
import type { SuggestContext } from "../../src/feedback/suggest.ts";
import { findings } from "../../src/feedback/findings.ts";
import { classify } from "../../src/feedback/outcome.ts";
import { ending, stream } from "../record/sample.ts";

type EndingFields = Parameters<typeof ending>[0];

export interface Case {
  readonly command?: readonly string[];
  readonly programs?: readonly string[];
  readonly ending?: EndingFields;
  readonly out?: string;
  readonly err?: string;
  readonly rest?: Partial<Observed>;
}

/** `programs` are written as command lines without quoting. */
export function observed(given: Case): Observed {
  const command = given.command ?? ["prog"];
  const written = given.programs ?? [command.join(" ")];
  const programs: ProgramUse[] = written.map((line) => {
    const [name = "", ...args] = line.split(" ");
    return { name, args };
  });
  const text = (value = "") =>
    stream({
      bytes: value.length,
      lines: value === "" ? 0 : value.split("\n").length,
      tail: value,
    });
  return {
    ending: ending({
      ...given.ending,
      summary: { stdout: text(given.out), stderr: text(given.err), ...given.ending?.summary },
    }),
    command,
    programs,
    denials: [],
    syntaxError: null,
    ...given.rest,
  };
}

export function context(given: Case, fields: Partial<SuggestContext> = {}): SuggestContext {
  const facts = observed(given);
  return {
    observed: facts,
    outcome: classify(facts),
    commandId: "c1f7abcd",
    outputId: "c1f7abcd",
    timeoutMs: 120_000,
    history: [],
    cwd: "/work",
    cwdAfter: "/work",
    goal: null,
    keepsJobs: true,
    findings: findings(facts),
    files: { names: () => null, text: () => null },
    runnable: () => true,
    programs: () => [],
    allowed: () => true,
    ...fields,
  };
}

export const POLICY_DENIAL = {
  permission: "run",
  resource: "git push --force",
  by: "policy",
  rule: 'run.deny "git push --force*"',
  at: "/home/u/policy.jsonc:12",
  accepted: "run: git, npm",
} as const;

export const SANDBOX_DENIAL = {
  permission: "write",
  resource: "/etc/hosts",
  by: "sandbox",
  rule: "write: not allowed by any rule",
  at: "built-in:default:7",
  accepted: "write: $WORKSPACE, $TMP",
} as const;
