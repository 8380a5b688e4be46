/** One call of MCP's tool `run`: output is collected for the result and reported as progress on the way. */
import { renderText } from "../../feedback/render.ts";
import type { Block } from "../../feedback/block.ts";
import type { RunOrder } from "../../protocol/run_fields.ts";
import type { OutputFlow } from "../../sandbox/output_flow.ts";
import type { SessionEvent } from "../../session/events.ts";
import type { CommandService } from "./command_service.ts";

/** Time between two reports, in ms. */
const REPORT_MS = 250;
/** Characters of a report: the newest. */
const MAX_REPORT = 2_000;

/** What a call reports while it runs. */
export interface Progress {
  /** Bytes that the command has printed so far; only ever grows. */
  readonly progress: number;
  /** What was shown since the last report, its end. */
  readonly message: string;
}

/** How a call is followed. */
export interface RunCall {
  readonly order: RunOrder;
  readonly signal: AbortSignal;
  readonly flow: OutputFlow;
  /** Null when the client asked for no progress. */
  readonly report: ((progress: Progress) => void) | null;
}

/** What the call gives, as data and as the text that a model reads. */
export interface RunResult {
  readonly data: {
    readonly output: string;
    readonly exit_status: number;
    readonly block: Block;
  };
  readonly text: string;
  readonly failed: boolean;
}

/** Joins what comes in quick succession to one report. */
class Reporter {
  readonly #report: (progress: Progress) => void;
  #bytes = 0;
  #reported = 0;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(report: (progress: Progress) => void) {
    this.#report = report;
  }

  take(event: SessionEvent): void {
    if (event.kind === "arrived") this.#bytes += event.bytes;
    if (event.kind === "output") this.#text = (this.#text + event.text).slice(-MAX_REPORT);
    if (event.kind === "finished") this.stop();
    else if (this.#bytes > this.#reported) {
      this.#timer ??= setTimeout(() => this.#send(), REPORT_MS);
    }
  }

  /** Report nothing any more. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #send(): void {
    this.#timer = null;
    this.#reported = this.#bytes;
    const message = this.#text.replace(/^[\udc00-\udfff]/, "");
    this.#text = "";
    this.#report({ progress: this.#bytes, message });
  }
}

/** Run a command for a client. @throws {UsageError} as `CommandService.run`. */
export async function callRun(
  service: CommandService,
  { order, signal, flow, report }: RunCall,
): Promise<RunResult> {
  const pieces: string[] = [];
  const reporter = report === null ? null : new Reporter(report);
  const emit = (event: SessionEvent) => {
    if (event.kind === "output") pieces.push(event.text);
    reporter?.take(event);
  };
  const { block, exitStatus } = await service.run(order, { emit, flow, signal })
    .finally(() => reporter?.stop());
  const output = pieces.join("");
  const { nonce } = service.session.context;
  return {
    data: { output, exit_status: exitStatus, block },
    text: onLines(output) + renderText(block, { nonce, color: false }),
    failed: block.exit_code !== 0,
  };
}

/** A block must begin a line. */
function onLines(output: string): string {
  return output === "" || output.endsWith("\n") ? output : `${output}\n`;
}
