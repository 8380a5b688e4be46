/**
 * Orders to a restricted thread, one at a time. A start takes about a millisecond, and so the calling thread waits for its
 * answer itself, answering the jail's calls meanwhile; whatever takes longer is left to the event loop.
 */
import { reasonOf } from "../errors.ts";
import { type Answer, type ChannelEnd, type Order, OrderChannel } from "./channel.ts";
import type { FailedReply } from "./jail_protocol.ts";
import { poll, type PollEntry } from "./linux/ffi.ts";
import { waitFor } from "./linux/wait.ts";
import type { Supervisor } from "./supervisor.ts";

/** How long the calling thread waits by itself, in ms: a start that somebody holds up keeps it from nothing else. */
const AT_ONCE_MS = 20;
/** How often it is looked whether the thread has ended, in ms. */
const LOOK_MS = 100;

/** An order, and what its addresses lead to. */
export interface HeldOrder extends Order {
  readonly memory?: unknown;
}

/** What the thread answers to an order. */
export type JailAnswer = { readonly kind: "answered" } & Answer | FailedReply;

/** Whatever becomes of the shell's side: memory that another thread may still read is not given to anybody else. */
const unanswered = new Set<HeldOrder>();

/** Gives orders and takes their answers, in order. */
export class JailThread {
  readonly #channel: OrderChannel;
  readonly #supervisor: Supervisor | null;
  readonly #end = Promise.withResolvers<void>();
  #last: Promise<unknown> = Promise.resolve();
  /** Orders that are given and not answered. */
  #open = 0;
  /** Why the thread answers no more, null while it does. */
  #ended: string | null = null;

  /**
   * @param end the near one of the thread's channel.
   * @param supervisor who answers the thread's calls, null where nobody does.
   */
  constructor(end: ChannelEnd, supervisor: Supervisor | null) {
    this.#channel = new OrderChannel(end);
    this.#supervisor = supervisor;
  }

  /** False once every order is answered with `failed`. */
  get isAlive(): boolean {
    return this.#ended === null;
  }

  /**
   * Give an order.
   *
   * @param make called when its turn has come: no other order is open then. What it throws is the reply.
   * @param watch started when the answer takes long, and disposed of when it is there.
   */
  order(make: () => HeldOrder, watch?: () => Disposable): Promise<JailAnswer> {
    this.#open++;
    const answer = this.#last.then(() => this.#carryOut(make, watch)).finally(() => this.#open--);
    this.#last = answer;
    return answer;
  }

  /** Give an order whose answer nobody needs; at once where the thread has no other. */
  tell(order: Order): void {
    const make = () => order;
    if (this.#open > 0 || this.#ended !== null) return void this.order(make);
    this.#open++;
    this.#last = this.#carryOut(make).finally(() => this.#open--);
  }

  /** Take its orders away, at which the thread ends itself; orders that are open are answered with `failed`. */
  end(message: string): void {
    if (this.#ended !== null) return;
    this.#ended = message;
    this.#channel.close();
    this.#end.resolve();
  }

  /** Never throws. */
  async #carryOut(make: () => HeldOrder, watch?: () => Disposable): Promise<JailAnswer> {
    if (this.#ended !== null) return this.#failed;
    let order: HeldOrder;
    try {
      order = make();
    } catch (error) {
      return { kind: "failed", message: reasonOf(error) };
    }
    try {
      unanswered.add(order);
      this.#channel.send(order);
      if (!this.#isAnswered()) {
        using _watch = watch?.();
        await this.#answered();
      }
      if (this.#ended !== null) return this.#failed;
      const answer = this.#channel.receive();
      unanswered.delete(order);
      if (answer !== null) return { kind: "answered", ...answer };
      this.end("Cannot use the jail: its thread ended");
    } catch (error) {
      // Whoever asks next would take this one's answer for its own.
      this.end(`Cannot use the jail: ${reasonOf(error)}`);
    } finally {
      this.#supervisor?.goOn();
    }
    return this.#failed;
  }

  get #failed(): FailedReply {
    return { kind: "failed", message: this.#ended ?? "" };
  }

  #isAnswered(): boolean {
    const { input } = this.#channel;
    if (this.#supervisor) return this.#supervisor.serveUntil(input, AT_ONCE_MS);
    return waitFor(input, -1, AT_ONCE_MS)[0] !== 0;
  }

  async #answered(): Promise<void> {
    const entry: PollEntry = { fd: this.#channel.input, ready: false };
    while (this.#ended === null && !entry.ready) {
      await Promise.race([poll([entry], LOOK_MS), this.#end.promise]);
    }
  }
}
