/** `debrief -c COMMAND` and `debrief -- PROGRAM`: one command, its exit status. */
import { UsageError } from "../errors.ts";
import type { CommandText } from "../session/decide.ts";
import type { CommandLine } from "./command_line.ts";
import { openSession } from "./open_session.ts";

function textOf(line: CommandLine): CommandText {
  if (line.exact !== null) {
    if (line.exact.length === 0) {
      throw new UsageError('Cannot run nothing: a program is needed after "--"');
    }
    return { kind: "argv", argv: line.exact };
  }
  return { kind: "script", source: line.source ?? "", parameters: line.operands };
}

/** Run one command and return its exit status. @throws {UsageError} when nothing can be run. */
export async function runOneshot(line: CommandLine): Promise<number> {
  const text = textOf(line);
  const frontEnd = openSession(line, { block: "stderr", keepsState: false });
  const { session, printer, interrupt, note, parent } = frontEnd;
  let status = 0;
  try {
    await session.run({ text, note, parent, signal: interrupt.signal, stdin: 0 }, (event) => {
      printer.print(event);
      if (event.kind === "finished") status = event.exitStatus;
    });
  } finally {
    await session.close();
  }
  const signal = interrupt.signal.aborted ? Number(interrupt.signal.reason) : 0;
  return signal > 0 ? 128 + signal : status;
}
