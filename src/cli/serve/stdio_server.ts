/** The JSON lines protocol: requests are carried out at the same time, every one of them is answered. */
import { reasonOf, UsageError } from "../../errors.ts";
import {
  type ErrorCode,
  PROTOCOL_VERSION,
  type ProtocolEvent,
  type ResultEvent,
} from "../../protocol/events.ts";
import type { Request, RequestOf } from "../../protocol/requests.ts";
import type { Results } from "../../protocol/results.ts";
import { visibleText } from "../../record/visible_text.ts";
import type { SessionEvent } from "../../session/events.ts";
import type { OutputQueue } from "../output_queue.ts";
import { type CommandService, RefusedOrder, type Running } from "./command_service.ts";
import type { InputLine } from "./input_lines.ts";
import { listJobs } from "./list_jobs.ts";
import { readRequest } from "./stdio_request.ts";

const STDOUT = 1;
/** Requests that may wait for their answer: far more than commands that may run. */
const MAX_OPEN = 1_024;
/** Run requests that have ended and still name their commands. */
const MAX_KNOWN = 256;

const encoder = new TextEncoder();

/** A run request. */
interface Run {
  readonly abort: AbortController;
  readonly background: boolean;
  readonly command: Promise<Running>;
}

/** What the server stands on. */
export interface StdioOptions {
  readonly service: CommandService;
  readonly queue: OutputQueue;
  /** Aborted when all commands are to end. */
  readonly ended: AbortSignal;
}

/** One connection. */
export class StdioServer {
  readonly #options: StdioOptions;
  /** Ids of requests that are not answered yet. */
  readonly #open = new Set<string>();
  /** Run requests by their ids, newest last. */
  readonly #runs = new Map<string, Run>();
  readonly #pending = new Set<Promise<void>>();
  /** Aborted when nobody asks for anything more. */
  readonly #asked = new AbortController();

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  /** Say what serves here. */
  async hello(): Promise<void> {
    const status = await this.#options.service.status();
    this.#send({ type: "hello", protocol: PROTOCOL_VERSION, ...status });
  }

  /** Take one line. Answers come when they are there. */
  receive(line: InputLine): void {
    const read = readRequest(line);
    if (read.kind === "bad") return this.#refuse(read.id, read.code, read.message);
    const { id } = read.request;
    if (this.#open.has(id)) {
      // Without the id: it means the request that came first.
      return this.#refuse(
        null,
        "duplicate-id",
        `Cannot use the id "${id}": it waits for an answer`,
      );
    }
    if (this.#open.size >= MAX_OPEN) {
      return this.#refuse(id, "too-many", `Cannot take more: ${MAX_OPEN} requests are open`);
    }
    this.#open.add(id);
    const answer = this.#answer(read.request).finally(() => this.#pending.delete(answer));
    this.#pending.add(answer);
  }

  /** No more requests come: settles when commands that are waited for have ended. */
  async finish(): Promise<void> {
    this.#asked.abort();
    await Promise.all(this.#pending);
  }

  async #answer(request: Request): Promise<void> {
    const { id } = request;
    try {
      if (request.type === "run") await this.#run(request);
      else await this.#carryOut(request);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  /** The request is answered by an error. */
  #fail(id: string, error: unknown): void {
    const code = error instanceof RefusedOrder
      ? error.code
      : error instanceof UsageError
      ? "refused"
      : "internal";
    this.#open.delete(id);
    this.#refuse(id, code, reasonOf(error));
  }

  async #run(request: RequestOf<"run">): Promise<void> {
    const { type: _type, id, ...order } = request;
    const { service, queue, ended } = this.#options;
    const abort = new AbortController();
    const command = service.start(order, {
      emit: (event) => this.#report(id, event),
      flow: queue,
      signal: AbortSignal.any([abort.signal, ended]),
    });
    const background = order.background ?? false;
    this.#remember(id, { abort, background, command });
    const running = await command;
    // The end of one in the background is reported when it comes; the session's end is its own at the latest.
    if (!background) await running.ended;
    else running.ended.catch((error) => this.#fail(id, error));
  }

  /** An id that is used again means the newest. */
  #remember(id: string, run: Run): void {
    run.command.catch(() => this.#runs.get(id) === run && this.#runs.delete(id));
    this.#runs.delete(id);
    this.#runs.set(id, run);
    for (const known of this.#runs.keys()) {
      if (this.#runs.size <= MAX_KNOWN) break;
      if (!this.#open.has(known)) this.#runs.delete(known);
    }
  }

  #report(id: string, event: SessionEvent): void {
    if (event.kind === "started") {
      this.#send({ type: "started", id, command_id: event.commandId });
    } else if (event.kind === "output") {
      this.#send({ type: event.stream, id, text: event.text });
    } else if (event.kind === "waiting") {
      this.#send({ type: "waiting", id, waits: event.waits });
    } else if (event.kind === "finished") {
      const { record, block, exitStatus } = event;
      this.#open.delete(id);
      this.#send({ type: "ended", id, exit_status: exitStatus, record, block });
    }
  }

  async #carryOut(request: Exclude<Request, { type: "run" }>): Promise<void> {
    const { service } = this.#options;
    switch (request.type) {
      case "cancel":
        await this.#cancel(request.target);
        return this.#give(request.id, "cancel", {});
      case "write_stdin": {
        const { text, base64, end } = request;
        if (text !== undefined && base64 !== undefined) {
          throw new UsageError("Cannot send both text and base64: one of them is accepted");
        }
        const input = base64 === undefined ? text : bytesOf(base64);
        const command = await this.#commandOf(request.target);
        return this.#give(request.id, "write_stdin", await service.send(command, { input, end }));
      }
      case "close_stdin": {
        const command = await this.#commandOf(request.target);
        return this.#give(request.id, "close_stdin", await service.send(command, { end: true }));
      }
      case "jobs": {
        const { target, waitMs } = request;
        const id = target === undefined ? undefined : await this.#commandOf(target);
        const list = await listJobs(service, { order: { id, waitMs }, signal: this.#asked.signal });
        return this.#give(request.id, "jobs", list);
      }
      case "kill": {
        const command = await this.#commandOf(request.target);
        return this.#give(request.id, "kill", await service.kill(command, request.signal));
      }
      case "output": {
        const { type: _type, id, target, ...order } = request;
        return this.#give(id, "output", service.output(await this.#commandOf(target), order));
      }
      case "aims": {
        const { type: _type, id, ...order } = request;
        return this.#give(id, "aims", await service.aim(order));
      }
      case "status":
        return this.#give(request.id, "status", await service.status());
    }
  }

  /** A command that is not started yet is cancelled as well. */
  async #cancel(target: string): Promise<void> {
    const run = this.#runs.get(target);
    if (run !== undefined) return run.abort.abort();
    const { id } = this.#options.service.job(await this.#commandOf(target));
    for (const { abort, command } of this.#runs.values()) {
      if ((await command.catch(() => null))?.id === id) abort.abort();
    }
  }

  /** The command that a request's id or its own names. @throws {RefusedOrder} when there is none. */
  async #commandOf(target: string): Promise<string> {
    const run = this.#runs.get(target);
    if (run !== undefined) return (await run.command).id;
    if (/^c[0-9a-z]{1,15}$/.test(target)) return target;
    throw new RefusedOrder("unknown-target", `Cannot find "${target}": no command has this id`);
  }

  #give<T extends keyof Results>(id: string, of: T, result: Results[T]): void {
    this.#open.delete(id);
    const event: ResultEvent<T> = { type: "result", id, of, result };
    this.#send(event as ProtocolEvent);
  }

  #refuse(id: string | null, code: ErrorCode, message: string): void {
    const { redactor } = this.#options.service.session.context;
    const shown = visibleText(redactor.redactText(message));
    this.#send({ type: "error", id, code, message: shown });
  }

  #send(event: ProtocolEvent): void {
    const bytes = encoder.encode(JSON.stringify(event) + "\n");
    this.#options.queue.push(STDOUT, bytes, { optional: true });
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
