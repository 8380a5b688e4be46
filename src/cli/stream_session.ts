/** A session on standard input: a terminal, or a pipe of commands. State persists, each command ends with its block. */
import { MAX_SCRIPT_LENGTH } from "../command/parse.ts";
import { EXIT } from "../exit_codes.ts";
import type { CommandLine } from "./command_line.ts";
import { pipedCommands, typedCommands } from "./command_source.ts";
import { writeText } from "./terminal.ts";
import { closeSession, type FrontEnd, openSession } from "./open_session.ts";
import { JobCommands } from "./job_commands.ts";
import { JobEvents } from "./job_events.ts";
const SIGINT = 2;

/** How one command of a stream went. */
interface Step {
  readonly status: number;
  readonly ends: boolean;
}

/** Signals to a session: one ends the command that runs, and all but a terminal's Ctrl-C the session as well. */
class Interrupts {
  readonly #terminal: boolean;
  #command = new AbortController();
  readonly #session = new AbortController();

  constructor(terminal: boolean) {
    this.#terminal = terminal;
  }

  /** Ends with the session; the reason is the signal's number. */
  get session(): AbortSignal {
    return this.#session.signal;
  }

  /** Ends with the next command. */
  next(): AbortSignal {
    this.#command = new AbortController();
    if (this.#session.signal.aborted) this.#command.abort(this.#session.signal.reason);
    return this.#command.signal;
  }

  readonly take = (number: number): void => {
    this.#command.abort(number);
    // At the prompt of a terminal the key is read by the editor.
    if (!this.#terminal || number !== SIGINT) this.#session.abort(number);
    // Behind the ^C that the terminal shows.
    else writeText(2, "\n");
  };
}

async function runStep(
  { session, printer, note, parent }: FrontEnd,
  command: { readonly source: string; readonly signal: AbortSignal; readonly terminal: boolean },
): Promise<Step> {
  const { source, terminal } = command;
  const { queue } = printer;
  const signal = AbortSignal.any([command.signal, queue.failure]);
  let step: Step = { status: EXIT.refused, ends: false };
  const text = { kind: "script" as const, source };
  // The stream that the next commands come from is nothing for a command to read.
  const stdin = terminal ? { stdin: 0 } : {};
  await session.run({ text, note, parent, signal, flow: queue, ...stdin }, (event) => {
    if (event.kind === "finished") {
      // As in any shell that reads a script: after a syntax error the rest has lost its context. What follows a command
      // that is too long is the rest of it, on a terminal as well.
      const lost = event.record.outcome.kind === "syntax-error" &&
        (!terminal || source.length > MAX_SCRIPT_LENGTH);
      step = { status: event.exitStatus, ends: event.endsSession || lost };
    }
    printer.print(event);
  }).finally(() => queue.flush(command.signal));
  return step;
}

/**
 * Read commands until the input or the session ends; returns the last command's exit status.
 *
 * @param inherited descriptors that the process was started with, besides the standard ones.
 */
export async function runStreamSession(
  line: CommandLine,
  inherited: ReadonlySet<number>,
): Promise<number> {
  const terminal = Deno.stdin.isTerminal();
  const interrupts = new Interrupts(terminal);
  const frontEnd = openSession(line, {
    block: "stdout",
    keepsState: true,
    inherited,
    onSignal: interrupts.take,
  });
  const { session, printer } = frontEnd;
  const end = interrupts.session;
  const source = terminal ? await typedCommands(session, end) : pipedCommands(end);
  const events = new JobEvents(printer, source);
  const commands = new JobCommands(frontEnd, events.take);
  const run = async (command: string): Promise<Step> => {
    events.hold();
    try {
      const status = await commands.run(command);
      if (status !== null) return { status, ends: false };
      return await runStep(frontEnd, { source: command, signal: interrupts.next(), terminal });
    } finally {
      events.release();
      await printer.queue.flush(end);
    }
  };
  let status = 0;
  try {
    for (;;) {
      const command = await source.next(status);
      if (command === null) break;
      const step = await run(command);
      status = step.status;
      if (step.ends || end.aborted) break;
    }
    return end.aborted ? EXIT.signalBase + Number(end.reason) : status;
  } finally {
    source.close();
    await closeSession(session);
    await printer.queue.flush(end);
  }
}
