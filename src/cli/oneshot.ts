/** `debrief -c COMMAND`, `debrief SCRIPT`, `debrief -- PROGRAM`: one command, its exit status. */
import { EXIT } from "../exit_codes.ts";
import type { CommandLine } from "./command_line.ts";
import { dropIn } from "./drop_in.ts";
import { closeSession, openSession } from "./open_session.ts";

/**
 * Run one command and return its exit status.
 *
 * @param inherited descriptors that the process was started with, besides the standard ones.
 * @throws {UsageError} when nothing can be run.
 */
export async function runOneshot(
  line: CommandLine,
  inherited: ReadonlySet<number>,
): Promise<number> {
  const { text, stdin, trailer, isProbe } = dropIn(line);
  const interrupt = new AbortController();
  const onSignal = (number: number) => interrupt.abort(number);
  const { session, printer, note, parent } = openSession(line, {
    block: "stderr",
    keepsState: false,
    inherited,
    onSignal,
    isProbe,
    isSteered: trailer?.holds === "directory",
  });
  const { queue } = printer;
  const signal = AbortSignal.any([interrupt.signal, queue.failure]);
  let status: number = EXIT.refused;
  try {
    const input = stdin === null ? {} : { stdin };
    await session.run({ text, note, parent, signal, flow: queue, trailer, ...input }, (event) => {
      if (event.kind === "finished") status = event.exitStatus;
      printer.print(event);
    }).finally(() => queue.flush(interrupt.signal));
  } finally {
    await closeSession(session);
  }
  return status;
}
