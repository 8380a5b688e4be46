/** One connection to `debrief stdio`: requests out, events in, each to whom it is for. */
import type { Waiting } from "../feedback/job_report.ts";
import {
  type EndedEvent,
  type ErrorCode,
  type HelloEvent,
  PROTOCOL_VERSION,
  type ProtocolEvent,
} from "../protocol/events.ts";
import type { RequestFields } from "../protocol/requests.ts";
import type { Results } from "../protocol/results.ts";
import type { OutputChunks } from "./output_chunks.ts";
import type { Server } from "./start_debrief.ts";

/** A request that was not carried out. */
export class RequestError extends Error {
  override name = "RequestError";
  /** Why, as a word; `lost` when the connection is. */
  readonly code: ErrorCode | "lost";

  constructor(code: RequestError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Who hears of a run. */
export interface Listener {
  readonly chunks: OutputChunks;
  readonly onWaiting: ((waits: Waiting | null) => void) | null;
}

/** A run that is under way. */
interface Followed extends Listener {
  readonly started: PromiseWithResolvers<string>;
  readonly ended: PromiseWithResolvers<EndedEvent>;
}

const encoder = new TextEncoder();

/** Requests and their answers. */
export class Connection {
  /** What the server said first. */
  readonly hello: Promise<HelloEvent>;
  readonly #server: Server;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #hello = Promise.withResolvers<HelloEvent>();
  readonly #runs = new Map<string, Followed>();
  readonly #asked = new Map<string, PromiseWithResolvers<unknown>>();
  readonly #reading: Promise<void>;
  #next = 1;
  #lost: RequestError | null = null;

  constructor(server: Server) {
    this.#server = server;
    this.#writer = server.input.getWriter();
    this.hello = this.#hello.promise;
    this.hello.catch(() => {});
    this.#reading = this.#read();
  }

  /** An id for a request. */
  nextId(): string {
    return String(this.#next++);
  }

  /** Ids of runs that have not ended. */
  get running(): readonly string[] {
    return [...this.#runs.keys()];
  }

  /** Hear of a run whose request is sent next. */
  follow(
    id: string,
    listener: Listener,
  ): { readonly started: Promise<string>; readonly ended: Promise<EndedEvent> } {
    const started = Promise.withResolvers<string>();
    const ended = Promise.withResolvers<EndedEvent>();
    // Whoever asks hears of it.
    started.promise.catch(() => {});
    ended.promise.catch(() => {});
    this.#runs.set(id, { ...listener, started, ended });
    return { started: started.promise, ended: ended.promise };
  }

  /** Send a run request. */
  run(id: string, fields: RequestFields["run"]): void {
    this.#send({ type: "run", id, ...fields });
  }

  /** Send any other request. @returns its answer. @throws {RequestError} when it was not carried out. */
  ask<T extends keyof Results>(type: T, fields: RequestFields[T]): Promise<Results[T]> {
    const id = this.nextId();
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(id, answer);
    this.#send({ type, id, ...fields });
    return answer.promise as Promise<Results[T]>;
  }

  /** Send no more, and wait for the server's end. */
  async close(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#reading;
    await this.#server.ended;
  }

  #send(request: object): void {
    if (this.#lost !== null) return this.#fail(this.#lost);
    // A failed write means that the server has ended, which its output tells.
    this.#writer.write(encoder.encode(JSON.stringify(request) + "\n")).catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      for await (const line of linesOf(this.#server.output)) {
        await this.#take(JSON.parse(line));
      }
    } catch (error) {
      this.#fail(new RequestError("lost", `Cannot read what debrief writes: ${error}`));
      return;
    }
    const { status, errors } = await this.#server.ended;
    const said = errors === "" ? "" : `: ${errors}`;
    this.#fail(
      new RequestError("lost", `Cannot go on: debrief ended with status ${status}${said}`),
    );
  }

  #take(event: ProtocolEvent): Promise<void> | null {
    switch (event.type) {
      case "hello":
        if (event.protocol === PROTOCOL_VERSION) this.#hello.resolve(event);
        else this.#fail(wrongProtocol(event.protocol));
        return null;
      case "started":
        this.#runs.get(event.id)?.started.resolve(event.command_id);
        return null;
      case "stdout":
      case "stderr": {
        const { type: stream, text } = event;
        return this.#runs.get(event.id)?.chunks.push({ stream, text }) ?? null;
      }
      case "waiting":
        this.#runs.get(event.id)?.onWaiting?.(event.waits);
        return null;
      case "ended": {
        const run = this.#runs.get(event.id);
        this.#runs.delete(event.id);
        run?.chunks.end();
        run?.ended.resolve(event);
        return null;
      }
      case "result":
        this.#asked.get(event.id)?.resolve(event.result);
        this.#asked.delete(event.id);
        return null;
      case "error":
        if (event.id !== null) this.#refuse(event.id, new RequestError(event.code, event.message));
        return null;
      default:
        // Of a later server: within a version events are only added.
        return null;
    }
  }

  #refuse(id: string, error: RequestError): void {
    this.#asked.get(id)?.reject(error);
    this.#asked.delete(id);
    const run = this.#runs.get(id);
    this.#runs.delete(id);
    run?.started.reject(error);
    run?.ended.reject(error);
    run?.chunks.end();
  }

  /** Nothing can be asked any more. */
  #fail(error: RequestError): void {
    this.#lost = error;
    this.#hello.reject(error);
    for (const id of [...this.#runs.keys(), ...this.#asked.keys()]) this.#refuse(id, error);
  }
}

function wrongProtocol(version: unknown): RequestError {
  return new RequestError(
    "lost",
    `Cannot talk to this debrief: its protocol is version ${version}, not ${PROTOCOL_VERSION}`,
  );
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let begun: string[] = [];
  for await (const bytes of stream) {
    const [first = "", ...rest] = decoder.decode(bytes, { stream: true }).split("\n");
    begun.push(first);
    for (const next of rest) {
      yield begun.join("");
      begun = [next];
    }
  }
}
