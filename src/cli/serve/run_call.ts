/** One call of MCP's tool `run`: output is collected for the result and reported as progress on the way. */
import { buildJobReport, type JobView, renderJobReport } from "../../feedback/job_report.ts";
import { renderText } from "../../feedback/render.ts";
import type { Block } from "../../feedback/block.ts";
import type { RunOrder } from "../../protocol/orders.ts";
import type { OutputFlow } from "../../sandbox/output_flow.ts";
import type { SessionEvent } from "../../session/events.ts";
import type { CommandService } from "./command_service.ts";

/** Time between two reports, in ms. */
const REPORT_MS = 250;
/** Characters of a report: the newest. */
const MAX_REPORT = 2_000;

/** What a call reports while it runs. */
export interface Progress {
  /** Bytes that the command has printed so far, and times that it asked; only ever grows. */
  readonly progress: number;
  /** What was shown since the last report, its end. */
  readonly message: string;
}

/** How a call is followed. */
export interface RunCall {
  readonly order: RunOrder;
  /** Ends a command that is waited for. */
  readonly signal: AbortSignal;
  readonly flow: OutputFlow;
  /** Null when the client asked for no progress. */
  readonly report: ((progress: Progress) => void) | null;
}

/** What the call gives, as data and as the text that a model reads. */
export interface RunResult {
  readonly data: {
    readonly output: string;
    /** Null for one that runs in the background, as the block. */
    readonly exit_status: number | null;
    readonly block: Block | null;
    /** Null for one that was waited for. */
    readonly job: JobView | null;
  };
  readonly text: string;
  readonly failed: boolean;
}

/** Joins what comes in quick succession to one report. */
class Reporter {
  readonly #report: (progress: Progress) => void;
  #progress = 0;
  #reported = 0;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(report: (progress: Progress) => void) {
    this.#report = report;
  }

  take(event: SessionEvent): void {
    if (event.kind === "arrived") this.#progress += event.bytes;
    if (event.kind === "output") this.#add(event.text);
    if (event.kind === "waiting" && event.waits !== null) {
      this.#add(`[waits for input${event.waits.asks === null ? "" : `: ${event.waits.asks}`}]\n`);
      this.#progress++;
    }
    if (event.kind === "finished") this.stop();
    else if (this.#progress > this.#reported) {
      this.#timer ??= setTimeout(() => this.#send(), REPORT_MS);
    }
  }

  /** Report nothing any more. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #add(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_REPORT);
  }

  #send(): void {
    this.#timer = null;
    this.#reported = this.#progress;
    const message = this.#text.replace(/^[\udc00-\udfff]/, "");
    this.#text = "";
    this.#report({ progress: this.#progress, message });
  }
}

/** Run a command for a client. @throws {UsageError} as `CommandService.start`. */
export async function callRun(service: CommandService, call: RunCall): Promise<RunResult> {
  if (call.order.background) return await startInBackground(service, call.order);
  const { order, signal, flow, report } = call;
  const pieces: string[] = [];
  const reporter = report === null ? null : new Reporter(report);
  const emit = (event: SessionEvent) => {
    if (event.kind === "output") pieces.push(event.text);
    reporter?.take(event);
  };
  try {
    const running = await service.start(order, { emit, flow, signal });
    const { block, exitStatus } = await running.ended;
    const output = pieces.join("");
    return {
      data: { output, exit_status: exitStatus, block, job: null },
      text: onLines(output) + blockText(service, block),
      failed: block.exit_code !== 0,
    };
  } finally {
    reporter?.stop();
  }
}

/** The block as a model reads it. */
export function blockText(service: CommandService, block: Block): string {
  return renderText(block, { nonce: service.session.context.nonce, color: false });
}

/** Commands as a model reads of them; what it can do next are tools here. */
export function jobsText(
  service: CommandService,
  jobs: readonly JobView[],
  message: string,
): string {
  const report = buildJobReport(jobs, { message });
  const running = jobs.some(({ state }) => state === "running");
  const next = running ? ["the tools output, send, kill and jobs take its id"] : [];
  return renderJobReport({ ...report, next }, service.session.context.nonce);
}

/** Its output is kept, and read by its id. */
async function startInBackground(service: CommandService, order: RunOrder): Promise<RunResult> {
  const never = new AbortController().signal;
  const { id } = await service.start(order, { emit: () => {}, flow: null, signal: never });
  const { view, end } = service.job(id);
  const data = {
    output: "",
    exit_status: end?.exitStatus ?? null,
    block: end?.block ?? null,
    job: view,
  };
  if (end !== null) {
    return { data, text: blockText(service, end.block), failed: end.block.exit_code !== 0 };
  }
  const text = jobsText(service, [view], `started in the background, ${id}`);
  return { data, text, failed: false };
}

/** A block must begin a line. */
function onLines(output: string): string {
  return output === "" || output.endsWith("\n") ? output : `${output}\n`;
}
