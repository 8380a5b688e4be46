/** Building a record from its parts: the one place where text enters a record, so redaction and bounds are applied here. */
import type { Denial } from "../policy/policy.ts";
import {
  type CommandRecord,
  type Ending,
  type LeftRunning,
  type Outcome,
  RECORD_VERSION,
  type SandboxState,
  type Suggestion,
} from "./record.ts";
import type { UnchainedRecord } from "./journal.ts";
import { boundItems, boundText, boundTexts } from "./bounds.ts";
import { honestOutcome } from "./succeeded.ts";

/** What a record is made of. `redact` must be idempotent and linear. */
export interface RecordParts {
  readonly ids: {
    readonly command: string;
    readonly session: string;
    readonly task: string | null;
  };
  /** Exact words of a plain command, else one element with the script. */
  readonly command: readonly string[];
  /** What was executed; empty when nothing was. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly startedAt: Date;
  readonly ending: Ending;
  readonly sandbox: SandboxState;
  readonly denials: readonly Denial[];
  readonly outcome: Outcome;
  /** Counts and the first failure, in words. */
  readonly observations?: readonly string[];
  readonly suggestions: readonly Suggestion[];
  readonly note: string | null;
  /** Set by the caller; `linkParent` finds one otherwise. */
  readonly parent: string | null;
  readonly jobs: readonly LeftRunning[];
  readonly outputId: string | null;
  /** Protected files that were restored. */
  readonly changed?: readonly string[];
  /** What feedback providers said. */
  readonly feedback?: readonly string[];
  readonly redact: (text: string) => string;
}

/** Bytes of JSON by field; together below 512 KiB, half of what a reader accepts. */
const MAX = {
  words: 65_536,
  path: 8_192,
  text: 4_096,
  tail: 32_768,
  denials: 65_536,
  observations: 4_096,
  suggestions: 16_384,
  feedback: 32_768,
  changed: 65_536,
  jobs: 32_768,
} as const;

/** Items of a list that a record keeps. */
const MAX_ITEMS = 64;

/** Restored files that a record lists; a path is short, so there may be more. */
const MAX_CHANGED = 1_024;

/**
 * Builds a record. Pure: every text passes `redact` and a bound, counts stay exact, and a missing exit always has
 * an `error`, because a record without either would say nothing.
 * @throws RangeError when `startedAt` is no date.
 */
export function buildRecord(parts: RecordParts): UnchainedRecord {
  const { ending, redact } = parts;
  const outcome = honestOutcome({ exit_code: ending.exitCode, outcome: parts.outcome });
  const { stdout, stderr, redactions } = ending.summary;
  const clean = (text: string, max: number) => boundText(redact(text), max);
  const cleanOrNull = (text: string | null, max: number) => text === null ? null : clean(text, max);
  return {
    version: RECORD_VERSION,
    command_id: parts.ids.command,
    parent_command_id: parts.parent,
    parent_by: parts.parent === null ? null : "caller",
    session_id: parts.ids.session,
    task_id: cleanOrNull(parts.ids.task, MAX.text),
    command: boundTexts(redactWords(parts.command, redact), MAX.words),
    argv: boundTexts(redactWords(parts.argv, redact), MAX.words),
    cwd: clean(parts.cwd, MAX.path),
    started_at: parts.startedAt.toISOString(),
    duration_ms: Math.max(0, Math.round(ending.durationMs)),
    exit_code: ending.exitCode,
    signal: ending.signal,
    error: cleanOrNull(errorOf(ending, outcome), MAX.text),
    stdout_tail: clean(stdout.tail, MAX.tail),
    stderr_tail: clean(stderr.tail, MAX.tail),
    truncations: { stdout: stdout.truncated, stderr: stderr.truncated },
    redactions: Object.fromEntries(
      Object.entries(redactions).slice(0, MAX_ITEMS).map((
        [rule, count],
      ) => [boundText(rule, 256), count]),
    ),
    bytes: { stdout: stdout.bytes, stderr: stderr.bytes },
    lines: { stdout: stdout.lines, stderr: stderr.lines },
    agent_note: cleanOrNull(parts.note, MAX.text),
    outcome: { kind: outcome.kind, reason: clean(outcome.reason, MAX.text) },
    observations: boundTexts(
      (parts.observations ?? []).slice(0, MAX_ITEMS).map(redact),
      MAX.observations,
    ),
    suggestions: boundItems(
      parts.suggestions.slice(0, MAX_ITEMS).map(({ rule, text }) => ({
        rule,
        text: clean(text, MAX.text),
      })),
      { max: MAX.suggestions, count: MAX_ITEMS },
    ),
    feedback: boundFeedback(parts.feedback ?? [], redact),
    sandbox: cleanSandbox(parts.sandbox, clean),
    denials: boundItems(
      parts.denials.slice(0, MAX_ITEMS).map((denial) => cleanDenial(denial, clean)),
      { max: MAX.denials, count: MAX_ITEMS },
    ),
    changed: boundTexts((parts.changed ?? []).slice(0, MAX_CHANGED).map(redact), MAX.changed),
    jobs: boundItems(
      parts.jobs.slice(0, MAX_ITEMS).map((job) => ({
        ...job,
        command: clean(job.command, MAX.text),
      })),
      { max: MAX.jobs, count: MAX_ITEMS },
    ),
    output_id: parts.outputId,
  };
}

/** What feedback providers said, as a record keeps it. */
export function boundFeedback(
  texts: readonly string[],
  redact: (text: string) => string,
): string[] {
  return boundTexts(texts.slice(0, MAX_ITEMS).map(redact), MAX.feedback);
}

/**
 * Redacts a list of words both one by one and in their context: in `--password hunter2` only the pair shows the
 * secret. Where the context finds more, the words are cut apart again at blanks, or, when words hold blanks
 * themselves, become one element, which joined by blanks still reads as typed.
 */
export function redactWords(words: readonly string[], redact: (text: string) => string): string[] {
  const single = words.map(redact);
  if (single.length < 2) return single;
  const line = single.join(" ");
  const inContext = redact(line);
  if (inContext === line) return single;
  const pieces = inContext.split(" ");
  return pieces.length === single.length && !single.some((word) => word.includes(" "))
    ? pieces
    : [inContext];
}

function errorOf({ error, exitCode, signal }: Ending, outcome: Outcome): string | null {
  if (error !== null || exitCode !== null) return error;
  if (outcome.reason !== "") return outcome.reason;
  return signal === null ? "no exit was observed" : `ended by ${signal}`;
}

function cleanDenial(denial: Denial, clean: (text: string, max: number) => string): Denial {
  return {
    permission: denial.permission,
    resource: clean(denial.resource, MAX.text),
    by: denial.by,
    rule: clean(denial.rule, MAX.text),
    at: clean(denial.at, MAX.text),
    accepted: clean(denial.accepted, MAX.text),
  };
}

function cleanSandbox(
  sandbox: SandboxState,
  clean: (text: string, max: number) => string,
): CommandRecord["sandbox"] {
  return {
    ...sandbox,
    policy: clean(sandbox.policy, MAX.path),
    enforced: Object.fromEntries(Object.entries(sandbox.enforced).slice(0, MAX_ITEMS)),
  };
}
