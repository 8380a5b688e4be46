/** `debrief -c COMMAND`, `debrief SCRIPT`, `debrief -- PROGRAM`: one command, its exit status. */
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_codes.ts";
import type { CommandText } from "../session/decide.ts";
import type { CommandLine } from "./command_line.ts";
import { closeSession, openSession } from "./open_session.ts";

function textOf(line: CommandLine): CommandText {
  if (line.exact !== null) {
    if (line.exact.length === 0) {
      throw new UsageError('Cannot run nothing: a program is needed after "--"');
    }
    return { kind: "argv", argv: line.exact };
  }
  const { source, script, operands: parameters, options } = line;
  return source === null
    ? { kind: "file", path: script, parameters, options }
    : { kind: "script", source, parameters, options };
}

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
  const text = textOf(line);
  const interrupt = new AbortController();
  const onSignal = (number: number) => interrupt.abort(number);
  const { session, printer, note, parent } = openSession(line, {
    block: "stderr",
    keepsState: false,
    inherited,
    onSignal,
  });
  const { queue } = printer;
  const signal = AbortSignal.any([interrupt.signal, queue.failure]);
  let status: number = EXIT.refused;
  try {
    await session.run({ text, note, parent, signal, flow: queue, stdin: 0 }, (event) => {
      if (event.kind === "finished") status = event.exitStatus;
      printer.print(event);
    }).finally(() => queue.flush(interrupt.signal));
  } finally {
    await closeSession(session);
  }
  return status;
}
