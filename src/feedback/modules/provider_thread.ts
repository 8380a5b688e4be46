/** The main thread's side of one provider's thread. */
import type { ProviderOrder, ProviderReply } from "./provider_protocol.ts";

/** Time in which the thread's own code is loaded, in ms: generous, since it says nothing about the provider. */
const BOOT_MS = 60_000;
/** Added to the time that the thread keeps itself, before it is ended from outside, in ms. */
const PATIENCE_MS = 5_000;

/** Deno's option of workers, behind `--unstable-worker-options` (`unstable` in deno.json). */
interface ConfinedWorkerOptions extends WorkerOptions {
  readonly deno: { readonly permissions: "none" };
}

/** A thread without permissions. Orders are given one after the other. */
export class ProviderThread {
  readonly #worker: Worker;
  readonly #ready: Promise<ProviderReply>;
  #settle: (reply: ProviderReply) => void;

  /** @throws {Error} where Deno does not confine workers. */
  constructor() {
    const first = Promise.withResolvers<ProviderReply>();
    this.#ready = first.promise;
    this.#settle = first.resolve;
    const options: ConfinedWorkerOptions = {
      type: "module",
      name: "provider",
      deno: { permissions: "none" },
    };
    this.#worker = new Worker(new URL("./provider_worker.ts", import.meta.url), options);
    // Only the reply that is waited for is looked at: more of them are nobody's business.
    this.#worker.onmessage = ({ data }: MessageEvent<ProviderReply>) => this.#settle(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#settle({ kind: "failed", message: `its thread ended (${event.message})` });
    };
  }

  /**
   * Gives an order.
   *
   * @param timeoutMs of the order itself, without the start of the thread. The thread is unusable afterwards when it was not kept.
   * @throws {Error} what the thread says went wrong.
   */
  async order<K extends ProviderReply["kind"]>(
    order: ProviderOrder,
    expected: { readonly reply: K; readonly timeoutMs: number },
  ): Promise<Extract<ProviderReply, { kind: K }>> {
    const { reply: kind, timeoutMs } = expected;
    const ready = await this.#within(BOOT_MS, this.#ready, "its thread does not start");
    if (ready.kind === "failed") throw new Error(ready.message);
    const { promise, resolve } = Promise.withResolvers<ProviderReply>();
    this.#settle = resolve;
    this.#worker.postMessage(order);
    const late = `it took longer than ${timeoutMs} ms`;
    const reply = await this.#within(timeoutMs + PATIENCE_MS, promise, late);
    if (reply.kind === kind) return reply as Extract<ProviderReply, { kind: K }>;
    throw new Error(reply.kind === "failed" ? reply.message : "its thread gave no answer");
  }

  async #within<T>(limitMs: number, promise: Promise<T>, late: string): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.end();
        reject(new Error(late));
      }, limitMs);
    });
    try {
      return await Promise.race([promise, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the thread, whatever it is at. */
  end(): void {
    this.#worker.terminate();
  }
}
