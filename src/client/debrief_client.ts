/** A client of `debrief stdio` for programs in TypeScript. */
import type { Waiting } from "../feedback/job_report.ts";
import type { HelloEvent } from "../protocol/events.ts";
import type { AimsState, JobList, ServiceStatus } from "../protocol/results.ts";
import type { AimsOrder, RunOrder } from "../protocol/orders.ts";
import { Connection } from "./connection.ts";
import { RemoteCommand } from "./remote_command.ts";
import { startDebrief, type StartOptions } from "./start_debrief.ts";

/** What is run, and what ends it early. */
export interface RemoteRequest extends RunOrder {
  /** Cancels the command. */
  readonly signal?: AbortSignal;
  /** Hears when it waits for input that nobody has sent, with what it asks, and by null when it does so no longer. */
  readonly onWaiting?: (waits: Waiting | null) => void;
}

/**
 * Debrief in a process of its own: any number of commands at the same time, each in the jail, redacted and recorded.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { DebriefClient } from "@debrief/debrief";
 *
 * const place = Deno.makeTempDirSync();
 * await using client = await DebriefClient.start({
 *   // Where `debrief` is on PATH, leave these out.
 *   program: [Deno.execPath(), "run", "--quiet", "--allow-all", "main.ts"],
 *   flags: ["--workspace", place, "--journal", Deno.makeTempDirSync()],
 * });
 * const command = client.run({
 *   command: "echo one; echo two >&2; exit 3",
 *   cwd: place,
 *   note: "two lines",
 * });
 * for await (const { stream, text } of command) console.log(stream, text);
 * const { exit_status, block } = await command.ended;
 * assertEquals([exit_status, block.outcome, block.expected], [3, "failed", "two lines"]);
 * ```
 */
export class DebriefClient {
  /** What the server said of itself: version, policy, what is enforced. */
  readonly hello: HelloEvent;
  readonly #connection: Connection;
  #closing: Promise<void> | null = null;

  private constructor(connection: Connection, hello: HelloEvent) {
    this.#connection = connection;
    this.hello = hello;
  }

  /**
   * Start `debrief stdio`.
   *
   * @throws {RequestError} when it cannot serve; the message has what it said, such as an error of the policy.
   * @throws {Deno.errors.NotFound} when there is no such program.
   */
  static async start(options: StartOptions = {}): Promise<DebriefClient> {
    const connection = new Connection(startDebrief(options));
    try {
      return new DebriefClient(connection, await connection.hello);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Run a command; text is a shell command. Its status, whatever it is, is no error. */
  run(what: string | RemoteRequest): RemoteCommand {
    const { signal, onWaiting, ...order } = typeof what === "string" ? { command: what } : what;
    signal?.throwIfAborted();
    const id = this.#connection.nextId();
    const command = new RemoteCommand(this.#connection, { id, onWaiting: onWaiting ?? null });
    this.#connection.run(id, order);
    const cancel = () => void command.cancel().catch(() => {});
    signal?.addEventListener("abort", cancel, { once: true });
    const forget = () => signal?.removeEventListener("abort", cancel);
    command.ended.then(forget, forget);
    return command;
  }

  /** Commands that run, and those that ended lately. */
  jobs(): Promise<JobList> {
    return this.#connection.ask("jobs", {});
  }

  /** Say what the session is for and may take; absent fields stay. @returns what holds. */
  aims(order: AimsOrder = {}): Promise<AimsState> {
    return this.#connection.ask("aims", order);
  }

  /** What is in force. */
  status(): Promise<ServiceStatus> {
    return this.#connection.ask("status", {});
  }

  /** End what still runs, and the server. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    const ends = this.#connection.running.map((target) =>
      this.#connection.ask("cancel", { target }).catch(() => {})
    );
    await Promise.all([...ends, this.#connection.close()]);
  }

  /** Closes at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
