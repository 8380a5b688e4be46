/** A session on standard input: a terminal, or a pipe of commands. State persists, each command ends with its block. */
import { close, open } from "../sandbox/linux/ffi.ts";
import { OPEN } from "../sandbox/linux/uapi.ts";
import type { CommandLine } from "./command_line.ts";
import { CommandReader } from "./command_reader.ts";
import { type FrontEnd, openSession } from "./open_session.ts";
import { writeText } from "./terminal.ts";

const PROMPT = "debrief$ ";
const CONTINUATION = "> ";

/** The lines of a text, without their newlines. A carriage return stays: to a shell it is a character like any other. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const begun: string[] = [];
  for await (const chunk of chunks) {
    const lines = chunk.split("\n");
    for (const line of lines.slice(0, -1)) {
      yield begun.join("") + line;
      begun.length = 0;
    }
    begun.push(lines.at(-1)!);
  }
  if (begun.join("") !== "") yield begun.join("");
}

/** How one command of a stream went. */
interface Step {
  readonly status: number;
  readonly ends: boolean;
}

async function runStep(frontEnd: FrontEnd, source: string, stdin: number): Promise<Step> {
  const { session, printer, note, parent } = frontEnd;
  frontEnd.interrupt = new AbortController();
  let step: Step = { status: 0, ends: false };
  await session.run(
    { text: { kind: "script", source }, note, parent, signal: frontEnd.interrupt.signal, stdin },
    (event) => {
      printer.print(event);
      if (event.kind !== "finished") return;
      // As in any shell that reads a script: after a syntax error the rest has lost its context.
      const lost = event.record.outcome.kind === "syntax-error" && !Deno.stdin.isTerminal();
      step = { status: event.exitStatus, ends: event.endsSession || lost };
    },
  );
  return step;
}

/** Read commands until the input or the session ends; returns the last command's exit status. */
export async function runStreamSession(line: CommandLine): Promise<number> {
  const terminal = Deno.stdin.isTerminal();
  const frontEnd = openSession(line, { block: "stdout", keepsState: true });
  const reader = new CommandReader();
  // The stream that the next commands come from is nothing for a command to read.
  const nothing = open("/dev/null", OPEN.RDONLY);
  const stdin = terminal ? 0 : nothing;
  const prompt = () => terminal && writeText(2, reader.pending ? CONTINUATION : PROMPT);
  let status = 0;
  try {
    prompt();
    for await (
      const text of linesOf(
        Deno.stdin.readable.pipeThrough(new TextDecoderStream("utf-8", { ignoreBOM: true })),
      )
    ) {
      const reading = reader.push(text);
      if (reading.kind === "command") {
        const step = await runStep(frontEnd, reading.source, stdin);
        status = step.status;
        if (step.ends) return status;
      }
      prompt();
    }
    const rest = reader.finish();
    if (rest !== null) status = (await runStep(frontEnd, rest, stdin)).status;
    return status;
  } finally {
    close(nothing);
    await frontEnd.session.close();
  }
}
