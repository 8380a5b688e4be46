/** The background commands of a session. */
import { UsageError } from "../errors.ts";
import { typedText, typedWords } from "../record/typed_command.ts";
import { newId } from "../record/ids.ts";
import { shortText } from "../record/visible_text.ts";
import { InputPipe } from "../sandbox/input_pipe.ts";
import { refusals } from "../sandbox/plan.ts";
import { fileWords } from "./decide.ts";
import type { EventSink, SessionEvent } from "./events.ts";
import { Job, type JobRequest } from "./job.ts";
import { runCommand } from "./run_command.ts";
import type { SessionContext } from "./session_context.ts";
import { OUTPUTS } from "./session_paths.ts";

/** Jobs that may run at a time: each has pipes, a thread that waits for them, and bounded output in memory. */
export const MAX_JOBS = 16;
/** Jobs that have ended and are still known by their id. */
const MAX_ENDED = 64;
/** Characters of a command line that are shown. */
const MAX_COMMAND = 200;

/** All of them, oldest first. */
export class SessionJobs {
  readonly #context: SessionContext;
  readonly #jobs = new Map<string, Job>();

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Jobs that run, and those that have ended lately. */
  get all(): readonly Job[] {
    return [...this.#jobs.values()];
  }

  /** Those that run. */
  get running(): readonly Job[] {
    return this.all.filter(({ isRunning }) => isRunning);
  }

  /**
   * The job whose id begins so; null for none.
   *
   * @throws {UsageError} when several do.
   */
  find(id: string): Job | null {
    const found = id === "" ? [] : this.all.filter((job) => job.id.startsWith(id));
    if (found.length <= 1) return found[0] ?? null;
    throw new UsageError(`Cannot choose the job "${id}": ${found.length} ids begin so`);
  }

  /** Whether commands can run beside others: not where nobody could tell their processes apart. */
  get isPossible(): boolean {
    const { options, jail: { plan } } = this.#context;
    const isKnown = plan.backend.kind !== "kernel" || plan.supervised || refusals(plan).length > 0;
    return isKnown && (options.keepsState ?? false);
  }

  /**
   * Start one.
   *
   * @returns when its first process runs, or it has ended.
   * @throws {UsageError} when too many run, or nobody can tell its processes from others'.
   */
  async start(request: JobRequest, emit: EventSink): Promise<Job> {
    const context = this.#context;
    if (!this.isPossible) {
      throw new UsageError(
        "Cannot run in the background: only a session with a supervised jail can",
      );
    }
    if (this.running.length >= MAX_JOBS) {
      throw new UsageError(`Cannot run in the background: ${MAX_JOBS} jobs run already`);
    }
    const { input: kind = "open", background = true, ...rest } = request;
    const input = kind === "open" ? new InputPipe() : null;
    const spool = `${context.user.state}/${OUTPUTS}`;
    const job = new Job({ id: newId("c"), command: this.#shown(request), input, spool });
    this.#add(job);
    const own: SessionContext = {
      ...context,
      job: { commandId: job.id, isTimed: !background, onProcess: (process) => job.runs(process) },
    };
    const signals = [job.signal, ...(request.signal ? [request.signal] : [])];
    const stdin = input === null ? {} : { stdin: input.fd };
    const command = { ...rest, ...stdin, signal: AbortSignal.any(signals) };
    runCommand(own, command, guarded(job, emit)).then(
      () => job.settle(),
      (error) => job.fail(error),
    );
    await job.began;
    return job;
  }

  /** End all that run, and wait for their records. */
  async close(): Promise<void> {
    for (const job of this.running) job.stop("the session ended");
    await Promise.allSettled(this.all.map(({ ended }) => ended));
  }

  #add(job: Job): void {
    this.#jobs.set(job.id, job);
    const ended = this.all.filter(({ isRunning }) => !isRunning);
    for (const old of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) {
      this.#jobs.delete(old.id);
    }
  }

  #shown({ text }: JobRequest): string {
    const typed = text.kind === "script"
      ? typedText(text.source, null)
      : typedWords(text.kind === "argv" ? text.argv : fileWords(text));
    return shortText(this.#context.redactor.redactText(typed.join(" ")), MAX_COMMAND);
  }
}

/** A sink that throws gets no more events, and its job is ended. */
function guarded(job: Job, emit: EventSink): EventSink {
  let broken = false;
  return (event: SessionEvent) => {
    job.take(event);
    if (broken) return;
    try {
      emit(event);
    } catch {
      broken = true;
      job.stop("nobody takes its output any more");
    }
  };
}
