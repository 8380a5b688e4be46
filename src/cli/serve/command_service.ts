/**
 * What the protocols offer, said once: commands are started, cancelled and looked at here, and JSON lines and MCP only
 * give it their form. Every command starts from the state in which the session was opened, so that requests which run at
 * the same time cannot change what another one means.
 */
import { UsageError } from "../../errors.ts";
import type { RunOrder } from "../../protocol/run_fields.ts";
import { findRecord } from "../../record/read.ts";
import type { OutputFlow } from "../../sandbox/output_flow.ts";
import type { CommandText } from "../../session/decide.ts";
import type { EventSink, SessionEvent } from "../../session/events.ts";
import type { Session } from "../../session/session.ts";
import type { AimsReport } from "../../session/session_feedback.ts";
import { OUTPUTS } from "../../session/session_paths.ts";
import type { ShellState } from "../../session/shell_state.ts";
import { stateFor } from "../../session/state_for.ts";
import type { AimsOrder, OutputOrder } from "../../protocol/run_fields.ts";
import { readAims } from "../aims.ts";
import { parentOf } from "../open_session.ts";
import { VERSION } from "../version.ts";
import { type OutputPage, readPage } from "./output_page.ts";

/** The event that ends a command. */
export type Finished = Extract<SessionEvent, { kind: "finished" }>;

/** Who follows a command. */
export interface Follower {
  readonly emit: EventSink;
  /** Takes the output on; null where it is kept until the end. */
  readonly flow: OutputFlow | null;
  readonly signal: AbortSignal;
}

/** Goal, deadline, budget, task, and what was used. */
export interface AimsState extends AimsReport {
  readonly task: string | null;
}

/** What a client may want to know before it runs anything. */
export interface ServiceStatus {
  readonly version: string;
  readonly session_id: string;
  readonly workspace: string;
  readonly cwd: string;
  readonly policy: string;
  readonly enforcement: "required" | "best-effort";
  /** What builds the jail. */
  readonly backend: string;
  /** How each permission is enforced. */
  readonly enforced: Readonly<Record<string, string>>;
  /** Time limit of a command in ms, 0 for none. */
  readonly timeout_ms: number;
  readonly aims: AimsState;
}

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
   * Run a command to its end.
   *
   * @throws {UsageError} for an order that cannot be carried out; nothing is run or recorded then.
   */
  async run(order: RunOrder, { emit, flow, signal }: Follower): Promise<Finished> {
    const { context } = this.session;
    const parent = parentOf(order.parent ?? null, { directory: context.user.state });
    let finished: Finished | null = null;
    await this.session.run({
      text: textOf(order),
      note: order.note ?? null,
      parent,
      task: order.task ?? this.#task,
      timeoutMs: this.#shorter(order.timeoutMs),
      state: stateFor(context, { base: this.#base, request: order }),
      flow,
      signal,
    }, (event) => {
      if (event.kind === "finished") finished = event;
      emit(event);
    });
    return finished!;
  }

  /** A page of what a command of this session has printed. @throws {UsageError} when there is none. */
  output(id: string, order: OutputOrder): OutputPage {
    const { user: { state }, sessionId } = this.session.context;
    const record = findRecord({ directory: state, id });
    // Other sessions of the user are no business of this client's.
    if (record?.session_id !== sessionId) {
      throw new UsageError(`Cannot find command "${id}": no record of this session has this id`);
    }
    if (record.output_id === null) {
      throw new UsageError(`Cannot read the output of "${record.command_id}": it has none`);
    }
    return readPage({ directory: `${state}/${OUTPUTS}`, id: record.output_id, order });
  }

  /** Change the aims, and say what holds. @throws {UsageError} for one that cannot be used. */
  async aim(order: AimsOrder): Promise<AimsState> {
    const report = await this.session.aim(readAims(order));
    this.#task = order.task ?? this.#task;
    return { ...report, task: this.#task };
  }

  /** What is in force. */
  async status(): Promise<ServiceStatus> {
    const { sessionId, variables, policy, jail } = this.session.context;
    return {
      version: VERSION,
      session_id: sessionId,
      workspace: variables.WORKSPACE,
      cwd: this.#base.cwd,
      policy: policy.name,
      enforcement: policy.enforcement,
      backend: jail.plan.backend.kind,
      enforced: jail.plan.labels,
      timeout_ms: this.timeoutMs,
      aims: await this.aim({}),
    };
  }

  #shorter(asked: number | undefined): number {
    const limit = this.timeoutMs;
    return asked === undefined || (limit > 0 && limit < asked) ? limit : asked;
  }
}

function textOf({ command, argv }: RunOrder): CommandText {
  if (command !== undefined && argv === undefined) return { kind: "script", source: command };
  if (argv !== undefined && command === undefined) return { kind: "argv", argv };
  throw new UsageError("Cannot run this: exactly one of command and argv is accepted");
}
