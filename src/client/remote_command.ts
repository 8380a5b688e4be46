/** A command that was given to `debrief stdio`. */
import type { Waiting } from "../feedback/job_report.ts";
import type { EndedEvent } from "../protocol/events.ts";
import type { KillResult, OutputPage, SendResult } from "../protocol/results.ts";
import type { OutputOrder, SignalName } from "../protocol/orders.ts";
import type { Connection } from "./connection.ts";
import { type OutputChunk, OutputChunks } from "./output_chunks.ts";

/** A command's end with all that was shown of its output. */
export interface Collected extends EndedEvent {
  readonly stdout: string;
  readonly stderr: string;
}

/** What it is made of. */
export interface CommandParts {
  readonly id: string;
  readonly onWaiting: ((waits: Waiting | null) => void) | null;
}

/** One command. Iterate it for its output as it comes, once; await `ended` for how it went. */
export class RemoteCommand implements AsyncIterable<OutputChunk> {
  /** The command's id, when it runs. Rejects with a `RequestError` when it was not carried out. */
  readonly started: Promise<string>;
  /** How it ended, whatever its status. Rejects as `started` does, and when the connection is lost. */
  readonly ended: Promise<EndedEvent>;
  readonly #id: string;
  readonly #connection: Connection;
  readonly #chunks: OutputChunks;

  /** @internal Made by `DebriefClient.run`. */
  constructor(connection: Connection, { id, onWaiting }: CommandParts) {
    this.#connection = connection;
    this.#id = id;
    this.#chunks = new OutputChunks();
    const { started, ended } = connection.follow(id, { chunks: this.#chunks, onWaiting });
    this.started = started;
    this.ended = ended;
  }

  /** Its output, redacted, in order of arrival. */
  [Symbol.asyncIterator](): AsyncGenerator<OutputChunk, void> {
    return this.#chunks[Symbol.asyncIterator]();
  }

  /** Wait for the end, with the output by stream. Use it in place of an iteration. */
  async collect(): Promise<Collected> {
    const shown = { stdout: "", stderr: "" };
    for await (const { stream, text } of this) shown[stream] += text;
    return { ...await this.ended, ...shown };
  }

  /** Send input; it must have been started with `openStdin` or in the background. */
  write(
    input: string | Uint8Array,
    { end = false }: { readonly end?: boolean } = {},
  ): Promise<SendResult> {
    const field = typeof input === "string" ? { text: input } : { base64: base64Of(input) };
    return this.#connection.ask("write_stdin", { target: this.#id, end, ...field });
  }

  /** Send the end of the input. */
  closeStdin(): Promise<SendResult> {
    return this.#connection.ask("close_stdin", { target: this.#id });
  }

  /** End it with all of its processes; it is recorded as cancelled. */
  async cancel(): Promise<void> {
    await this.#connection.ask("cancel", { target: this.#id });
  }

  /** Send a signal to all of its processes; TERM and KILL end it, and that is waited for. */
  kill(signal: SignalName = "TERM"): Promise<KillResult> {
    return this.#connection.ask("kill", { target: this.#id, signal });
  }

  /** A part of what it has printed so far, from what is kept: whole and redacted. */
  output(order: OutputOrder = {}): Promise<OutputPage> {
    return this.#connection.ask("output", { target: this.#id, ...order });
  }
}

/** Bytes that are turned into letters at once: more arguments no call takes. */
const PIECE = 8_192;

function base64Of(bytes: Uint8Array): string {
  let letters = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    letters += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(letters);
}
