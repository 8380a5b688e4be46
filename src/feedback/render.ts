/**
 * The block as text and as JSON.
 *
 *     --- debrief 482913705 \u2713 exit 0, 7ms, 2 lines ---                         a success of which there is no more to say
 *
 *     --- debrief 482913705 X failed, exit 1, 1.2s, 42 lines/3104 B, c1f7abcd    one line when there is no more to say,
 *     denied: write /etc/hosts, not allowed by any rule (policy.jsonc:12)        then closed by a final ---
 *     NEXT STEPS:
 *     -> `debrief output c1f7abcd --lines 11:210` shows more of 900 lines
 *     --- debrief 482913705 end ---
 */
import { counted } from "../output/counted.ts";
import type { Truncation } from "../output/summary.ts";
import type { OutcomeKind } from "../record/record.ts";
import { durationText } from "../record/duration_text.ts";
import { shortText, visibleText } from "../record/visible_text.ts";
import type { Block, Level } from "./block.ts";
import { counts, lineCount } from "./counts_text.ts";
import { escapeLookalikes, fenceEnd, fenceStart, JSON_KEY } from "./fence.ts";

/** How a block is printed: with the session's nonce, and with colour on a terminal. */
export interface RenderOptions {
  readonly nonce: string;
  readonly color: boolean;
  /** True where other commands run as well: then a success says whose it is, too. */
  readonly named?: boolean;
}

/** Check mark, warning sign, ballot x. */
const SYMBOLS: Readonly<Record<Level, string>> = {
  success: "\u2713",
  warning: "\u26a0",
  error: "\u2717",
};

/** Select Graphic Rendition parameters (ECMA-48, 8.3.117): green, yellow, red. */
const COLORS: Readonly<Record<Level, number>> = { success: 32, warning: 33, error: 31 };

const WORDS: Readonly<Record<OutcomeKind, string>> = {
  success: "ok",
  "success-empty": "ok",
  partial: "partial",
  "no-results": "nothing found",
  false: "false",
  "not-found": "not found",
  "not-executable": "not executable",
  "syntax-error": "syntax error",
  usage: "usage error",
  "denied-policy": "denied by policy",
  "denied-sandbox": "denied by sandbox",
  "rate-limited": "rate limited",
  unavailable: "unavailable",
  auth: "not authorized",
  timeout: "timeout",
  killed: "killed",
  "missing-dependency": "missing dependency",
  "test-failure": "tests failed",
  "build-failure": "build failed",
  conflict: "conflict",
  "disk-full": "disk full",
  "needs-input": "needs input",
  "no-exit": "no exit",
  failed: "failed",
};

/** Outcomes whose words need the reason; for the others a line below or the counts have it. */
const WITH_REASON: ReadonlySet<OutcomeKind> = new Set([
  "partial",
  "not-found",
  "not-executable",
  "syntax-error",
  "usage",
  "killed",
  "rate-limited",
  "unavailable",
  "auth",
  "missing-dependency",
  "conflict",
  "disk-full",
  "needs-input",
]);

/** Outcomes whose headline or denial says all that `error` would. */
const SELF_EXPLAINED: ReadonlySet<OutcomeKind> = new Set([
  "denied-policy",
  "denied-sandbox",
  "syntax-error",
  "timeout",
]);

/**
 * Characters of a block without suggestions and feedback: 150 tokens at 4 characters each. Facts that do not fit
 * are counted, and `debrief show` has them.
 */
const MAX_FACTS = 600;

/** Characters of one suggestion or feedback line. */
const MAX_LINE = 320;

/** Lines of feedback in one block. */
const MAX_FEEDBACK_LINES = 24;

/** Lines of one suggestion: its text and the two of an excerpt. */
const MAX_SUGGESTION_LINES = 3;

/** Renders a block as text with a final newline. One line when nothing but the end is to be told. */
export function renderText(block: Block, options: RenderOptions): string {
  const { nonce } = options;
  const facts = factLines(block, nonce);
  // Labels and indentation already keep fields off the line's start; this also covers the text of feedback providers.
  const more = [...feedbackLines(block), ...suggestionLines(block)].map((line) =>
    escapeLookalikes(line, nonce)
  );
  const isPlain = facts.length + more.length === 0;
  const isShort = isPlain && WORDS[block.outcome] === "ok" && options.named !== true;
  const line = isShort ? successLine : headline;
  const head = fenceStart(nonce) + line(block, options.color);
  if (isPlain) return `${head} ---\n`;
  const body = [...fitFacts(block, { head, facts, nonce }), ...more];
  return `${[head, ...body, fenceEnd(nonce)].join("\n")}\n`;
}

/**
 * Renders a block as one line of JSON with a final newline. The nonce is put in front where the line shares a stream with command output.
 */
export function renderJson(block: Block, options: { readonly nonce?: string } = {}): string {
  const { nonce } = options;
  return `${JSON.stringify(nonce === undefined ? block : { [JSON_KEY]: nonce, ...block })}\n`;
}

/** What happened, in one line: outcome, exit status, duration, counts, id. */
export function headline(block: Block, color: boolean): string {
  const reason = WITH_REASON.has(block.outcome) ? ` (${shortText(block.reason, 60)})` : "";
  const words = `${WORDS[block.outcome] ?? shortText(block.outcome, 20)}${reason}`;
  const id = shortText(block.command_id, 16);
  return `${symbolOf(block, color)} ${
    [words, ...statusWords(block), durationText(block.duration_ms), counts(block), id].join(", ")
  }`;
}

/** The same of a success that was shown whole: what it says in 20 tokens, so its id is left to `debrief log`. */
function successLine(block: Block, color: boolean): string {
  return `${symbolOf(block, color)} ${
    [...statusWords(block), durationText(block.duration_ms), lineCount(block)].join(", ")
  }`;
}

function symbolOf({ level }: Block, color: boolean): string {
  const symbol = SYMBOLS[level];
  return color ? `\u001b[${COLORS[level]}m${symbol}\u001b[0m` : symbol;
}

function statusWords(block: Block): string[] {
  if (block.exit_code !== null) return [`exit ${block.exit_code}`];
  if (block.signal !== null) return [shortText(block.signal, 16)];
  return block.outcome === "no-exit" ? [] : ["no exit"];
}

interface Fact {
  readonly text: string;
  /** Printed even when the budget is used up. */
  readonly always: boolean;
}

function factLines(block: Block, nonce: string): Fact[] {
  const facts: Fact[] = [];
  const add = (text: string, always = false) =>
    facts.push({ text: escapeLookalikes(text, nonce), always });
  if (block.sandbox !== null) add(`sandbox: ${shortText(block.sandbox, 100)}`, true);
  // Two at most keep their place for certain: a missing record and a missing spool.
  block.notices.forEach((notice, index) =>
    add(`notice: ${shortText(notice, index === 0 ? 140 : 80)}`, index < 2)
  );
  const { error, reason, outcome } = block;
  if (outcome === "no-exit") add(`error: ${shortText(error ?? reason, 120)}`);
  else if (error !== null && error !== reason && !SELF_EXPLAINED.has(outcome)) {
    add(`error: ${shortText(error, 120)}`);
  }
  // The first one stands beside what was expected, if anything was.
  if (block.level !== "success") {
    const told = block.expected === null ? 0 : 1;
    for (const text of block.observations.slice(told)) add(shortText(text, 160));
  }
  for (const denial of block.denials) add(denialText(denial));
  if (block.denials_total > block.denials.length) add(`denied: ${block.denials_total} in all`);
  if (block.expected !== null) {
    add(`expected: ${shortText(block.expected, 100)} \u00b7 got: ${gotText(block)}`);
  }
  const { truncated } = block;
  if (truncated !== null) add(truncationText(block, truncated));
  const rules = Object.entries(block.redactions);
  if (rules.length > 0) {
    const listed = rules.slice(0, 5).map(([rule, count]) => `${shortText(rule, 30)} ${count}`).join(
      ", ",
    );
    add(`redacted: ${listed}${rules.length > 5 ? `, ${rules.length - 5} more` : ""}`);
  }
  if (block.jobs.length > 0) add(jobsText(block));
  if (block.restored.length > 0) add(restoredText(block));
  return facts;
}

/** One refusal in one line, with its rule and what is allowed instead. */
export function denialText(
  { permission, resource, rule, at, accepted }: Block["denials"][number],
): string {
  const list = accepted.startsWith(`${permission}: `)
    ? accepted.slice(permission.length + 2)
    : accepted;
  const instead = list === "" ? "" : `; allowed: ${shortText(list, 100)}`;
  const what = `${shortText(permission, 8)} ${shortText(resource, 80)}`;
  return `denied: ${what}, ${shortText(rule, 60)} (${shortText(at, 60)})${instead}`;
}

/** What stands beside an expectation: how the command ended, and what it said of itself, else how much it printed. */
export function gotText(block: Block): string {
  const [seen] = block.observations;
  return [...statusWords(block), seen === undefined ? counts(block) : shortText(seen, 80)].join(
    ", ",
  );
}

function truncationText(
  block: Block,
  cut: { stdout: Truncation | null; stderr: Truncation | null },
): string {
  const parts = (["stdout", "stderr"] as const).flatMap((name) => {
    const stream = cut[name];
    return stream === null ? [] : [`${counted(stream.lines, "line")}/${stream.bytes} B of ${name}`];
  });
  const where = block.output_id === null
    ? ""
    : `; debrief output ${shortText(block.output_id, 16)}`;
  return `truncated: ${parts.join(", ")} not shown${where}`;
}

function jobsText({ jobs, jobs_total }: Block): string {
  const listed = jobs.slice(0, 3).map(({ pid, command, state }) =>
    `${pid} ${shortText(command, 40)}${state === "ended" ? " (ended)" : ""}`
  );
  return `left running: ${listed.join("; ")}${jobs_total > 3 ? `; ${jobs_total - 3} more` : ""}`;
}

function restoredText({ restored, restored_total }: Block): string {
  const listed = restored.slice(0, 3).map((path) => shortText(path, 50)).join(", ");
  return `restored: ${listed}${restored_total > 3 ? `, ${restored_total - 3} more` : ""}`;
}

/** Keeps the facts that fit into the budget, in order; the rest is counted in one line. */
function fitFacts(
  block: Block,
  parts: { head: string; facts: readonly Fact[]; nonce: string },
): string[] {
  const rest = (count: number) => `${count} more: debrief show ${shortText(block.command_id, 16)}`;
  const fixed = parts.facts.filter(({ always }) => always).reduce(
    (sum, { text }) => sum + text.length + 1,
    0,
  );
  let room = MAX_FACTS - parts.head.length - fenceEnd(parts.nonce).length - rest(99).length - 6 -
    fixed;
  const kept: string[] = [];
  let left = 0;
  for (const { text, always } of parts.facts) {
    if (always || text.length + 1 <= room) {
      kept.push(text);
      if (!always) room -= text.length + 1;
    } else left++;
  }
  return left === 0 ? kept : [...kept, rest(left)];
}

/** One blank line between what two providers say, none elsewhere. */
function feedbackLines({ feedback }: Block): string[] {
  const lines = feedback.flatMap((text, index) => {
    const own = text.split("\n").filter((line) => line !== "");
    return index === 0 ? own : ["", ...own];
  });
  return lines.slice(0, MAX_FEEDBACK_LINES).map((line) => shortText(line, MAX_LINE));
}

function suggestionLines({ next }: Block): string[] {
  if (next === null) return [];
  const lines = next.suggestions.flatMap(({ text }) => {
    const [first = "", ...rest] = text.split("\n").slice(0, MAX_SUGGESTION_LINES);
    return [
      `\u2192 ${shortText(first, MAX_LINE)}`,
      ...rest.map((line) => `  ${visibleText(line).slice(0, MAX_LINE)}`),
    ];
  });
  return [`${next.heading}:`, ...lines];
}
