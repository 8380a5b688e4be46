/** What is said of background commands at one moment: in the form of a block, with the same fence. */
import { durationText } from "../record/duration_text.ts";
import type { OutcomeKind } from "../record/record.ts";
import { shortText } from "../record/visible_text.ts";
import type { Level } from "./block.ts";
import { escapeLookalikes, fenceEnd, fenceStart, JSON_KEY } from "./fence.ts";

/** A command reads input that nobody has sent. */
export interface Waiting {
  /** The last unfinished line of its output, redacted; null when there is none. */
  readonly asks: string | null;
}

/** A job at one moment. All text has passed redaction. */
export interface JobView {
  /** The command's id, in its record too. */
  readonly id: string;
  /** As typed, at most 200 characters. */
  readonly command: string;
  /** Process id of its first process; null before it was started. */
  readonly pid: number | null;
  /** RFC 3339, UTC, with milliseconds. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly state: "running" | "ended";
  /** Bytes that it has written so far. */
  readonly bytes: { readonly stdout: number; readonly stderr: number };
  /** What it seems to wait for; null while it does not. */
  readonly waits: Waiting | null;
  readonly outcome: OutcomeKind | null;
  readonly exit_code: number | null;
}

/** What a session says of its jobs. */
export interface JobReport {
  readonly version: 1;
  readonly kind: "jobs";
  readonly level: Level;
  /** What happened, in a few words. */
  readonly message: string;
  readonly jobs: readonly JobView[];
  /** What can be done next, as facts. */
  readonly next: readonly string[];
}

/** Jobs that a text lists; JSON has them all. */
const MAX_LISTED = 16;
/** Characters of a line. */
const MAX_LINE = 160;

const SYMBOLS: Readonly<Record<Level, string>> = {
  success: "\u2713",
  warning: "\u26a0",
  error: "\u2717",
};

/** The report of jobs, with what can be done with the one that it is about. */
export function buildJobReport(
  jobs: readonly JobView[],
  { message, level = "success" }: { readonly message: string; readonly level?: Level },
): JobReport {
  const [only] = jobs;
  const next = jobs.length === 1 && only !== undefined ? nextSteps(only) : [];
  return { version: 1, kind: "jobs", level, message, jobs, next };
}

function nextSteps({ id, state, waits }: JobView): readonly string[] {
  if (state === "ended") return [`\`debrief show ${id}\` prints its record`];
  return [
    ...(waits === null ? [] : [`\`debrief send ${id} TEXT\` answers it`]),
    `\`debrief output ${id}\` prints its output so far`,
    `\`debrief kill ${id}\` ends it; it ends with the session at the latest`,
  ];
}

/** One job in one line. */
function jobLine(view: JobView): string {
  const { stdout, stderr } = view.bytes;
  const words = [
    view.state === "running" ? view.state : `${view.outcome ?? "ended"}`,
    ...(view.exit_code === null ? [] : [`exit ${view.exit_code}`]),
    durationText(view.duration_ms),
    `${stdout}${stderr > 0 ? `+${stderr}` : ""} B`,
    ...(view.state === "running" && view.pid !== null ? [`pid ${view.pid}`] : []),
  ];
  const asks = view.waits?.asks ? `: ${shortText(view.waits.asks, 60)}` : "";
  const waits = view.waits === null ? "" : `, waits for input${asks}`;
  return `${view.id} ${words.join(", ")}${waits}: ${shortText(view.command, MAX_LINE / 2)}`;
}

/** Renders a report as text with a final newline. */
export function renderJobReport(report: JobReport, nonce: string): string {
  const { jobs, next } = report;
  const head = `${fenceStart(nonce)}${SYMBOLS[report.level]} ${
    shortText(report.message, MAX_LINE)
  }`;
  const more = jobs.length - MAX_LISTED;
  const lines = [
    ...jobs.slice(-MAX_LISTED).map(jobLine),
    ...(more > 0 ? [`${more} more: debrief jobs --json`] : []),
    ...(next.length === 0 ? [] : ["NEXT STEPS:", ...next.map((text) => `\u2192 ${text}`)]),
  ];
  if (lines.length === 0) return `${head} ---\n`;
  const body = lines.map((line) => escapeLookalikes(line, nonce));
  return `${[head, ...body, fenceEnd(nonce)].join("\n")}\n`;
}

/** Renders a report as one line of JSON, with the nonce in front. */
export function renderJobReportJson(report: JobReport, nonce: string): string {
  return `${JSON.stringify({ [JSON_KEY]: nonce, ...report })}\n`;
}
