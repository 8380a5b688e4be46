/** Prints how jobs end and what they ask, between commands: what a command prints is not interrupted. */
import { buildJobReport, type JobView } from "../feedback/job_report.ts";
import type { SessionEvent } from "../session/events.ts";
import type { CommandSource } from "./command_source.ts";
import type { Printer } from "./printer.ts";

/** Something to print. */
type Print = () => void;

/** Holds back while a command runs. */
export class JobEvents {
  readonly #printer: Printer;
  readonly #source: Pick<CommandSource, "hide" | "show">;
  #held: Print[] | null = null;

  /** @param source has a prompt to be taken out of the way. */
  constructor(printer: Printer, source: Pick<CommandSource, "hide" | "show">) {
    this.#printer = printer;
    this.#source = source;
  }

  /** Take an event of a job; its output is printed on request only. */
  readonly take = (event: SessionEvent, view: JobView | null): void => {
    if (event.kind === "finished") this.#print(() => this.#printer.print(event, { named: true }));
    if (event.kind !== "waiting" || event.waits === null || view === null) return;
    const message = `${view.id} waits for input`;
    const report = buildJobReport([view], { message, level: "warning" });
    this.#print(() => this.#printer.report(report));
  };

  /** A command begins. */
  hold(): void {
    this.#held ??= [];
  }

  /** It has ended: print what came meanwhile. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const print of held) print();
  }

  #print(print: Print): void {
    if (this.#held !== null) {
      this.#held.push(print);
      return;
    }
    this.#source.hide();
    print();
    // A reader that went away is reported by whoever prints next.
    this.#printer.queue.flush().then(() => this.#source.show(), () => {});
  }
}
