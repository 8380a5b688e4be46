/** A command in the background: it runs beside others, takes input, and is recorded when it ends. */
import { UsageError } from "../errors.ts";
import type { Block } from "../feedback/block.ts";
import { type ReadSpoolOptions, type SpoolLine, spoolLines } from "../output/spool_read.ts";
import type { JobView, Waiting } from "../feedback/job_report.ts";
import type { CommandRecord } from "../record/record.ts";
import type { InputPipe } from "../sandbox/input_pipe.ts";
import type { CommandRequest } from "./carry_out.ts";
import type { SessionEvent } from "./events.ts";
import { type JobProcess, Stop } from "./execution.ts";

export type { JobView, Waiting } from "../feedback/job_report.ts";

const SIGKILL = 9;
const SIGTERM = 15;

/** A request to run something in the background. */
export interface JobRequest extends Omit<CommandRequest, "stdin"> {
  /** `open`: `Job.send` writes to it (the default); `none`: there is nothing to read. */
  readonly input?: "open" | "none";
  /** False for one that is waited for: then the policy's time limits hold as in the foreground. True when absent. */
  readonly background?: boolean;
}

/** How a job ended. */
export interface JobEnd {
  readonly record: CommandRecord;
  readonly block: Block;
  /** What a shell reports for this end: 0 to 255. */
  readonly exitStatus: number;
}

/** What a job is made of. */
export interface JobParts {
  readonly id: string;
  readonly command: string;
  readonly input: InputPipe | null;
  readonly spool: string;
}

/** One background command. */
export class Job {
  readonly id: string;
  readonly command: string;
  readonly startedAt: Date = new Date();
  /** Settles when it was recorded; rejects when the shell itself could not follow it. */
  readonly ended: Promise<JobEnd>;
  readonly #parts: JobParts;
  readonly #abort = new AbortController();
  readonly #end = Promise.withResolvers<JobEnd>();
  readonly #began = Promise.withResolvers<void>();
  readonly #bytes = { stdout: 0, stderr: 0 };
  #process: JobProcess | null = null;
  #result: JobEnd | null = null;
  #failed = false;
  #waits: Waiting | null = null;

  /** @internal Made by `Session.start`. */
  constructor(parts: JobParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.command = parts.command;
    this.ended = this.#end.promise;
    // Whoever asks hears of it.
    this.ended.catch(() => {});
    this.#began.promise.catch(() => {});
  }

  /** Aborted when somebody ends it. @internal */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Settles when its first process runs, or when it has ended. @internal */
  get began(): Promise<void> {
    return this.#began.promise;
  }

  /** How it ended; null while it runs. */
  get end(): JobEnd | null {
    return this.#result;
  }

  /** True until it has ended. */
  get isRunning(): boolean {
    return this.#result === null && !this.#failed;
  }

  /** What is known of it now. */
  get view(): JobView {
    const record = this.#result?.record ?? null;
    return {
      id: this.id,
      command: this.command,
      pid: this.#process?.pid ?? null,
      started_at: this.startedAt.toISOString(),
      duration_ms: record?.duration_ms ?? Date.now() - this.startedAt.getTime(),
      state: this.isRunning ? "running" : "ended",
      bytes: { ...this.#bytes },
      waits: this.#waits,
      outcome: record?.outcome.kind ?? null,
      exit_code: record?.exit_code ?? null,
    };
  }

  /**
   * Redacted lines of its output so far. A line without its newline may still be missing.
   *
   * @throws {UsageError} for an invalid expression.
   */
  *output(options: Omit<ReadSpoolOptions, "directory" | "id">): Generator<SpoolLine> {
    if (this.#bytes[options.stream] === 0) return;
    try {
      yield* spoolLines({ ...options, directory: this.#parts.spool, id: this.id });
    } catch (error) {
      // Nothing of the first line is kept before it is known to hold no secret.
      const isMissing = this.isRunning && error instanceof UsageError &&
        options.grep === undefined;
      if (!isMissing) throw error;
    }
  }

  /**
   * Send input.
   *
   * @returns false when the job ended before it took it.
   * @throws {UsageError} when it takes none, or more than 1 MiB waits for it.
   */
  send(bytes: Uint8Array): Promise<boolean> {
    const sent = this.#input("send input to").send(bytes);
    this.#process?.stir();
    return sent;
  }

  /** Send the end of the input. @throws {UsageError} when it takes none. */
  endInput(): void {
    this.#input("end the input of").end();
    this.#process?.stir();
  }

  /**
   * Send a signal to all of its processes. SIGTERM and SIGKILL end it: the first with the policy's grace. No signal is
   * sent to a job that has ended.
   */
  kill(signal: number = SIGTERM): void {
    if (!this.isRunning) return;
    if (signal === SIGTERM) return this.stop("killed on request");
    this.#process?.send(signal);
    // What ends all of it must also end what its first process left.
    if (signal === SIGKILL) this.stop("killed on request");
  }

  /** End it, and say why in its record. */
  stop(reason: string): void {
    this.#abort.abort(new Stop(reason));
  }

  /** Take an event of its command. @internal */
  take(event: SessionEvent): void {
    if (event.kind === "arrived") this.#bytes[event.stream] += event.bytes;
    if (event.kind === "waiting") this.#waits = event.waits;
    if (event.kind !== "finished") return;
    const { record, block, exitStatus } = event;
    this.#result = { record, block, exitStatus };
    this.#waits = null;
  }

  /** Its first process runs. @internal */
  runs(process: JobProcess): void {
    this.#process = process;
    this.#began.resolve();
  }

  /** It is over and recorded. @internal */
  async settle(): Promise<void> {
    this.#began.resolve();
    await this.#parts.input?.close();
    if (this.#result !== null) this.#end.resolve(this.#result);
  }

  /** The shell could not run it. @internal */
  async fail(error: unknown): Promise<void> {
    this.#failed = true;
    this.#began.reject(error);
    this.#end.reject(error);
    await this.#parts.input?.close();
  }

  #input(action: string): InputPipe {
    const { input } = this.#parts;
    if (input === null) throw new UsageError(`Cannot ${action} "${this.id}": it takes none`);
    if (!this.isRunning) throw new UsageError(`Cannot ${action} "${this.id}": it has ended`);
    return input;
  }
}
