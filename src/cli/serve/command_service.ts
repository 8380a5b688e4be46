/**
 * What the protocols offer, said once: commands are started, fed, ended and looked at here, and JSON lines and MCP only
 * give it their form. Every command starts from the state in which the session was opened, so that requests which run at
 * the same time cannot change what another one means.
 */
import { UsageError } from "../../errors.ts";
import type { JobView } from "../../feedback/job_report.ts";
import { spoolLines } from "../../output/spool_read.ts";
import type {
  AimsState,
  KillResult,
  OutputPage,
  SendResult,
  ServiceStatus,
} from "../../protocol/results.ts";
import type { AimsOrder, OutputOrder, RunOrder } from "../../protocol/orders.ts";
import { findRecord } from "../../record/read.ts";
import type { OutputFlow } from "../../sandbox/output_flow.ts";
import { MAX_WAITING } from "../../sandbox/input_pipe.ts";
import { signalNumber } from "../../sandbox/signals.ts";
import type { CommandText } from "../../session/decide.ts";
import type { EventSink } from "../../session/events.ts";
import type { Job, JobEnd, JobRequest } from "../../session/job.ts";
import type { Session } from "../../session/session.ts";
import { MAX_JOBS } from "../../session/session_jobs.ts";
import { OUTPUTS } from "../../session/session_paths.ts";
import type { ShellState } from "../../session/shell_state.ts";
import { stateFor } from "../../session/state_for.ts";
import { readAims } from "../aims.ts";
import { parentOf } from "../open_session.ts";
import { VERSION } from "../version.ts";
import { readPage } from "./output_page.ts";

/** Who follows a command. */
export interface Follower {
  readonly emit: EventSink;
  /** Takes the output on; null where it is bounded and kept. */
  readonly flow: OutputFlow | null;
  /** Ends the command early. */
  readonly signal: AbortSignal;
}

/** What is sent to a command. */
export interface Input {
  readonly input?: string | Uint8Array | undefined;
  /** Send the end of the input after it. */
  readonly end?: boolean | undefined;
}

/** A command that runs, or has ended already. */
export interface Running {
  readonly id: string;
  readonly ended: Promise<JobEnd>;
}

/** An order that cannot be carried out, by a reason that a client may want to tell from others. */
export class RefusedOrder extends UsageError {
  override name = "RefusedOrder";
  readonly code: "unknown-target" | "too-many";

  constructor(code: RefusedOrder["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const encoder = new TextEncoder();

/** The offer. */
export class CommandService {
  readonly session: Session;
  readonly #base: ShellState;
  #task: string | null;

  constructor(session: Session) {
    this.session = session;
    this.#base = session.context.state;
    this.#task = session.context.options.task ?? null;
  }

  /** Commands' time limit, in ms; 0 for none. */
  get timeoutMs(): number {
    const { options, policy } = this.session.context;
    return options.timeoutMs ?? policy.limits.timeoutMs;
  }

  /**
   * Start a command.
   *
   * @returns when it runs, or has ended.
   * @throws {UsageError} for an order that cannot be carried out; nothing is run or recorded then.
   */
  async start(order: RunOrder, follower: Follower): Promise<Running> {
    const { context } = this.session;
    const background = order.background ?? false;
    const { user: { state: directory }, sessionId: session } = context;
    const parent = parentOf(order.parent ?? null, { directory, session });
    const timeoutMs = background ? order.timeoutMs ?? null : this.#shorter(order.timeoutMs);
    const isOpen = order.openStdin ?? (background && order.stdin === undefined);
    const request: JobRequest = {
      text: textOf(order),
      note: order.note ?? null,
      parent,
      task: order.task ?? this.#task,
      timeoutMs,
      state: stateFor(context, { base: this.#base, request: order }),
      flow: follower.flow,
      signal: follower.signal,
      background,
      input: isOpen || order.stdin !== undefined ? "open" : "none",
    };
    if (!background && request.input === "none" && !this.session.jobs.isPossible) {
      return await this.#startAlone(request, follower.emit);
    }
    if (this.session.jobs.running.length >= MAX_JOBS) {
      const most = `${MAX_JOBS} commands run already, the most at a time`;
      throw new RefusedOrder("too-many", `Cannot run this: ${most}`);
    }
    const input = inputOf(order);
    const job = await this.session.start(request, follower.emit);
    // One that has ended takes none, and needs none.
    if (job.isRunning && input !== null) void job.send(input);
    if (job.isRunning && input !== null && !isOpen) job.endInput();
    return job;
  }

  /** The job that an id, or the beginning of one, names. @throws {UsageError} when there is none. */
  job(id: string): Job {
    const job = this.session.jobs.find(id);
    if (job !== null) return job;
    const state = "none of this session runs or ended lately";
    throw new RefusedOrder("unknown-target", `Cannot find the command "${id}": ${state}`);
  }

  /** Commands that run, and those that have ended lately, oldest first. */
  get jobs(): readonly JobView[] {
    return this.session.jobs.all.map(({ view }) => view);
  }

  /**
   * Send input to a command.
   *
   * @returns when the command's pipe has taken it, or the command has ended.
   * @throws {UsageError} when it takes none, or too much waits for it.
   */
  async send(id: string, { input, end = false }: Input): Promise<SendResult> {
    const job = this.job(id);
    const bytes = typeof input === "string" ? encoder.encode(input) : input;
    const sent = bytes === undefined ? Promise.resolve(true) : job.send(bytes);
    if (end) job.endInput();
    return { taken: await sent, job: job.view };
  }

  /** Send a signal; TERM and KILL end the command, and its end is waited for. @throws {UsageError} for no such command. */
  async kill(id: string, signal = "TERM"): Promise<KillResult> {
    const job = this.job(id);
    job.kill(signalNumber(signal)!);
    if (signal === "TERM" || signal === "KILL") await job.ended;
    return { job: job.view, block: job.end?.block ?? null };
  }

  /** A page of what a command of this session has printed. @throws {UsageError} when there is none. */
  output(id: string, order: OutputOrder): OutputPage {
    const job = this.session.jobs.find(id);
    const { user: { state }, sessionId } = this.session.context;
    const redact = (text: string) => this.#redact(text);
    if (job?.isRunning) return readPage(order, (choice) => job.output({ ...choice, redact }));
    // Other sessions of the user are no business of this client's, not even by what an id could mean.
    const record = findRecord({ directory: state, id, session: sessionId });
    if (record === null) {
      const state = "no record of this session has this id";
      throw new RefusedOrder("unknown-target", `Cannot find command "${id}": ${state}`);
    }
    const { output_id } = record;
    if (output_id === null) {
      throw new UsageError(`Cannot read the output of "${record.command_id}": it has none`);
    }
    const place = { directory: `${state}/${OUTPUTS}`, id: output_id, redact };
    return readPage(order, (choice) => spoolLines({ ...choice, ...place }));
  }

  /** Change the aims, and say what holds. @throws {UsageError} for one that cannot be used. */
  async aim(order: AimsOrder): Promise<AimsState> {
    const report = await this.session.aim(readAims(order));
    this.#task = order.task ?? this.#task;
    const task = this.#task;
    return { ...report, task: task === null ? null : this.#redact(task) };
  }

  /** What is in force. */
  async status(): Promise<ServiceStatus> {
    const { sessionId, variables, policy, jail } = this.session.context;
    return {
      version: VERSION,
      session_id: sessionId,
      workspace: this.#redact(variables.WORKSPACE),
      cwd: this.#redact(this.#base.cwd),
      policy: policy.name,
      enforcement: policy.enforcement,
      backend: jail.plan.backend.kind,
      enforced: jail.plan.labels,
      timeout_ms: this.timeoutMs,
      parallel: this.session.jobs.isPossible,
      aims: await this.aim({}),
    };
  }

  #redact(text: string): string {
    return this.session.context.redactor.redactText(text);
  }

  /** Where nobody can tell commands' processes apart they run one after the other. */
  #startAlone(request: JobRequest, emit: EventSink): Promise<Running> {
    const { background: _background, input: _input, ...rest } = request;
    const started = Promise.withResolvers<Running>();
    const ended = Promise.withResolvers<JobEnd>();
    ended.promise.catch(() => {});
    this.session.run(rest, (event) => {
      if (event.kind === "started") started.resolve({ id: event.commandId, ended: ended.promise });
      if (event.kind === "finished") ended.resolve(event);
      emit(event);
    }).catch((error) => {
      started.reject(error);
      ended.reject(error);
    });
    return started.promise;
  }

  #shorter(asked: number | undefined): number {
    const limit = this.timeoutMs;
    return asked === undefined || (limit > 0 && limit < asked) ? limit : asked;
  }
}

/** Bytes for standard input. @throws {UsageError} when they are more than can wait for the command. */
function inputOf({ stdin }: RunOrder): Uint8Array | null {
  if (stdin === undefined) return null;
  const bytes = encoder.encode(stdin);
  if (bytes.length <= MAX_WAITING) return bytes;
  throw new UsageError(
    `Cannot use ${bytes.length} bytes as stdin: at most ${MAX_WAITING} are accepted`,
  );
}

function textOf({ command, argv }: RunOrder): CommandText {
  if (command !== undefined && argv === undefined) return { kind: "script", source: command };
  if (argv !== undefined && command === undefined) return { kind: "argv", argv };
  throw new UsageError("Cannot run this: exactly one of command and argv is accepted");
}
