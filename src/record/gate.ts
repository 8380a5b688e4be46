/**
 * The gate: from records to the decision whether work is done. Pure. It fails closed: what cannot be read, was never
 * observed or is not there blocks, and no outcome, note or parent turns a missing exit status into a success.
 */
import type { CommandRecord } from "./record.ts";
import { subjectOf } from "./link_parent.ts";
import { type RetryChain, retryChains } from "./retry_chain.ts";
import { answered, succeeded } from "./succeeded.ts";
import { shortText } from "./visible_text.ts";

/** What a finding is about. */
export type FindingName =
  | "acceptance.missing"
  | "acceptance.failed"
  | "feedback.null_exit"
  | "feedback.failed"
  | "feedback.missing"
  | "scope.forbidden";

/** Something that blocks (`error`), or that only `strict` blocks on (`warning`). */
export interface GateFinding {
  readonly name: FindingName;
  readonly level: "error" | "warning";
  /** One line, fit for a terminal. */
  readonly message: string;
  /** The record that it is about, null when it is about none. */
  readonly command_id: string | null;
}

/** One attempt at a required command. */
export interface GateAttempt {
  readonly command_id: string;
  readonly exit_code: number | null;
  readonly started_at: string;
}

/** What became of a required command. */
export interface GateRequirement {
  readonly command: string;
  readonly state: "passed" | "failed" | "missing";
  /** All of its runs, oldest first: a later success hides none. */
  readonly attempts: readonly GateAttempt[];
}

/** The decision with everything that led to it. */
export interface GateReport {
  readonly version: 1;
  readonly passed: boolean;
  readonly strict: boolean;
  /** Records that were looked at. */
  readonly records: number;
  readonly required: readonly GateRequirement[];
  /** Errors first. */
  readonly findings: readonly GateFinding[];
}

/** What is asked of the records. */
export interface GateRules {
  /** Texts that `command`, joined by single blanks, must equal. */
  readonly required: readonly string[];
  /** Block on warnings too. */
  readonly strict: boolean;
  /** A missing exit status is a warning when a later attempt of its chain succeeded. */
  readonly acceptRetried: boolean;
}

/** Characters of a command that a finding quotes. */
const MAX_QUOTE = 160;

/** The reason of an outcome `partial` that says nothing against the command: not all of its output is shown. */
const ONLY_SHORTENED = "output truncated";

/**
 * Decides.
 *
 * @param records those in question, in the order of the journal, oldest first.
 * @param options the rules, and what was found about journal and paths.
 */
export function judge(
  records: readonly CommandRecord[],
  options: { readonly rules: GateRules; readonly others: readonly GateFinding[] },
): GateReport {
  const { rules, others } = options;
  const chains = retryChains(records);
  const required = rules.required.map((command) => requirement(command, records, chains));
  const named = new Set(rules.required);
  const all = [
    ...others,
    ...(records.length === 0 ? [NO_RECORDS] : []),
    ...required.flatMap(({ findings }) => findings),
    ...chains.flatMap((chain) => chainFindings(chain, { rules, named })),
  ];
  const findings = [...all.filter(isError), ...all.filter((finding) => !isError(finding))];
  return {
    version: 1,
    passed: rules.strict ? findings.length === 0 : !findings.some(isError),
    strict: rules.strict,
    records: records.length,
    required: required.map(({ state }) => state),
    findings,
  };
}

const NO_RECORDS: GateFinding = {
  name: "feedback.missing",
  level: "error",
  message: "there are no records to decide from",
  command_id: null,
};

function isError({ level }: GateFinding): boolean {
  return level === "error";
}

function requirement(
  command: string,
  records: readonly CommandRecord[],
  chains: readonly RetryChain[],
): { readonly state: GateRequirement; readonly findings: readonly GateFinding[] } {
  const runs = records.filter((record) => textOf(record) === command);
  const attempts = runs.map(({ command_id, exit_code, started_at }) => ({
    command_id,
    exit_code,
    started_at,
  }));
  const last = runs.at(-1);
  const quoted = quote(command);
  if (last === undefined) {
    const message = `${quoted} did not run`;
    return {
      state: { command, state: "missing", attempts },
      findings: [{ name: "acceptance.missing", level: "error", message, command_id: null }],
    };
  }
  const end = lastOf(chains.find((chain) => chain.records.includes(last)) ?? { records: [last] });
  const failure = succeeded(last) ? end : last;
  if (!succeeded(failure)) {
    const later = failure === last ? "" : `a later attempt, ${quote(textOf(failure))}, `;
    const message = `${quoted}: ${later}${endText(failure)}`;
    return {
      state: { command, state: "failed", attempts },
      findings: [finding("acceptance.failed", "error", { message, record: failure })],
    };
  }
  const { kind, reason } = last.outcome;
  const doubtful = kind === "partial" && reason !== ONLY_SHORTENED;
  const message = `${quoted} ended with status 0, but: ${shortText(reason, MAX_QUOTE)}`;
  return {
    state: { command, state: "passed", attempts },
    findings: doubtful ? [finding("acceptance.failed", "warning", { message, record: last })] : [],
  };
}

function chainFindings(
  chain: RetryChain,
  context: { readonly rules: GateRules; readonly named: ReadonlySet<string> },
): readonly GateFinding[] {
  const last = lastOf(chain);
  const retried = succeeded(last) && context.rules.acceptRetried;
  const nulls = chain.records.filter(({ exit_code }) => exit_code === null).map((record) =>
    finding("feedback.null_exit", retried ? "warning" : "error", {
      message: `${quote(textOf(record))} ${endText(record)}`,
      record,
    })
  );
  if (succeeded(last)) return [...nulls, ...foreignLinks(chain)];
  // Without an exit status it stands among the nulls; what was required has said so itself.
  const told = last.exit_code === null ||
    chain.records.some((record) => context.named.has(textOf(record)));
  if (told) return nulls;
  const message = `${quote(textOf(last))} ${endText(last)}`;
  const level = answered(last) ? "warning" : "error";
  return [...nulls, finding("feedback.failed", level, { message, record: last })];
}

/** Failures that only a caller's word connects with what came after them. */
function foreignLinks({ records }: RetryChain): readonly GateFinding[] {
  return records.flatMap((record) => {
    const parent = records.find(({ command_id }) => command_id === record.parent_command_id);
    if (record.parent_by !== "caller" || parent === undefined || answered(parent)) return [];
    if (textOf(parent) === textOf(record)) return [];
    const subject = subjectOf(parent.command);
    if (subject !== null && subject === subjectOf(record.command)) return [];
    const message = `${quote(textOf(parent))} ${
      endText(parent)
    }; its retry, by the caller's word, is ${quote(textOf(record))}`;
    return [finding("feedback.failed", "warning", { message, record: parent })];
  });
}

function finding(
  name: FindingName,
  level: GateFinding["level"],
  about: { readonly message: string; readonly record: CommandRecord },
): GateFinding {
  return { name, level, message: about.message, command_id: about.record.command_id };
}

function lastOf({ records }: Pick<RetryChain, "records">): CommandRecord {
  return records.at(-1) ?? records[0];
}

function textOf({ command }: CommandRecord): string {
  return command.join(" ");
}

function quote(text: string): string {
  return `\`${shortText(text, MAX_QUOTE)}\``;
}

function endText({ exit_code, error, outcome }: CommandRecord): string {
  if (exit_code !== null) return `ended with status ${exit_code}`;
  return `has no exit status: ${shortText(error ?? outcome.reason, MAX_QUOTE)}`;
}
