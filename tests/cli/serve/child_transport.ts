/**
 * A client's transport to a child process. The SDK's own leaves a timer behind when it closes, which tests on older
 * versions of Deno take for a leak; the inspector's test goes through that one.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

/** One JSON-RPC message a line. */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #reading: Promise<void> = Promise.resolve();

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#writer = child.stdin.getWriter();
  }

  start(): Promise<void> {
    this.#reading = this.#read().finally(() => this.onclose?.());
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  }

  async close(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#reading;
    await this.#child.stderr.cancel();
    await this.#child.status;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.onmessage?.(JSON.parse(line));
    }
  }
}
