/**
 * The transport of MCP over standard input and output: one JSON-RPC message a line. In place of the SDK's own, so that
 * lines are bounded one by one, a client that does not read holds its commands up, and nothing else gets on the stream.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { OutputQueue } from "../output_queue.ts";
import { standardInputBytes } from "../standard_input.ts";
import { type InputLine, inputLines, MAX_LINE_BYTES } from "./input_lines.ts";

/** JSON-RPC 2.0, section 5.1. */
const ERROR = { parse: -32700, invalid: -32600 } as const;

const STDOUT = 1;
const encoder = new TextEncoder();

/** Reads from descriptor 0, writes to descriptor 1 through the queue. */
export class McpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Settles when the client is gone: it has closed the input, or reads no more. */
  readonly gone: Promise<void>;
  readonly #gone = Promise.withResolvers<void>();
  readonly #queue: OutputQueue;
  readonly #end = new AbortController();
  #closed = false;

  constructor(queue: OutputQueue) {
    this.#queue = queue;
    this.gone = this.#gone.promise;
  }

  /** Read messages until the input ends. */
  start(): Promise<void> {
    this.#queue.failure.addEventListener("abort", () => void this.close(), { once: true });
    void this.#read().catch((error) => this.onerror?.(error)).finally(() => this.close());
    return Promise.resolve();
  }

  /** Write one message; settles when there is room for more. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) throw new Error("Cannot send: the client is gone");
    this.#queue.push(STDOUT, encoder.encode(JSON.stringify(message) + "\n"), { optional: true });
    await this.#queue.ready();
  }

  /** Read no more. */
  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.#end.abort();
    this.#gone.resolve();
    this.onclose?.();
    return Promise.resolve();
  }

  async #read(): Promise<void> {
    for await (const line of inputLines(standardInputBytes(this.#end.signal))) {
      // Who asks and does not read waits for its own answers.
      await this.#queue.ready();
      if (this.#closed) return;
      const read = messageOf(line);
      if (read.kind === "message") this.onmessage?.(read.message);
      else await this.#refuse(read);
    }
  }

  async #refuse({ reason, code }: Refused): Promise<void> {
    // By JSON-RPC the id is null here, which the SDK's type of an answer does not know.
    const answer: unknown = { jsonrpc: "2.0", id: null, error: { code, message: reason } };
    await this.send(answer as JSONRPCMessage);
  }
}

/** Why a line is no message. */
interface Refused {
  readonly kind: "refused";
  readonly reason: string;
  readonly code: number;
}

type Read = { readonly kind: "message"; readonly message: JSONRPCMessage } | Refused;

function refused(reason: string, code: number): Refused {
  return { kind: "refused", reason, code };
}

function messageOf(line: InputLine): Read {
  if (line.kind === "too-long") {
    const most = `at most ${MAX_LINE_BYTES} are accepted`;
    return refused(`the line has ${line.bytes} bytes: ${most}`, ERROR.invalid);
  }
  if (line.kind === "not-utf-8") return refused("the line is not UTF-8", ERROR.parse);
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch {
    return refused("the line is no JSON", ERROR.parse);
  }
  try {
    return { kind: "message", message: parseJSONRPCMessage(value) };
  } catch {
    return refused("the line is no message of JSON-RPC 2.0", ERROR.invalid);
  }
}
