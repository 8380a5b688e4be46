/** The block as plain data: what happened, what the agent has, what can be done next. */
import type { Truncation } from "../output/summary.ts";
import type { Denial } from "../policy/policy.ts";
import type { LeftRunning, OutcomeKind, Suggestion } from "../record/record.ts";
import type { UnchainedRecord } from "../record/journal.ts";
import { honestOutcome } from "../record/succeeded.ts";
import { enforcementGap } from "./enforcement_gap.ts";

/** Version of the block's shape; `block_schema.ts` describes it. */
export const BLOCK_VERSION = 1;

/** How an end is to be read: done, look again, or failed. */
export type Level = "success" | "warning" | "error";

/** A block. Every text is bounded; those that came from outside are not yet escaped for a terminal, which rendering does. */
export interface Block {
  readonly version: typeof BLOCK_VERSION;
  readonly command_id: string;
  readonly level: Level;
  readonly outcome: OutcomeKind;
  readonly reason: string;
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly error: string | null;
  readonly duration_ms: number;
  /** Exact counts of the whole output. */
  readonly lines: { readonly stdout: number; readonly stderr: number };
  readonly bytes: { readonly stdout: number; readonly stderr: number };
  /** What a test runner or compiler says: counts, and the first failure with its place. */
  readonly observations: readonly string[];
  /** What the agent wrote beforehand. */
  readonly expected: string | null;
  readonly denials: readonly Denial[];
  /** Number of denials, listed or not. */
  readonly denials_total: number;
  readonly truncated:
    | { readonly stdout: Truncation | null; readonly stderr: Truncation | null }
    | null;
  readonly output_id: string | null;
  readonly redactions: Readonly<Record<string, number>>;
  /** Protected files that were restored. */
  readonly restored: readonly string[];
  readonly restored_total: number;
  readonly jobs: readonly LeftRunning[];
  readonly jobs_total: number;
  /** What the sandbox did not enforce; null when all of the policy was in force. */
  readonly sandbox: string | null;
  /** Failures of Debrief itself: no record, no spool. */
  readonly notices: readonly string[];
  readonly feedback: readonly string[];
  /** Null when there is nothing to suggest. */
  readonly next: { readonly heading: Heading; readonly suggestions: readonly Suggestion[] } | null;
}

/** Title of the suggestions: alternatives where something is not to be had at all. */
export type Heading = "NEXT STEPS" | "ALTERNATIVES";

const LEVELS: Readonly<Record<OutcomeKind, Level>> = {
  success: "success",
  "success-empty": "warning",
  partial: "warning",
  "no-results": "warning",
  false: "warning",
  "not-found": "error",
  "not-executable": "error",
  "syntax-error": "error",
  usage: "error",
  "denied-policy": "error",
  "denied-sandbox": "error",
  "rate-limited": "error",
  unavailable: "error",
  auth: "error",
  timeout: "error",
  killed: "error",
  "missing-dependency": "error",
  "test-failure": "error",
  "build-failure": "error",
  conflict: "error",
  "disk-full": "error",
  "needs-input": "error",
  "no-exit": "error",
  failed: "error",
};

const OUT_OF_REACH: ReadonlySet<OutcomeKind> = new Set([
  "not-found",
  "not-executable",
  "denied-policy",
  "denied-sandbox",
]);

/** Items of a list and characters of a text that a block holds; the record has them all. */
const MAX = {
  denials: 4,
  jobs: 4,
  restored: 8,
  notices: 4,
  redactions: 16,
  feedback: 8,
  observations: 4,
  suggestions: 8,
  text: 500,
  provider: 1_000,
} as const;

/** What a block is made of. `notices` are failures of Debrief itself, such as a record that could not be written. */
export interface BlockParts {
  readonly record: UnchainedRecord;
  readonly notices?: readonly string[];
}

/** Makes the block of a record. Pure; everything from outside is bounded here, so that any record gives a small block. */
export function buildBlock({ record, notices = [] }: BlockParts): Block {
  const { truncations } = record;
  const outcome = honestOutcome(record);
  const whole = truncations.stdout === null && truncations.stderr === null;
  const suggestions = record.suggestions.slice(0, MAX.suggestions)
    .map(({ rule, text }) => ({ rule: cut(rule), text: cut(text) }));
  return {
    version: BLOCK_VERSION,
    command_id: cut(record.command_id),
    level: LEVELS[outcome.kind] ?? "error",
    outcome: outcome.kind,
    reason: cut(outcome.reason),
    exit_code: record.exit_code,
    signal: cutOrNull(record.signal),
    error: cutOrNull(record.error),
    duration_ms: record.duration_ms,
    lines: record.lines,
    bytes: record.bytes,
    observations: (record.observations ?? []).slice(0, MAX.observations).map((text) => cut(text)),
    expected: cutOrNull(record.agent_note),
    denials: record.denials.slice(0, MAX.denials).map(boundDenial),
    denials_total: record.denials.length,
    truncated: whole ? null : truncations,
    output_id: cutOrNull(record.output_id),
    redactions: Object.fromEntries(
      Object.entries(record.redactions).slice(0, MAX.redactions).map((
        [rule, count],
      ) => [cut(rule), count]),
    ),
    restored: record.changed.slice(0, MAX.restored).map((text) => cut(text)),
    restored_total: record.changed.length,
    jobs: record.jobs.slice(0, MAX.jobs).map((job) => ({ ...job, command: cut(job.command) })),
    jobs_total: record.jobs.length,
    sandbox: cutOrNull(enforcementGap(record)),
    notices: notices.slice(0, MAX.notices).map((text) => cut(text)),
    feedback: record.feedback.slice(0, MAX.feedback).map((said) => cut(said, MAX.provider)),
    next: suggestions.length === 0 ? null : {
      heading: OUT_OF_REACH.has(outcome.kind) ? "ALTERNATIVES" : "NEXT STEPS",
      suggestions,
    },
  };
}

function boundDenial(denial: Denial): Denial {
  return {
    permission: denial.permission,
    resource: cut(denial.resource),
    by: denial.by,
    rule: cut(denial.rule),
    at: cut(denial.at),
    accepted: cut(denial.accepted),
  };
}

function cut(text: string, max: number = MAX.text): string {
  return text.length <= MAX.text
    ? text
    : `${text.slice(0, max - 3).replace(/[\ud800-\udbff]$/, "")}...`;
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : cut(text);
}
