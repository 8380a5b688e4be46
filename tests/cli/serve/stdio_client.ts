/** A plain client of `debrief stdio`: lines out, events in, as they are. */
import { TestPlace } from "../../session/test_session.ts";
import { startDebrief } from "../run_debrief.ts";

/** How the server is started. */
export interface StdioOptions {
  readonly place?: TestPlace;
  readonly args?: readonly string[];
}

// deno-lint-ignore no-explicit-any
type Event = any;

const encoder = new TextEncoder();

/** A server with one client. */
export class StdioConnection {
  readonly place: TestPlace;
  readonly child: Deno.ChildProcess;
  /** Events so far. */
  readonly events: Event[] = [];
  readonly #owned: boolean;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;
  #rest = "";

  constructor(options: StdioOptions = {}) {
    this.#owned = options.place === undefined;
    this.place = options.place ?? new TestPlace();
    this.child = startDebrief(["stdio", ...options.args ?? []], { place: this.place });
    this.#writer = this.child.stdin.getWriter();
    this.#lines = this.child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Send requests, or lines as they are. */
  async send(...requests: readonly (object | string | Uint8Array)[]): Promise<void> {
    for (const request of requests) {
      const bytes = request instanceof Uint8Array
        ? request
        : encoder.encode((typeof request === "string" ? request : JSON.stringify(request)) + "\n");
      await this.#writer.write(bytes);
    }
  }

  /** The first event, of those so far or to come, that has these fields. */
  async event(fields: Record<string, unknown>): Promise<Event> {
    const has = (event: Event) =>
      Object.entries(fields).every(([name, value]) => event[name] === value);
    for (let at = 0;; at++) {
      while (at >= this.events.length) {
        if (!await this.#read()) throw new Error(`No ${JSON.stringify(fields)} came`);
      }
      if (has(this.events[at])) return this.events[at];
    }
  }

  /** Ask for something, and wait for the answer. */
  async ask(request: { readonly id: string; readonly type: string }): Promise<Event> {
    await this.send(request);
    const { id } = request;
    for (let at = 0;; at++) {
      while (at >= this.events.length) {
        if (!await this.#read()) throw new Error(`No answer to ${id} came`);
      }
      const event = this.events[at];
      if (event.id === id && ["result", "ended", "error"].includes(event.type)) return event;
    }
  }

  /** Send no more; the exit status, when all events have come. */
  async end(): Promise<number> {
    await this.#writer.close();
    while (await this.#read());
    return (await this.child.status).code;
  }

  /** Close the output without reading it. */
  async leave(): Promise<void> {
    await this.#lines.cancel();
  }

  /** False when no more events come. */
  async #read(): Promise<boolean> {
    const { done, value } = await this.#lines.read();
    if (done) return false;
    const lines = (this.#rest + value).split("\n");
    this.#rest = lines.pop()!;
    this.events.push(...lines.map((line) => JSON.parse(line)));
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#lines.cancel().catch(() => {});
    await this.child.stderr.cancel().catch(() => {});
    await this.child.status;
    if (this.#owned) this.place[Symbol.dispose]();
  }
}
